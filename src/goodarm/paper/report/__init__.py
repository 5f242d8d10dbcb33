"""The report: tables, pictures, summary and page."""

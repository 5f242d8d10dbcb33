"""The history of the tables, run by Alembic; new steps are added, old ones never changed."""

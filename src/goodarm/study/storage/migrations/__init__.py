"""Steps that bring the tables from one version to the next, each a file in `versions`.

A file says what its step does with a connection, in the words of its time: a step never changes
once it is published, whatever becomes of the tables.
"""

from typing import Any

import sqlalchemy as sa


def create_table(connection: sa.Connection, name: str, *parts: sa.schema.SchemaItem) -> None:
    """A new table. Tables that its foreign keys name are there already."""
    metadata = sa.MetaData()
    table = sa.Table(name, metadata, *parts)
    for key in table.foreign_keys:
        known, column = key.target_fullname.split(".")
        sa.Table(known, metadata, sa.Column(column, sa.Integer))
    table.create(connection)


def add_column(connection: sa.Connection, table: str, column: sa.Column[Any]) -> None:
    """A new column of a table that is there."""
    text = sa.schema.CreateColumn(column).compile(dialect=connection.dialect)
    connection.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN {text}")

"""How Alembic runs our migrations: on the connection that it is handed, in its transaction."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    version_table=context.config.attributes["version_table"],
    render_as_batch=False,
)
context.run_migrations()

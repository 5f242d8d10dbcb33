"""goodarm study …: run a real experiment from the shell.

A group of commands is a file: `creating`, `running`, `trials`, `course` (extend, amend, rename,
stop), `arms` (add, retire), `filing` (archive, tag), `looking`, `exchange` (export, report,
import), `auditing` (seal, verify). What they share: `options`, `session`, `measurements`.
"""

import typer

from goodarm.cli.study import (
    arms,
    auditing,
    course,
    creating,
    exchange,
    filing,
    looking,
    running,
    trials,
)
from goodarm.cli.study.settings_command import SettingsCommand

__all__ = ["study"]
VALUES = {"ignore_unknown_options": True}  # negative outcomes are not options

study = typer.Typer(
    help="Run a real experiment: ask what to try, tell what came out, know when to stop.",
    no_args_is_help=True,
)
study.command(cls=SettingsCommand)(creating.create)
study.command()(running.run)
study.command()(trials.ask)
study.command(context_settings=VALUES)(trials.tell)
study.command()(trials.cancel)
study.command()(trials.retract)
study.command(context_settings=VALUES)(trials.correct)
study.command()(course.extend)
study.command(context_settings=VALUES)(course.amend)
study.command()(course.rename)
study.command()(course.stop)
study.command()(filing.archive)
study.command()(filing.tag)
study.add_typer(arms.arm, name="arm")
study.command()(looking.status)
study.command()(looking.forecast)
study.command()(exchange.export)
study.command()(exchange.report)
study.command()(auditing.seal)
study.command()(auditing.verify)
study.command("list")(looking.list_studies)
study.command("import")(exchange.import_outcomes)

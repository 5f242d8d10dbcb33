"""The command that declares a study: its options say what the study's settings say of themselves.

`goodarm.study.settings` is looked at only when the command runs or explains itself: it needs numpy,
and every other command starts faster without it.
"""

from dataclasses import MISSING
from typing import Any

from typer.core import TyperOption

from goodarm.cli.outcome_command import OutcomeCommand


class SettingsCommand(OutcomeCommand):
    """Takes help and defaults of its options from the settings of the same name."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters, each setting with its help and its default."""
        from goodarm.study.settings import declared_settings

        settings = {setting.name: setting for setting in declared_settings()}
        for param in self.params:
            setting = settings.get(param.name or "")
            if setting is None or not isinstance(param, TyperOption):
                continue
            param.help = param.help or setting.metadata["help"]
            if setting.default not in (None, MISSING):
                param.default = setting.default
        return super().get_params(ctx)

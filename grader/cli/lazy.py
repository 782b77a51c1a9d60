"""A group of commands that knows their names and sentences, and imports one when it is called."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click


class LazyGroup(click.Group):
    """Commands by name, each in the module `grader.cli.<prefix><name>_command`.

    Args:
        modules: each command's name and its sentence for the help.
        prefix: what the names of their modules begin with.
    """

    def __init__(
        self, *args: Any, modules: Mapping[str, str], prefix: str = "", **more: Any
    ) -> None:
        super().__init__(*args, **more)
        self._modules, self._prefix = modules, prefix

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._modules:
            return None
        module = importlib.import_module(f"grader.cli.{self._prefix}{cmd_name}_command")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(self._modules.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            import difflib

            guess = difflib.get_close_matches(args[0], self._modules, 1)
            if guess and "did you mean" not in error.message.lower():
                raise click.UsageError(f"{error.message} Did you mean {guess[0]!r}?", ctx) from None
            raise

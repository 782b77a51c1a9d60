"""A group of commands that knows their names and sentences, and imports one when it is called."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator, Mapping
from typing import Any

import click


class ReaderGone(Exception):
    """Nobody reads the output any more."""


@contextlib.contextmanager
def _telling() -> Iterator[None]:
    """Click itself would end with status 1, which says that a program was not accepted."""
    try:
        yield
    except BrokenPipeError:
        raise ReaderGone from None


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

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        with _telling():  # --help
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> Any:
        with _telling():
            return super().invoke(ctx)

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

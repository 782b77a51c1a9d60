"""`grader`: the list of commands. A command's module is imported when it is called, not before."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any

import click

from grader import __version__
from grader.cli.lazy import LazyGroup, ReaderGone

COMMANDS = {
    "list": "List the labs by chapter and what each is about.",
    "next": "Name the next lab that is not finished.",
    "show": "Show a lab's statement.",
    "start": "Put a lab's starter file into this folder.",
    "grade": "Grade a program against a lab.",
    "replay": "Run a saved counterexample again.",
    "new": "Make a lab that verifies as it stands, to start from.",
    "verify": "Prove that a lab catches mistakes and rejects nothing right.",
    "mutate": "Count how many mutants of the reference a lab kills.",
    "answers": "Write the answers of a lab's cases with its reference.",
    "pace": "Measure a lab's solutions and propose limits.",
    "class": "Grade a whole class: run, continue, correct, export.",
    "kit": "Write a ready autograder for Gradescope, GitHub or GitLab.",
    "doctor": "Tell how programs are confined on this machine.",
    "schema": "Print a published JSON Schema.",
}


@click.group(
    cls=LazyGroup,
    modules=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit status: 0 everything accepted, 1 graded but not everything accepted, 2 usage, "
    "3 the lab is at fault, 4 the grader, its sandbox or this machine is at fault, "
    "5 nothing was graded, 130 interrupted, 143 terminated, 141 nobody reads the output any more.",
)
@click.version_option(__version__, prog_name="grader")
def cli() -> None:
    """Labs on LLM inference: solve them, grade them, see the smallest input that breaks them."""


def main(arguments: list[str] | None = None) -> None:
    """The console script: every error becomes a sentence and an exit status, never a traceback."""
    _tame_streams()
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: list[str]) -> int:
    """Run one command and return its exit status."""
    try:
        return _run(arguments)
    except (ReaderGone, BrokenPipeError):
        from grader.cli.exit_status import ExitStatus

        _write_nothing_more()
        return ExitStatus.READER_GONE


def _run(arguments: list[str]) -> int:
    from grader.errors import GraderError

    _end_cleanly_when_terminated()
    try:
        result: Any = cli.main(arguments, prog_name="grader", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        from grader.cli.exit_status import ExitStatus

        click.echo("interrupted; nothing is left running", err=True)
        return ExitStatus.INTERRUPTED
    except _Terminated:
        from grader.cli.exit_status import ExitStatus

        return ExitStatus.TERMINATED
    except GraderError as error:
        from grader.cli.exit_status import of_error

        click.echo(f"grader: {error}", err=True)
        return of_error(error)
    except BrokenPipeError:
        raise
    except OSError as error:
        return _cannot_be_told(error)
    except RuntimeError as error:
        if "can't start new thread" not in str(error):
            raise
        from grader.cli.exit_status import ExitStatus

        why = "no thread can be started: raise `ulimit -u`, `ulimit -d` and `ulimit -v`"
        click.echo(f"grader: {why}", err=True)
        return ExitStatus.GRADER
    return int(result or 0)


def _cannot_be_told(error: OSError) -> int:
    """Every file has handlers of its own; what is left is a stdout that takes no more."""
    from grader.cli.exit_status import ExitStatus

    with contextlib.suppress(OSError):
        click.echo(f"grader: the output was not written: {error.strerror or error}", err=True)
    _write_nothing_more()
    return ExitStatus.GRADER


def _write_nothing_more() -> None:
    """What the buffer holds cannot be written either; the interpreter shall not try at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())


class _Terminated(BaseException):
    """SIGTERM: unwinds, so that everything that was started is ended."""


def _end_cleanly_when_terminated() -> None:
    import signal
    import threading

    def terminate(*_: object) -> None:
        raise _Terminated

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, terminate)


def _tame_streams() -> None:
    """A console that cannot print a character (GBK has no ✓) shows another, and does not fail."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")

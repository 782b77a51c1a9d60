"""The author's code in the judge's process: what a check may do, and for how long.

It judges what a student's program printed; it gets a few seconds and may raise AssertionError.
Anything else that it raises is the author's fault.
"""

from __future__ import annotations

import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from grader.bundles.properties import Check
from grader.judging.judge import clean

CHECK_SECONDS = 10.0
"""A check of 300 small examples takes milliseconds; one that takes this long hangs."""


_AT_ONCE = 1e-6
"""Zero would disarm the timer."""


class AuthorFault(BaseException):
    """A check failed in a way that is not the student's; `trace` is for the author."""

    def __init__(self, detail: str, trace: str) -> None:
        self.detail, self.trace = detail, trace
        super().__init__(detail)


class _TooSlow(BaseException):
    """A check used up its time."""


class Checks:
    """Calls checks, none for longer than `CHECK_SECONDS`."""

    def __init__(self) -> None:
        self._alarm = _Alarm()

    def call(self, check: Check, available: dict[str, Callable[[], Any]]) -> None:
        """Call a check with those of the available arguments that it names.

        Raises:
            AssertionError: it says that the property does not hold.
            AuthorFault: it raised anything else, or did not end.
        """
        try:
            arguments = {name: available[name]() for name in check.arguments}
            with self._alarm:
                check.function(**arguments)
        except AssertionError:
            raise
        except _TooSlow as error:
            why = f"{check.name} did not end within {CHECK_SECONDS:g} s"
            raise AuthorFault(why, traceback.format_exc()) from error
        except (Exception, SystemExit) as error:
            why = f"{check.name} raised {type(error).__name__}"
            raise AuthorFault(why, clean(traceback.format_exc())) from error

    def paused(self) -> AbstractContextManager[None]:
        """Around what a check waits for and does not do itself: a run of the program."""
        return self._alarm.paused()


class _Alarm:
    """Interrupts Python code that takes too long; what hangs inside C, the parent process ends.

    Arming costs a microsecond, so that every check on every input can have it.
    """

    def __init__(self) -> None:
        self._set = getattr(signal, "setitimer", None)
        self._armed = False
        if self._set is None or threading.current_thread() is not threading.main_thread():
            self._set = None
            return
        signal.signal(signal.SIGALRM, self._interrupt)

    def _interrupt(self, *_: object) -> None:
        if self._armed:
            raise _TooSlow

    def __enter__(self) -> None:
        if self._set is not None:
            self._armed = True
            self._set(signal.ITIMER_REAL, CHECK_SECONDS)

    def __exit__(self, *_: object) -> None:
        self._armed = False
        if self._set is not None:
            self._set(signal.ITIMER_REAL, 0)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """What is left of the time is left afterwards, too."""
        armed, self._armed = self._armed, False
        left = self._set(signal.ITIMER_REAL, 0)[0] if self._set is not None else 0.0
        try:
            yield
        finally:
            self._armed = armed
            if self._set is not None and armed:
                self._set(signal.ITIMER_REAL, left or _AT_ONCE)

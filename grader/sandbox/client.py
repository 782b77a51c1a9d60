"""Runs programs in the sandbox: a fork server for each, and a second try on a fresh one.

One server serves one program; a `SandboxExecutor` keeps the few that a grading needs (the
submission's, the reference's). A run that fails through our own fault is tried once more on a
fresh server.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from grader.errors import SandboxError
from grader.model.execution import RunOutcome, RunRequest, Submission
from grader.sandbox.canary import namespaces
from grader.sandbox.fork_server import ForkServer
from grader.sandbox.identity import can_be_private

_SERVERS_KEPT = 3


class SandboxExecutor:
    """Runs programs confined, each on a server of its own. Close it, or use it in a `with`.

    Args:
        machine: `x86_64` or `aarch64`.
        abi: the version of Landlock to use.
        secrets: folders that a program must not be able to read.
        hash_seed: PYTHONHASHSEED of the programs.
        enclosed: put each server into namespaces of its own, see `bubblewrap`.
        cgroup: a group in which each server gets one of its own, see `cgroup`.
    """

    def __init__(
        self,
        *,
        machine: str,
        abi: int,
        secrets: tuple[Path, ...] = (),
        hash_seed: int = 0,
        enclosed: bool = False,
        cgroup: Path | None = None,
    ) -> None:
        self._options = {"machine": machine, "abi": abi, "secrets": [str(s) for s in secrets]}
        self._options["namespaces"] = namespaces()
        self._hash_seed, self._enclosed, self._cgroup = hash_seed, enclosed, cgroup
        self._servers: OrderedDict[str, ForkServer] = OrderedDict()
        self.has_private_user = can_be_private()

    def run(self, request: RunRequest) -> RunOutcome:
        """Run once; see `model.execution.Executor`."""
        return self.begin(request)()

    def begin(self, request: RunRequest) -> Callable[[], RunOutcome]:
        """Begin a run; see `model.execution.RunsAhead`."""
        key = request.submission.digest
        try:
            server = self.server(request.submission)
            begun = server.begin(request.stdin, request.limits)
        except SandboxError:
            self._drop(key)
            return functools.partial(self._once_more, request)
        except BaseException:
            self._drop(key)
            raise

        def finish() -> RunOutcome:
            try:
                return server.finish(begun)
            except BaseException as error:
                # Also when interrupted: the answer would still come, and be taken for another's.
                if self._servers.get(key) is server:
                    self._drop(key)
                if isinstance(error, SandboxError):
                    return self._once_more(request)
                raise

        return finish

    def _once_more(self, request: RunRequest) -> RunOutcome:
        try:
            server = self.server(request.submission)
            return server.finish(server.begin(request.stdin, request.limits))
        except BaseException:
            self._drop(request.submission.digest)
            raise

    def server(self, submission: Submission) -> ForkServer:
        """The server of a program, started when it is first needed."""
        key = submission.digest
        if key not in self._servers:
            if len(self._servers) >= _SERVERS_KEPT:
                self._drop(next(iter(self._servers)))
            options = {**self._options, "name": submission.name}
            self._servers[key] = ForkServer(
                submission,
                options,
                self._hash_seed,
                enclosed=self._enclosed,
                cgroup=self._cgroup,
            )
        self._servers.move_to_end(key)
        return self._servers[key]

    def _drop(self, key: str) -> None:
        server = self._servers.pop(key, None)
        if server is not None:
            server.close()

    def close(self) -> None:
        for key in list(self._servers):
            self._drop(key)

    def __enter__(self) -> SandboxExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

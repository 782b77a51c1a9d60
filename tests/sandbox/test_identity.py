"""A private user id belongs to one holder at a time."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys

from grader.sandbox.identity import PrivateUser

_ORDINARY_USERS = 60_000


def test_no_two_holders_share_an_id() -> None:
    with contextlib.ExitStack() as stack:
        users = [stack.enter_context(contextlib.closing(PrivateUser())) for _ in range(50)]
        assert len({user.uid for user in users}) == len(users)


def test_another_process_does_not_get_an_id_that_is_held() -> None:
    # It begins its search where this process did, so that they would meet.
    code = (
        "import os, sys; os.getpid = lambda: int(sys.argv[1])\n"
        "from grader.sandbox.identity import PrivateUser; print(PrivateUser().uid)"
    )
    with contextlib.closing(PrivateUser()) as user:
        command = [sys.executable, "-c", code, str(os.getpid())]
        other = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert int(other) != user.uid


def test_a_closed_id_is_free_again() -> None:
    with contextlib.closing(PrivateUser()) as first:
        pass
    with contextlib.closing(PrivateUser()) as second:
        assert second.uid == first.uid


def test_an_id_is_above_those_of_people() -> None:
    with contextlib.closing(PrivateUser()) as user:
        assert user.uid > _ORDINARY_USERS

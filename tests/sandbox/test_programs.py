"""A program in the sandbox behaves as under `python mine.py < stdin`."""

from __future__ import annotations

import pytest

from grader.model.execution import Ending
from tests.sandbox.conftest import Run

EXITS = [
    ("pass", 0, b""),
    ("import sys; sys.exit()", 0, b""),
    ("import sys; sys.exit(3)", 3, b""),
    ("import sys; sys.exit(-1)", 255, b""),
    ("import sys; sys.exit(256 + 5)", 5, b""),
    ("import sys; sys.exit('no such layer')", 1, b"no such layer\n"),
    ("raise SystemExit(('a', 1))", 1, b"('a', 1)\n"),
    ("import os; os._exit(7)", 7, b""),
]


@pytest.mark.parametrize(("source", "status", "stderr"), EXITS)
def test_an_exit_status_is_that_of_python(
    run: Run, source: str, status: int, stderr: bytes
) -> None:
    outcome = run(source)
    assert (outcome.ending, outcome.status, outcome.stderr) == (Ending.EXITED, status, stderr)


def test_an_abort_is_a_signal(run: Run) -> None:
    outcome = run("import os; os.abort()")
    assert (outcome.ending, outcome.status) == (Ending.SIGNALLED, 6)


def test_an_exception_shows_the_line_and_no_frame_of_ours(run: Run) -> None:
    outcome = run("def halve(x):\n    return x / 0  # oh\n\nhalve(4)\n")
    assert outcome.status == 1
    assert outcome.stderr.decode().splitlines() == [
        "Traceback (most recent call last):",
        '  File "mine.py", line 4, in <module>',
        "    halve(4)",
        '  File "mine.py", line 2, in halve',
        "    return x / 0  # oh",
        "           ~~^~~",
        "ZeroDivisionError: division by zero",
    ]


def test_a_syntax_error_shows_the_line_and_no_frame_of_ours(run: Run) -> None:
    outcome = run("x = (\n")
    assert outcome.status == 1
    assert outcome.stderr.decode().splitlines() == [
        '  File "mine.py", line 1',
        "    x = (",
        "        ^",
        "SyntaxError: '(' was never closed",
    ]


def test_what_a_program_printed_before_it_failed_arrives(run: Run) -> None:
    outcome = run("print('before')\n1 / 0")
    assert (outcome.status, outcome.stdout) == (1, b"before\n")


def test_stdin_arrives_whole(run: Run) -> None:
    twenty_megabytes = b"0123456789" * (2 << 20)
    outcome = run("import sys; print(len(sys.stdin.read()))", twenty_megabytes)
    assert outcome.stdout == b"%d\n" % len(twenty_megabytes)


def test_invalid_utf_8_is_a_decoding_error_or_plain_bytes(run: Run) -> None:
    as_text = run("import sys; sys.stdin.read()", b"\xff\xfe")
    assert as_text.status == 1
    assert b"UnicodeDecodeError" in as_text.stderr
    as_bytes = run("import sys; print(sys.stdin.buffer.read())", b"\xff\xfe")
    assert as_bytes.stdout == b"b'\\xff\\xfe'\n"


def test_a_lone_surrogate_cannot_be_printed(run: Run) -> None:
    outcome = run("print('\\ud800')")
    assert outcome.status == 1
    assert b"UnicodeEncodeError" in outcome.stderr


WORKS = {
    "threads": """
        import threading
        done = []
        threads = [threading.Thread(target=done.append, args=(n,)) for n in range(8)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        assert len(done) == 8
    """,
    "a pool of threads": """
        from concurrent.futures import ThreadPoolExecutor
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(str, range(4))) == list("0123")
    """,
    "asyncio": """
        import asyncio
        async def main():
            await asyncio.gather(*(asyncio.sleep(0.001) for _ in range(10)))
            assert await asyncio.to_thread(lambda: 3) == 3
        asyncio.run(main())
    """,
    "sqlite3": """
        import sqlite3
        assert sqlite3.connect(":memory:").execute("select 1 + 1").fetchone() == (2,)
    """,
    "the files of the streams": """
        import os
        assert open("/dev/stdin").read() == "given"
        open(os.devnull, "w").write("x")
        assert len(open("/dev/urandom", "rb").read(4)) == 4
    """,
    "deep recursion": """
        import sys
        sys.setrecursionlimit(6000)
        def depth(n): return n and 1 + depth(n - 1)
        assert depth(5000) == 5000
        assert sorted([2, 1], key=lambda n: depth(5000)) == [2, 1]
    """,
    "a package that is not preloaded": "import xml.etree.ElementTree, http.client",
    "numpy": """
        import numpy as np
        assert round(float(np.linalg.svd(np.eye(40))[1].sum())) == 40
        assert np.fft.fft(np.ones(8))[0] == 8
    """,
    "dataclasses and pickles of its own classes": """
        import dataclasses, pickle
        @dataclasses.dataclass
        class Page: number: int
        assert pickle.loads(pickle.dumps(Page(3))) == Page(3)
    """,
    "signals to itself": """
        import os, signal
        seen = []
        signal.signal(signal.SIGUSR1, lambda *_: seen.append(1))
        os.kill(os.getpid(), signal.SIGUSR1)
        signal.raise_signal(signal.SIGUSR1)
        assert len(seen) == 2
    """,
    "`if __name__`": "import __main__; __main__.x = __name__; assert x == '__main__'",
}


@pytest.mark.parametrize("source", WORKS.values(), ids=WORKS)
def test_what_a_program_may_do_works(run: Run, source: str) -> None:
    outcome = run(source, b"given")
    assert (outcome.status, outcome.stderr) == (0, b"")


def test_exit_functions_run_and_threads_are_awaited(run: Run) -> None:
    outcome = run("""
        import atexit, threading, time
        atexit.register(print, "last")
        threading.Thread(target=lambda: (time.sleep(0.05), print("second"))).start()
        print("first")
    """)
    assert outcome.stdout == b"first\nsecond\nlast\n"


def test_random_numbers_differ_from_run_to_run(run: Run) -> None:
    source = "import random, numpy\nprint(random.random(), numpy.random.rand(), sep='\\n')"
    numbers = [number for _ in range(5) for number in run(source).stdout.split()]
    assert len(set(numbers)) == 10

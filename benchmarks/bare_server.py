"""The fork server without what it does: the same modules loaded, and a fork, exit and wait.

Run by `run_cost.py`; for every line on stdin it prints the seconds of one fork: `bare` of a child
that ends at once, `program` of one that becomes the program first, with nothing to confine it.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from pathlib import Path

from grader.sandbox import program, server


def main() -> None:
    assert server.Child  # the server's own modules are part of what is copied
    source = program.Source("program.py", Path(sys.argv[2]).read_bytes())
    source.code = source.compile()
    given = os.memfd_create("stdin")
    os.write(given, sys.argv[3].encode())
    program.preload(json.loads(sys.argv[1]))
    nothing = os.open(os.devnull, os.O_RDWR)
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        begun = time.perf_counter()
        child = os.fork()
        if child == 0:
            if line == "program\n":
                become(source, given, nothing)
            os._exit(0)
        os.waitpid(child, 0)
        sys.stdout.write(f"{time.perf_counter() - begun}\n")
        sys.stdout.flush()


def become(source: program.Source, given: int, nothing: int) -> None:
    """The program as `__main__`, on its stdin."""
    os.lseek(given, 0, os.SEEK_SET)
    for target, descriptor in enumerate((given, nothing, nothing)):
        os.dup2(descriptor, target)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 it ends with the process
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    program.run(source, nothing)


if __name__ == "__main__":
    main()

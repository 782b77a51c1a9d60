"""The fork server without what it does: the same modules loaded, and a bare fork, exit and wait.

Run by `run_cost.py`; for every line on stdin it prints the seconds of one bare fork.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time

from grader.sandbox import program, server


def main() -> None:
    assert server.Child  # the server's own modules are part of what is copied
    program.preload(json.loads(sys.argv[1]))
    gc.collect()
    gc.freeze()
    for _ in sys.stdin:
        begun = time.perf_counter()
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
        sys.stdout.write(f"{time.perf_counter() - begun}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

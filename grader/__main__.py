"""`python -m grader` and the console script: what is so broken that no command can tell it."""

import os
import sys

_NO_MEMORY = b"grader: the grader itself had too little memory: raise `ulimit -d` and `ulimit -v`\n"
_OUR_FAULT = b"grader: this is a fault of the grader; please report it\n"
_GRADER_AT_FAULT = 4  # ExitStatus.GRADER, which could not be imported any more


def main() -> None:
    """Run a command; where memory ends, even while the program is loaded, say so and end.

    What nobody has thought of is no verdict either: it ends with a status of its own.
    """
    try:
        from grader.cli.main import main

        main()
    except (MemoryError, SystemError):  # the latter where an import runs out of memory
        os.write(2, _NO_MEMORY)
        os._exit(_GRADER_AT_FAULT)
    except Exception:  # noqa: BLE001 - the last resort
        import traceback

        traceback.print_exc()
        os.write(2, _OUR_FAULT)
        sys.exit(_GRADER_AT_FAULT)


if __name__ == "__main__":
    main()

"""The program's side of a run: from bytes of Python to an exit status, like `python file.py`.

Standard library only: this module is loaded inside the sandbox's server.
"""

import _thread
import atexit
import builtins
import contextlib
import linecache
import marshal
import os
import sys
import traceback
import types
import weakref
from typing import Any, NoReturn

OUT_OF_MEMORY = b"M"
"""What a child writes to its status pipe when it ended for lack of memory."""

PRELOADED = frozenset(
    """
    abc argparse array ast asyncio atexit base64 binascii bisect bz2 calendar cmath codecs
    collections collections.abc concurrent.futures configparser contextlib contextvars copy csv
    ctypes dataclasses datetime decimal difflib dis enum errno fractions functools gc glob graphlib
    gzip hashlib heapq hmac html inspect io ipaddress itertools json keyword linecache locale
    logging lzma math mmap numbers operator os os.path pathlib pickle pprint queue random re sched
    secrets select selectors shlex signal socket sqlite3 statistics string struct sys tempfile
    textwrap threading time timeit token tokenize traceback types typing unicodedata unittest
    urllib.parse uuid warnings weakref zlib zoneinfo
    numpy numpy.fft numpy.linalg numpy.random
    torch torch.nn torch.nn.functional torch.optim
    """.split()
)
"""Reviewed, one by one: importing these acts on nothing outside the process. What is not here
loads in the child, also submodules (`unittest.__main__` would run tests in the server)."""


class Source:
    """A program as handed in, and its compiled code where compiling it once went well."""

    def __init__(self, name: str, source: bytes) -> None:
        self.name, self.source = name, source
        self.code: types.CodeType | None = None
        text = source.decode("utf-8", "replace")
        # So that a traceback shows the line: there is no file to read it from.
        # Split only when it is needed: a line costs 60 bytes, and a server has no memory limit.
        linecache.cache[name] = (lambda: text,)

    def compile(self) -> types.CodeType:
        return self.code or compile(decoded(self.source), self.name, "exec", dont_inherit=True)


def decoded(source: bytes) -> str:
    """The text of a source, by its coding cookie, as strict as `python file.py` reads a file.

    `compile` alone lets bytes that are not UTF-8 pass in comments.

    Raises:
        SyntaxError: it is not in the encoding that it claims, or that is unknown.
    """
    import io
    import tokenize

    encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    try:
        return source.decode(encoding)
    except UnicodeDecodeError as error:
        raise SyntaxError(f"the source is not {encoding}: byte {error.start}") from None


def compiled(source: bytes, name: str) -> bytes:
    """Marshalled (code, names of the modules that it imports); runs in a confined child.

    Raises:
        SyntaxError, ValueError, MemoryError, RecursionError: the source is no program.
    """
    import ast

    tree = ast.parse(decoded(source), name)
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                names.update((alias.name, alias.name.partition(".")[0]))
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.update((node.module, node.module.partition(".")[0]))
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Attribute) and node.attr == "optim":
            names.add("torch.optim")
    return marshal.dumps((compile(tree, name, "exec", dont_inherit=True), sorted(names)))


def preload(names: list[str]) -> None:
    """Import, once and before any fork, what a program will import and the list allows."""
    wanted = [name for name in names if name in PRELOADED]
    if "numpy" in wanted:
        wanted += ["numpy.random", "numpy.linalg", "numpy.fft"]  # numpy loads them when first used
    if "torch" in wanted and "torch.optim" in names:
        wanted += ["torch.optim", "torch._dynamo"]  # an optimiser imports it at its first step
    for name in wanted:
        with contextlib.suppress(Exception):  # not installed, or broken: the child will say so
            __import__(name)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
        sys.modules["torch"].default_generator.seed()  # the first call is slow
    for finalizer in weakref.finalize._registry:  # type: ignore[attr-defined]
        # What the libraries would tidy up at their end is not the program's: torch takes 50 ms.
        finalizer.atexit = False


def reseed() -> None:
    """Give this process random numbers of its own (`random` does so itself after a fork)."""
    if "numpy.random" in sys.modules:
        sys.modules["numpy.random"].seed()
    if "torch" in sys.modules:
        sys.modules["torch"].default_generator.seed()


def run(program: Source, note: int) -> NoReturn:
    """Run the program as `__main__`, then end this process as the interpreter would."""
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=program.name, __builtins__=builtins)
    sys.modules["__main__"] = main
    sys.argv = [program.name]
    status = _status_of(program, main.__dict__, note)
    status = _finish(status)
    os._exit(status & 0xFF)


def _status_of(program: Source, namespace: dict[str, Any], note: int) -> int:
    try:
        exec(program.compile(), namespace)  # noqa: S102 - this is what the process is for
    except SystemExit as exit_:
        return _exit_status(exit_.code)
    except BaseException as error:  # noqa: BLE001 - whatever it was, it is the program's end
        with contextlib.suppress(BaseException):  # there may be no memory left even to tell
            _tell(error, note)
        return 1
    return 0


def _exit_status(code: object) -> int:
    if code is None:
        return 0
    if isinstance(code, int):
        return code
    print(code, file=sys.stderr)
    return 1


def _tell(error: BaseException, note: int) -> None:
    if isinstance(error, MemoryError) or "can't allocate memory" in str(error):
        os.write(note, OUT_OF_MEMORY)
    # The first frame is this module's; a program that cannot be compiled has none of its own.
    trace = error.__traceback__.tb_next if error.__traceback__ else None
    if isinstance(error, SyntaxError) and trace is not None and trace.tb_next is None:
        trace = None
    if sys.excepthook is sys.__excepthook__:
        traceback.print_exception(type(error), error, trace)
    else:
        sys.excepthook(type(error), error, trace)


def _finish(status: int) -> int:
    """What the interpreter does at its end: threads, atexit, buffers; 120 if a flush fails."""
    # Not imported here: what it does after a fork would cost each run as much as the fork itself.
    threading: Any = sys.modules.get("threading")
    try:
        if threading is not None:
            threading._shutdown()
        atexit._run_exitfuncs()
    except BaseException:  # noqa: BLE001
        traceback.print_exc()
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None and not stream.closed:
                stream.flush()
        except BaseException:  # noqa: BLE001
            status = status or 120
    return status


_thread.stack_size(1 << 20)

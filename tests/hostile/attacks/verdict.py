"""Deceiving whoever reads the outcome, and sources that are a danger before they run."""

from tests.hostile.attacks.attack import attack, whole_program

_ANSWER = """
for frame in (sys._getframe(depth) for depth in range(1, 7)):
    for thing in list(frame.f_locals.values()):
        if hasattr(thing, "grader"):
            thing.grader.send(bytes(64))
raise OSError(errno.ENOENT, "no server in sight")
"""

_BIG = b"x = '" + b"a" * (10 << 20) + b"'\n"

# Python's parser has limits of its own, and reports them in several ways.
_TOO_DEEP = ("exited 1", "over_memory", "signalled 11")

_SOURCES: list[tuple[str, str | tuple[str, ...], bytes]] = [
    ("a source with NUL bytes", "exited 1", b"print('through')\0\n"),
    ("a source that is no text", "exited 1", b"\xff\xfe\x00\x00"),
    ("a source of nothing but a byte order mark", "exited 0", b"\xef\xbb\xbf"),
    ("an unknown codec", "exited 1", b"# coding: no-such-codec\nprint('through')\n"),
    ("a codec that is no text encoding", "exited 1", b"# coding: zlib\nprint('through')\n"),
    ("a codec that always fails", "exited 1", b"# coding: undefined\nprint('through')\n"),
    ("nested brackets", ("exited 1", "over_output"), b"(" * 100_000),
    ("a long chain of attributes", _TOO_DEEP, b"x" + b".a" * 500_000),
    ("a long chain of minus signs", _TOO_DEEP, b"-" * 500_000 + b"1"),
    ("a long sum", ("exited 0", *_TOO_DEEP), b"1" + b"+1" * 200_000),
    ("a constant that would be folded", "over_memory", b"x = 'a' * (1 << 40)\n"),
    ("a module that acts when imported", "exited 1", b"import unittest.__main__"),
    ("a source of 10 MB", "exited 0", _BIG),
]

ATTACKS = [
    attack("claim to be out of memory", "its own loss", "over_memory", 'os.write(3, b"M")'),
    attack("claim to be ready once more", "status pipe", "through", 'os.write(3, b"RR")'),
    attack("answer in the server's name", "closed descriptors", "stopped: EBADF", _ANSWER),
    attack(
        "come back into the server's loop",
        "closed descriptors",
        "exited 1",
        "os._exit = lambda status: None",
    ),
    attack("end without a word", "judging", "exited 0", "os._exit(0)"),
    *(
        whole_program(name, "confined compiling", outcome, source)
        for name, outcome, source in _SOURCES
    ),
]

"""Write `grader/sandbox/syscalls.py` from the kernel headers of this machine.

    python tests/sandbox/generate_syscalls.py > grader/sandbox/syscalls.py

Needs gcc and Debian's linux-libc-dev (x86_64). aarch64 uses the generic table, with the
switches of the kernel's arch/arm64/include/uapi/asm/unistd.h.
"""

import re
import subprocess
import textwrap

_GENERIC = "/usr/include/asm-generic/unistd.h"
_SWITCHES = {
    "x86_64": ["-include", "asm/unistd_64.h"],
    "aarch64": [
        "-D__BITS_PER_LONG=64",
        *(f"-D__ARCH_WANT_{name}" for name in ("RENAMEAT", "NEW_STAT", "SET_GET_RLIMIT")),
        *(f"-D__ARCH_WANT_{name}" for name in ("MEMFD_SECRET", "SYS_CLONE3")),
        "-include",
        _GENERIC,
    ],
}

_HEAD = '''\
"""System call numbers by name, generated from the kernel's headers: do not edit.

Made by tests/sandbox/generate_syscalls.py. Standard library only: this module is loaded inside
the sandbox's server.
"""

AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def _table(text: str) -> dict[str, int]:
    return {name: int(number) for name, number in (item.split("=") for item in text.split())}


SYSCALLS = {
'''


def table(machine: str) -> dict[str, int]:
    """Name → number, in the order of the numbers."""
    command = ["gcc", "-E", "-dM", *_SWITCHES[machine], "-x", "c", "/dev/null"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    macros = dict(re.findall(r"^#define (__NR\w+) (\w+)$", text, re.MULTILINE))
    numbers = {}
    for macro, value in macros.items():
        while value in macros:
            value = macros[value]
        name = macro.removeprefix("__NR_")
        if (
            name != macro
            and value.isdecimal()
            and name not in ("syscalls", "arch_specific_syscall")
        ):
            numbers[name] = int(value)
    return dict(sorted(numbers.items(), key=lambda item: item[1]))


def source() -> str:
    """The whole module as text."""
    parts = [_HEAD]
    for machine in _SWITCHES:
        items = " ".join(f"{name}={number}" for name, number in table(machine).items())
        lines = textwrap.fill(items, 96, initial_indent="    ", subsequent_indent="    ")
        parts.append(f'    "{machine}": _table("""\n{lines}\n    """),\n')
    return "".join(parts) + "}\n"


if __name__ == "__main__":
    print(source(), end="")

"""A line about the machine that figures were taken on."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from pathlib import Path


def describe() -> str:
    """Processor, cores, load, kernel, Python and packages."""
    model = platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    versions = [f"Python {platform.python_version()}"]
    for name in ("hypothesis", "numpy", "torch"):
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            versions.append(f"{name} not installed")
    load = os.getloadavg()[0]
    return (
        f"{model}, {os.cpu_count()} cores, load {load:.1f}, "
        f"{platform.system()} {platform.release()}, {', '.join(versions)}"
    )

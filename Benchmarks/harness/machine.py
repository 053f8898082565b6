"""Describes the machine of a measurement."""

import os
import platform
import re
import subprocess
from pathlib import Path

from .programs import ROOT


def describe(directory: Path) -> dict[str, str]:
    """Hardware, system and versions."""
    return {
        "cores": str(os.cpu_count()),
        "processor": first(r"model name\s*: (.*)", read("/proc/cpuinfo")),
        "memory": f"{int(first(r'MemTotal: *([0-9]+)', read('/proc/meminfo')) or 0) / 1024 / 1024:.0f} GiB",
        "system": first(r'PRETTY_NAME="(.*)"', read("/etc/os-release")),
        "kernel": platform.release(),
        "file system of the sessions": output("stat", "-f", "-c", "%T", str(directory)),
        "swift": first(r"Swift version (\S+)", output("swift", "--version")),
        "nginx": first(r"nginx/(\S+)", output("nginx", "-v")),
        "wrk": first(r"wrk (\S+)", output("wrk", "-v")),
        "libfcgi": output("dpkg-query", "-W", "-f", "${Version}", "libfcgi0ldbl"),
        "commit": output("git", "-C", str(ROOT), "describe", "--always", "--dirty"),
    }


def line(machine: dict[str, str]) -> str:
    """The description in one line."""
    return ", ".join(f"{name} {value or 'unknown'}" for name, value in machine.items())


def read(path: str) -> str:
    return Path(path).read_text(encoding="utf-8")


def first(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    return found.group(1) if found else ""


def output(*command: str) -> str:
    """The output of a command, of both streams; empty if it cannot be run."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace").strip()

"""The tools the measures need, from Debian's packages."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from .failure import Failure
from .programs import ROOT

TOOLS = ("wrk", "nginx", "lighttpd", "gcc", "strip", "setpriv", "psql")
HEADERS = ("/usr/include/fcgiapp.h",)


def require(tools: Sequence[str] = ()) -> None:
    """Installs the missing tools and headers, further tools included; does nothing if all are there."""
    if not missing(tools):
        return
    subprocess.run([ROOT / "deploy" / "packages", "build", "benchmark"], check=False, timeout=900)
    if still := missing(tools):
        raise Failure(f"missing: {', '.join(still)}")


def missing(tools: Sequence[str]) -> list[str]:
    """Tools and headers that are not there."""
    absent = [tool for tool in (*TOOLS, *tools) if shutil.which(tool) is None]
    return absent + [header for header in HEADERS if not Path(header).exists()]


def versions(names: Sequence[str]) -> dict[str, str]:
    """The installed versions of packages; empty for one that is not installed."""
    form = "${Package} ${db:Status-Status} ${Version}\\n"
    done = subprocess.run(
        ["dpkg-query", "-W", "-f", form, *names], capture_output=True, text=True, timeout=60, check=False
    )
    rows = (line.split(" ") for line in done.stdout.splitlines())
    found = {name: version for name, status, version in rows if status == "installed"}
    return {name: found.get(name, "") for name in names}

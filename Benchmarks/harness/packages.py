"""The tools the measures need, from Debian's packages."""

import shutil
import subprocess
from pathlib import Path

from .failure import Failure
from .programs import ROOT

TOOLS = ("wrk", "nginx", "lighttpd", "gcc", "strip", "setpriv", "psql")
HEADERS = ("/usr/include/fcgiapp.h",)


def require() -> None:
    """Installs what is missing; does nothing on a machine that has all."""
    if not missing():
        return
    subprocess.run([ROOT / "deploy" / "packages", "build", "benchmark"], check=False, timeout=900)
    if still := missing():
        raise Failure(f"missing: {', '.join(still)}")


def missing() -> list[str]:
    """Tools and headers that are not there."""
    absent = [tool for tool in TOOLS if shutil.which(tool) is None]
    return absent + [header for header in HEADERS if not Path(header).exists()]

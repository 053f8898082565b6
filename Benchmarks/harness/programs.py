"""The programs that are measured: built if need be, or taken from where the caller built them."""

import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from .failure import Failure

ROOT = Path(__file__).resolve().parents[2]
RELEASE = ["swift", "build", "-c", "release", "--static-swift-stdlib"]
BUILD_LIMIT = 3600


@dataclass(frozen=True)
class Programs:
    """Where the executables are."""

    directory: Path

    @property
    def product(self) -> Path:
        return self.directory / "linkedin-signin"

    @property
    def simulator(self) -> Path:
        return self.directory / "linkedin-simulator"

    @property
    def seeder(self) -> Path:
        return self.directory / "session-seeder"


def build() -> Programs:
    """Builds the release, which is quick when nothing changed."""
    for name in ("linkedin-signin", "linkedin-simulator", "session-seeder"):
        execute([*RELEASE, "--product", name], BUILD_LIMIT)
    shown = execute([*RELEASE, "--show-bin-path"], BUILD_LIMIT)
    return Programs(Path(shown.strip()))


def clean_build_seconds(scratch: Path) -> float:
    """Seconds of a release build from nothing, the dependencies' sources being there."""
    options = ["--scratch-path", str(scratch)]
    execute(["swift", "package", "resolve", *options], BUILD_LIMIT)
    begin = time.monotonic()
    execute([*RELEASE, *options, "--product", "linkedin-signin"], BUILD_LIMIT)
    seconds = time.monotonic() - begin
    shutil.rmtree(scratch, ignore_errors=True)
    return seconds


def build_floor(directory: Path) -> Path:
    """Compiles floor.c."""
    program = directory / "floor"
    source = ROOT / "Benchmarks" / "floor.c"
    execute(["gcc", "-O2", "-Wall", "-Wextra", "-o", str(program), str(source), "-lfcgi", "-lpthread"], 120)
    return program


def execute(command: list[str], limit: float) -> str:
    """Runs a command in the root of the package and returns what it wrote."""
    try:
        done = subprocess.run(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=limit, check=True
        )
    except subprocess.CalledProcessError as error:
        raise Failure(f"{' '.join(command)} failed:\n{(error.stdout + error.stderr)[-3000:]}") from error
    except (subprocess.TimeoutExpired, OSError) as error:
        raise Failure(str(error)) from error
    return done.stdout

"""The Debian package with the program under test."""

import fcntl
import os
import subprocess
from pathlib import Path

# The test build links Swift's libraries dynamically, and parts of it use Foundation.
LIBRARIES = ["Foundation", "CoreFoundation", "FoundationEssentials", "_FoundationCollections", "_FoundationCShims"]
LIBRARIES += ["_FoundationICU", "stdc++"]
REPOSITORY = Path(__file__).resolve().parents[3]


def static_program(binaries):
    """Links the object files of the program under test with Swift's static libraries, once for each build."""
    binaries = Path(binaries).resolve()
    product = binaries / "linkedin-signin.product"
    assert (product / "Objects.LinkFileList").exists(), f"{binaries} has no object files: build with swift build"
    place = binaries / "packaged"
    place.mkdir(exist_ok=True)
    program = place / "linkedin-signin"
    with open(place / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not program.exists() or program.stat().st_mtime < (binaries / "linkedin-signin").stat().st_mtime:
            (place / "linkedin-signin.product").unlink(missing_ok=True)
            (place / "linkedin-signin.product").symlink_to(product)
            command = ["swiftc", "-static-stdlib", "-emit-executable", "-o", f"{program}.new", f"@{product}/Objects.LinkFileList"]
            command += [f"-l{name}" for name in LIBRARIES]
            for option in ("--defsym=main=linkedin_signin_main", "--gc-sections", "-z", "now"):
                command += ["-Xlinker", option]
            run(command, cwd=REPOSITORY)
            run(["strip", f"{program}.new"])
            os.rename(f"{program}.new", program)
    return program


def package(binaries, output, **environment):
    """Builds the package, without compression because that takes a minute, and returns its file."""
    command = [REPOSITORY / "deploy/package", "--program", static_program(binaries), "--output", output]
    run(command, env={**os.environ, "DPKG_DEB_COMPRESSOR_LEVEL": "0", **environment})
    [file] = Path(output).glob("*.deb")
    return file


def run(command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout

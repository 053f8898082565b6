"""The Debian packages with the programs under test."""

import fcntl
import os
import subprocess
from pathlib import Path

# The test build links Swift's libraries dynamically, and parts of it use Foundation.
LIBRARIES = ["Foundation", "CoreFoundation", "FoundationEssentials", "_FoundationCollections", "_FoundationCShims"]
LIBRARIES += ["_FoundationICU", "stdc++"]
# FlyingFox uses more of Foundation.
SIMULATOR_LIBRARIES = ["FoundationNetworking", "_CFURLSessionInterface", "curl", "swiftSynchronization"]
REPOSITORY = Path(__file__).resolve().parents[3]


def static_program(binaries, name="linkedin-signin"):
    """Links the object files of the program under test with Swift's static libraries, once for each build."""
    binaries = Path(binaries).resolve()
    product = binaries / f"{name}.product"
    assert (product / "Objects.LinkFileList").exists(), f"{binaries} has no object files: build with swift build"
    place = binaries / "packaged"
    place.mkdir(exist_ok=True)
    program = place / name
    with open(place / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not program.exists() or program.stat().st_mtime < (binaries / name).stat().st_mtime:
            (place / product.name).unlink(missing_ok=True)
            (place / product.name).symlink_to(product)
            command = ["swiftc", "-static-stdlib", "-emit-executable", "-o", f"{program}.new", f"@{product}/Objects.LinkFileList"]
            libraries = LIBRARIES if name == "linkedin-signin" else SIMULATOR_LIBRARIES + LIBRARIES
            command += [f"-l{library}" for library in libraries]
            for option in (f"--defsym=main={name.replace('-', '_')}_main", "--gc-sections", "-z", "now"):
                command += ["-Xlinker", option]
            run(command, cwd=REPOSITORY)
            run(["strip", f"{program}.new"])
            os.rename(f"{program}.new", program)
    return program


def package(binaries, output, name="linkedin-signin", **environment):
    """Builds a package, without compression because that takes a minute, and returns its file."""
    command = [REPOSITORY / "deploy/package", "--program", static_program(binaries, name), "--output", output]
    run(command, env={**os.environ, "DPKG_DEB_COMPRESSOR_LEVEL": "0", **environment})
    [file] = Path(output).glob(f"{name}_*.deb")
    return file


def run(command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout

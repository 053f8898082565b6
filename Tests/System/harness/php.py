"""The process manager of PHP, as operators run it behind nginx and lighttpd."""

import os
from pathlib import Path


def php_fpm(address, directory, **variables):
    """The command that serves PHP at a Unix socket, with two processes and with variables for the scripts."""
    (program,) = Path("/usr/sbin").glob("php-fpm[0-9]*")
    lines = [
        "[global]", "daemonize = no", "error_log = /dev/stderr",
        "[www]", f"listen = {address}", "listen.mode = 0666", "pm = static", "pm.max_children = 2",
    ]
    lines += [f'env[{name}] = "{value}"' for name, value in variables.items()]
    as_root = ["--allow-to-run-as-root"] if os.geteuid() == 0 else []
    if as_root:
        lines += ["user = root", "group = root"]
    configuration = directory / f"{Path(address).name}-fpm.conf"
    configuration.write_text("\n".join(lines) + "\n")
    return [program, "--nodaemonize", *as_root, "--fpm-config", configuration]

"""pgbouncer, which gives each transaction another connection to the server."""

import subprocess
from contextlib import contextmanager

from .postgresql import AS_POSTGRES
from .process import Process


@contextmanager
def pooler(directory, database):
    """Runs pgbouncer in front of a server, and gives the value of SIGNIN_STORE."""
    place = directory / "pooler"
    subprocess.run(["install", "-d", "-o", "postgres", "-g", "postgres", place], check=True)
    (place / "users").write_text('"signin" ""\n')
    (place / "pgbouncer.ini").write_text(
        f"""[databases]
signin = host={database.directory} dbname=signin
[pgbouncer]
listen_addr =
unix_socket_dir = {place}
auth_type = trust
auth_file = {place}/users
pool_mode = transaction
default_pool_size = 2
"""
    )
    with Process("pgbouncer", [*AS_POSTGRES, "pgbouncer", place / "pgbouncer.ini"], directory) as bouncer:
        bouncer.wait_for_listener(place / ".s.PGSQL.6432")
        yield f"postgresql://signin@{str(place).replace('/', '%2F')}:6432/signin"

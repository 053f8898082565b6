"""What the check of a session costs, counted instead of timed."""

import subprocess
import time
from pathlib import Path

import pytest

from harness.process import wait_until
from harness.site import Site

pytestmark = pytest.mark.extended

SOURCE = Path(__file__).with_name("harness") / "allocations.c"
ROUNDS, CHECKS = 50, 10
# Allocations of one check, libfcgi's among them, by the program as tests build it. With optimization there are 32.
LIMIT = 76


def test_a_check_allocates_no_more_than_before(tmp_path):
    library, counted = tmp_path / "allocations.so", tmp_path / "counted"
    command = ["cc", "-Wall", "-Werror", "-O1", "-shared", "-fPIC", "-o", library, SOURCE]
    subprocess.run(command, check=True)
    counted.write_bytes(bytes(8))
    counting = ["env", f"LD_PRELOAD={library}", f"COUNTED_ALLOCATIONS={counted}"]
    with Site(tmp_path / "site", wrapper=counting, settings={"SIGNIN_LOG_LEVEL": "info"}) as site:
        cookie = site.member().jar["localhost"]["__Host-session"]
        guard = {"SIGNIN_ACTION": "authorize", "SIGNIN_REQUIRE": "member"}

        def check():
            answer = site.responder.ask("/auth", headers={"Cookie": f"__Host-session={cookie}"}, extra=guard)
            assert answer.status == 200

        # A record that changed within the last second is not remembered.
        [record] = [path for path in (site.responder.state / "sessions").glob("*/*") if path.is_file()]
        wait_until(lambda: time.time() - record.stat().st_ctime > 1.1, "a record that is remembered")
        for _ in range(20):
            check()
        rounds = []
        for _ in range(ROUNDS):
            before = int.from_bytes(counted.read_bytes(), "little")
            for _ in range(CHECKS):
                check()
            rounds.append((int.from_bytes(counted.read_bytes(), "little") - before) / CHECKS)
    # Other threads of the program allocate too, the more often the slower the machine is: most rounds are so short that
    # none of them does.
    each = min(rounds)
    assert LIMIT / 2 < each <= LIMIT, f"{each} allocations for each check"

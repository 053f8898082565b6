"""List files that the program may not read."""

import os

from harness.guarded import CANARY
from harness.process import wait_until

# Root without the right to read the files of other users.
WRAPPER = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
OTHER = 65534


def give_away(path):
    """Makes the program's user one of the others, if this is root."""
    if os.geteuid() == 0:
        os.chown(path, OTHER, OTHER)


def test_a_list_that_the_program_may_not_read_admits_nobody_until_it_may(make_guarded):
    with make_guarded("nginx", wrapper=WRAPPER) as site:
        site.responder.expected_errors.append("list-unreadable")
        browser = site.member(1)
        give_away(site.denied)
        # The permissions are the only change: the time of modification stays.
        for mode, expected in ((0o644, True), (0o640, False), (0o644, True), (0, False), (0o644, True)):
            site.denied.chmod(mode)
            wait_until(lambda: (CANARY in browser.get(site.url_of("listed")).body) == expected, f"mode {mode:o}: {expected}", 5)

"""Failures that a site counts instead of writing a line for each."""

from .site import Site

LINES_OF_A_CLIENT = 30  # in a minute; what is above is counted
EXCESS = 50


class Counting(Site):
    """A site that begins to count repetitions when it starts: more failures of one client than have lines, one of another."""

    def __init__(self, directory):
        super().__init__(directory, settings={"SIGNIN_LOG_REPEATS": None})

    def __enter__(self):
        super().__enter__()
        fail_sign_in(self, "192.0.2.1", LINES_OF_A_CLIENT + EXCESS)
        fail_sign_in(self, "192.0.2.2")
        log = self.responder.settled_log()
        assert log.count("event=sign-in-failed") == LINES_OF_A_CLIENT + 2 and "repeated=" not in log
        return self


def fail_sign_in(site, remote, times=1):
    for _ in range(times):
        site.responder.ask("/oauth?code=a&state=b", extra={"REMOTE_ADDR": remote})

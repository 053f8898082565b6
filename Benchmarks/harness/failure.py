"""The one error that is expected."""


class Failure(Exception):
    """The measurement cannot go on; the text tells its reader why."""

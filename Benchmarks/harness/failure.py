"""The error of a measurement."""


class Failure(Exception):
    """The measurement cannot continue, for the reason in the text."""

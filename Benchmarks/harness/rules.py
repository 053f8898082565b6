"""The rules whose costs are compared."""

from enum import Enum
from pathlib import Path

from .sides import Shape

# Whom the simulator signs in.
MEMBER = "maya.lindqvist@example.com"
ENTRIES = 10_000


class Rule(Enum):
    """What a location asks of a visitor; the values are the ends of their locations."""

    MEMBER = "member"
    DOMAIN = "domain"
    LIST = "list"

    @property
    def title(self) -> str:
        return {
            Rule.MEMBER: "`member`",
            Rule.DOMAIN: "`email-domain=` with one domain",
            Rule.LIST: f"`allow=` with {ENTRIES:,} addresses",
        }[self]

    @property
    def shape(self) -> Shape:
        """The shape in which nothing is done that need not be: a rule is the largest part of it that it can be."""
        return Shape.ANSWER_KEPT

    @property
    def path(self) -> str:
        return f"/rule/{self.value}"

    def text(self, directory: Path) -> str:
        """The rule, as the web server's configuration has it."""
        return {
            Rule.MEMBER: "member",
            Rule.DOMAIN: f"email-domain={MEMBER.partition('@')[2]}",
            Rule.LIST: f"allow={members(directory)}",
        }[self]


def members(directory: Path) -> Path:
    return directory / "members"


def write_list(directory: Path) -> None:
    """Writes the list: many addresses, of which the last is the one that all sessions have."""
    others = (f"email=member-{number}@example.org\n" for number in range(1, ENTRIES))
    file = members(directory)
    file.write_text("".join(others) + f"email={MEMBER}\n", encoding="ascii")
    # The program reads no list that everybody may write.
    file.chmod(0o600)

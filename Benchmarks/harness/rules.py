"""The rules whose cost is compared."""

from enum import Enum
from pathlib import Path

from .sides import Shape

# The member whom the simulator signs in.
MEMBER = "maya.lindqvist@example.com"
ENTRIES = 10_000
# The group of members whose sessions have one.
GROUP = "staff"


class Rule(Enum):
    """A rule of a location; the value is the end of the location's path."""

    MEMBER = "member"
    DOMAIN = "domain"
    LIST = "list"
    GROUP = "group"

    @property
    def title(self) -> str:
        return {
            Rule.MEMBER: "`member`",
            Rule.DOMAIN: "`email-domain=` with one domain",
            Rule.LIST: f"`allow=` with {ENTRIES:,} addresses",
            Rule.GROUP: "`group=` with one group",
        }[self]

    @property
    def shape(self) -> Shape:
        """The shape with the least other work, in which the rule has the largest share."""
        return Shape.ANSWER_KEPT

    @property
    def path(self) -> str:
        return f"/rule/{self.value}"

    def text(self, directory: Path) -> str:
        """The rule in the web server's configuration."""
        return {
            Rule.MEMBER: "member",
            Rule.DOMAIN: f"email-domain={MEMBER.partition('@')[2]}",
            Rule.LIST: f"allow={members(directory)}",
            Rule.GROUP: f"group={GROUP}",
        }[self]


def members(directory: Path) -> Path:
    return directory / "members"


def write_list(directory: Path) -> None:
    """Writes the list: many addresses, of which the last is that of all sessions."""
    others = (f"email=member-{number}@example.org\n" for number in range(1, ENTRIES))
    file = members(directory)
    file.write_text("".join(others) + f"email={MEMBER}\n", encoding="ascii")
    # The program rejects a list that other users can write.
    file.chmod(0o600)

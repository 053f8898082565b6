"""Edits a printed configuration as an operator would: locations with rules, and applications in them.

An edit that does not find what it changes, or not as often as it should, fails.
"""

import re
from dataclasses import dataclass

FILES, FASTCGI, HTTP, CGI = "1. Files", "2. An application on FastCGI", "3. An application on HTTP", "CGI"
OPENINGS = {"nginx": "location ^~ {} {{\n", "lighttpd": '$HTTP["url"] =^ "{}" {{\n'}
SETTING = 'setenv.add-environment = ( "SIGNIN_REQUIRE" => "{}" )'
EXAMPLES = {FASTCGI: "/run/application/socket", HTTP: "127.0.0.1:3000"}


@dataclass(frozen=True)
class Place:
    """A directory of the document root or an application, with its rule."""

    name: str
    rule: str | None = "member"  # None: the configuration has no rule
    behind: str = FILES
    is_mistaken: bool = False  # print-config would reject the rule
    action: str = "authorize"  # nginx: the value of SIGNIN_ACTION
    admitted: tuple[int, ...] = ()  # the simulator's members whom the rule admits, for a test of the rule

    @property
    def location(self):
        return f"/{self.name}/"

    @property
    def printed_rule(self):
        return "member" if self.is_mistaken else self.rule


def options(places):
    """The options for print-config."""
    return [word for place in places for word in ("--location", place.location, "--require", place.printed_rule)]


def replaced(text, old, new, times=1):
    assert text.count(old) == times, f"{text.count(old)} and not {times} times: {old}"
    return text.replace(old, new)


def block(text, opening):
    """The lines from the opening line to its closing brace."""
    found = re.findall(rf"^( *)({re.escape(opening)}(?:.*\n)*?)\1\}}\n", text, re.MULTILINE)
    assert len(found) == 1, f"{len(found)} blocks and not one: {opening}"
    ((indentation, lines),) = found
    return f"{indentation}{lines}{indentation}}}\n"


def with_places(text, kind, places, addresses):
    """The printed configuration with the applications and mistakes of the locations.

    `addresses` are the addresses of applications by their protocol. Only the block of the first location has comments
    about applications; they are copied for an application in another location.
    """
    first = places[0]
    applications = [place for place in places if place.behind != FILES]
    for place in applications:
        if place != first:
            text = with_copy(text, kind, first.location, place.location)
            if kind == "lighttpd":
                text = with_rule(text, kind, place.location, first.rule, place.rule)
    for place in applications:
        text = with_size(text, kind, place.location, 8)
        if place.behind == CGI:
            expiry = "    expire.url ="
            text = within(text, kind, place.location, expiry, '    cgi.assign = ( ".py" => "/usr/bin/python3" )\n' + expiry)
        else:
            text = with_application(text, kind, place.location, place.behind, addresses[place.behind])
    if any(place.behind == CGI for place in places):
        # After mod_fastcgi, as the comment there says.
        text = replaced(text, '    "mod_fastcgi",\n)\n', '    "mod_fastcgi",\n    "mod_cgi",\n)\n')
    if kind == "nginx":
        return with_mistakes(text, places)
    for place in places:
        if place.is_mistaken:
            text = with_rule(text, kind, place.location, place.printed_rule, place.rule)
    return text


def within(text, kind, location, old, new):
    """Replaces text in the block of one location."""
    printed = block(text, OPENINGS[kind].format(location))
    return replaced(text, printed, replaced(printed, old, new))


def with_rule(text, kind, location, old, new):
    if kind == "nginx":
        asking = asking_block(text, location)
        line = re.search(rf' *set \$\w+_rule "{re.escape(old)}";\n', asking).group()
        return replaced(text, asking, replaced(asking, line, "" if new is None else line.replace(old, new)))
    setting = "" if new is None else SETTING.format(new)
    return within(text, kind, location, SETTING.format(old), setting)


def asking_block(text, location):
    """nginx's internal location that asks the program about a guarded location."""
    found = set(re.findall(rf"(?:auth_request|location =) (/.linkedin-signin/\w+{re.escape(location)})[; ]", text))
    assert len(found) == 1, f"{location} is guarded {len(found)} times"
    return block(text, f"location = {found.pop()} {{\n")


def with_copy(text, kind, of, location):
    """Replaces the block of one location with a copy of another."""
    lines, other = (block(text, OPENINGS[kind].format(each)) for each in (of, location))
    # lighttpd's example of an application also names the location, and so does nginx's guard.
    return replaced(text, other, replaced(lines, of, location, times=2))


def with_application(text, kind, location, way, address):
    """The block with the commented lines for one kind of application enabled."""
    lines = block(text, OPENINGS[kind].format(location))
    taught = rf" *# {re.escape(way)}\..*\n(?: *#.*\n)+" if kind == "nginx" else r' *#"/.*\n'
    found = re.findall(rf"^{taught}", lines, re.MULTILINE)
    assert len(found) == 1, f"{way} is taught {len(found)} times"
    settings = re.sub(r"^( *)#(?! )", r"\1", found[0], flags=re.MULTILINE)
    return within(text, kind, location, found[0], replaced(settings, EXAMPLES[way], str(address)))


def with_size(text, kind, location, mebibytes):
    """Raises the example's limit for requests to an application."""
    if kind == "nginx":
        return within(text, kind, location, "client_max_body_size 1m;", f"client_max_body_size {mebibytes}m;")
    old = "server.max-request-size = 1024"
    return within(text, kind, location, old, f"server.max-request-size = {mebibytes * 1024}")


def with_action(text, location, action):
    """Gives a location of nginx its own auth_request."""
    asking = asking_block(text, location)
    return replaced(text, asking, replaced(asking, '"authorize";', f'"{action}";'))


def with_mistakes(text, places):
    """The file of nginx's `server` block with the rules and actions that print-config would not print."""
    for place in places:
        if place.is_mistaken:
            text = with_rule(text, "nginx", place.location, place.printed_rule, place.rule)
        if place.action != "authorize":
            text = with_action(text, place.location, place.action)
    return text


def with_patience(text, kind, seconds):
    """Changes the timeout for responses of linkedin-signin."""
    pattern = r"\bfastcgi_read_timeout \d+s;" if kind == "nginx" else r'"read-timeout" => \d+,'
    found = set(re.findall(pattern, text))
    assert len(found) == 1, f"timeouts: {found}"
    return text.replace(*found, re.sub(r"\d+", str(seconds), *found))

"""WebKitGTK's MiniBrowser on a virtual screen, because this engine has no headless mode."""

import re
from contextlib import ExitStack

from selenium import webdriver
from selenium.webdriver.webkitgtk.options import Options

from .engine import Engine
from .process import Process, free_port, wait_until

SIZE = "1280x900x24"


class WebKit(Engine):
    def __init__(self, directory):
        with ExitStack() as stack:
            screen = stack.enter_context(Process("screen", ["Xvfb", "-displayfd", "1", "-screen", "0", SIZE], directory))
            environment = {"DISPLAY": _display(screen), "GDK_BACKEND": "x11", "HOME": str(directory), "LANGUAGE": "en"}
            # Without services and configuration of a desktop.
            environment |= {f"XDG_{kind}_HOME": f"{directory}/{kind}" for kind in ("CACHE", "CONFIG", "DATA")}
            environment |= {"DBUS_SESSION_BUS_ADDRESS": "disabled:", "NO_AT_BRIDGE": "1"}
            port = free_port()
            driver = stack.enter_context(Process("webkit", ["WebKitWebDriver", f"--port={port}"], directory, environment))
            driver.wait_for_listener(("127.0.0.1", port))
            super().__init__(webdriver.Remote(f"http://127.0.0.1:{port}", options=_options()))
            self._servers = stack.pop_all()

    def __exit__(self, *details):
        with self._servers:
            super().__exit__(*details)


def _display(screen):
    """The name of the screen; the server writes its number when it is ready."""
    number = re.compile(r"^(\d+)$", re.MULTILINE)

    def ready():
        assert screen.is_running, screen.log
        return number.search(screen.log)

    wait_until(ready, "the screen")
    return f":{ready()[1]}"


def _options():
    options = _Options()
    options.accept_insecure_certs = True
    return options


class _Options(Options):
    """Removes a capability that selenium adds and the standard does not define."""

    @property
    def default_capabilities(self):
        return {"browserName": "MiniBrowser"}

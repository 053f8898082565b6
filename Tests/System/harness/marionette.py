"""The protocol of Firefox's remote control, so that selenium needs no geckodriver.

A message is JSON with its length in bytes before it: `[0, id, command, parameters]` to Firefox, which answers
`[1, id, error, result]`. The commands are those of WebDriver under names of their own
(https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html).
"""

import json
import socket

from selenium.webdriver.remote.command import Command

COMMANDS = {
    Command.NEW_SESSION: "WebDriver:NewSession",
    Command.QUIT: "Marionette:Quit",
    Command.SET_TIMEOUTS: "WebDriver:SetTimeouts",
    Command.GET: "WebDriver:Navigate",
    Command.GO_BACK: "WebDriver:Back",
    Command.REFRESH: "WebDriver:Refresh",
    Command.GET_CURRENT_URL: "WebDriver:GetCurrentURL",
    Command.GET_PAGE_SOURCE: "WebDriver:GetPageSource",
    Command.GET_TITLE: "WebDriver:GetTitle",
    Command.FIND_ELEMENT: "WebDriver:FindElement",
    Command.FIND_ELEMENTS: "WebDriver:FindElements",
    Command.CLICK_ELEMENT: "WebDriver:ElementClick",
    Command.GET_ELEMENT_TEXT: "WebDriver:GetElementText",
    Command.GET_ELEMENT_TAG_NAME: "WebDriver:GetElementTagName",
    Command.IS_ELEMENT_ENABLED: "WebDriver:IsElementEnabled",
    Command.W3C_EXECUTE_SCRIPT: "WebDriver:ExecuteScript",
    Command.GET_ALL_COOKIES: "WebDriver:GetCookies",
    Command.DELETE_ALL_COOKIES: "WebDriver:DeleteAllCookies",
    Command.SCREENSHOT: "WebDriver:TakeScreenshot",
}


class Marionette:
    """A connection to one Firefox that replaces selenium's connection to a driver."""

    def __init__(self, port, seconds=60):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=seconds)
        self._stream = self._socket.makefile("rwb")
        self._count = 0
        greeting = self._receive()
        assert greeting["marionetteProtocol"] == 3, greeting

    def execute(self, command, parameters):
        """Runs one of selenium's commands and returns the driver's response."""
        parameters = {name: value for name, value in parameters.items() if name != "sessionId"}
        if command == Command.NEW_SESSION:
            parameters = parameters["capabilities"]["alwaysMatch"] or parameters["capabilities"]["firstMatch"][0]
        elif command == Command.QUIT:
            parameters = {"flags": ["eForceQuit"]}
        self._count += 1
        self._send([0, self._count, COMMANDS[command], parameters])
        kind, number, error, result = self._receive()
        assert (kind, number) == (1, self._count), "the answer to another command"
        if error:
            return {"status": 500, "value": json.dumps({"value": error})}
        # Only commands that yield a single value wrap it.
        return {"value": result["value"] if isinstance(result, dict) and list(result) == ["value"] else result}

    def close(self):
        self._stream.close()
        self._socket.close()

    def _send(self, message):
        content = json.dumps(message).encode()
        self._stream.write(b"%d:%s" % (len(content), content))
        self._stream.flush()

    def _receive(self):
        length = b""
        while (octet := self._stream.read(1)) != b":":
            assert octet.isdigit() and len(length) < 10, f"not a length: {length + octet}"
            length += octet
        return json.loads(self._stream.read(int(length)))

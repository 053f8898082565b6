"""An application behind nginx with the printed configuration, in guarded locations and an open one."""

from contextlib import ExitStack

from .form_application import FormApplication
from .guarding import FASTCGI, HTTP, replaced, with_application, with_copy, with_size, within
from .site import Site

PUBLIC = "        location /public/ {{ proxy_pass http://127.0.0.1:{port}; }}\n\n"
FORWARDED = """
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            # Enough for the application's header.
            proxy_buffer_size 32k;
            proxy_buffers 8 32k;"""


class FormSite(Site):
    """A site whose application is at /proxied/ and /served/ for members and at /public/ for everyone."""

    def __init__(self, directory, settings=None, rule="member", certificate=None):
        guard = ["--location", "/proxied/", "--location", "/served/", "--require", rule]
        super().__init__(directory, settings=settings, certificate=certificate, guard=guard, edit=self.with_application)

    def with_application(self, text):
        """The printed configuration with the application added as its comments say."""
        text = with_copy(text, "nginx", "/proxied/", "/served/")
        for location, way, address in (
            ("/proxied/", HTTP, f"127.0.0.1:{self.application.port}"),
            ("/served/", FASTCGI, self.application.socket),
        ):
            text = with_application(text, "nginx", location, way, address)
            text = with_size(text, "nginx", location, 4)
        proxy = 'proxy_set_header Proxy "";'
        text = within(text, "nginx", "/proxied/", f" {proxy}", f" {proxy}{FORWARDED}")
        end_of_site = "        ignore_invalid_headers on;\n\n"
        return replaced(text, end_of_site, end_of_site + PUBLIC.format(port=self.application.port))

    def __enter__(self):
        with ExitStack() as stack:
            # First, because the web server's configuration contains its address.
            self.application = stack.enter_context(FormApplication(self.directory))
            super().__enter__()
            self._applications = stack.pop_all()
        return self

    def __exit__(self, *details):
        with self._applications:
            return super().__exit__(*details)

    def kept(self):
        return list((self.responder.state / "kept").iterdir())

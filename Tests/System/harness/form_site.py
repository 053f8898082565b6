"""An application behind nginx as print-config sets it up, in guarded locations and in one for everybody."""

from contextlib import ExitStack

from .form_application import FormApplication
from .site import Site

OPEN = "        location /public/ {{ proxy_pass http://127.0.0.1:{port}; }}\n\n        location ^~ /proxied/ {{\n"
PROXIED = """
            client_max_body_size 4m;
            proxy_set_header Host $host;
            proxy_set_header X-Auth-Subject $auth_subject;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            # As much as the application's header takes.
            proxy_buffer_size 32k;
            proxy_buffers 8 32k;
            proxy_pass http://127.0.0.1:{port};
"""
SERVED = """
            client_max_body_size 4m;
            include /etc/nginx/fastcgi_params;
            fastcgi_param REMOTE_USER $auth_subject;
            fastcgi_param HTTP_X_AUTH_SUBJECT "";
            fastcgi_pass unix:{socket};
"""


class FormSite(Site):
    """A site whose application lies at /proxied/ and /served/, for members, and at /public/, for everybody."""

    def __init__(self, directory, settings=None, rule="member", certificate=None):
        guard = ["--location", "/proxied/", "--location", "/served/", "--require", rule]
        super().__init__(directory, settings=settings, certificate=certificate, guard=guard, edit=self.with_application)

    def with_application(self, text):
        """Puts the application where an operator would, in place of what the first location proposes."""
        begin = text.index("            # What your application takes.")
        text = text[:begin] + PROXIED.format(port=self.application.port) + text[text.index("        }\n", begin) :]
        found = "        location ^~ /proxied/ {\n"
        assert text.count(found) == 1
        text = text.replace(found, OPEN.format(port=self.application.port))
        end = text.index("        }\n", text.index("        location ^~ /served/ {"))
        return text[:end] + SERVED.format(socket=self.application.socket) + text[end:]

    def __enter__(self):
        with ExitStack() as stack:
            # First, because the server's configuration says where it is.
            self.application = stack.enter_context(FormApplication(self.directory))
            super().__enter__()
            self._applications = stack.pop_all()
        return self

    def __exit__(self, *details):
        with self._applications:
            return super().__exit__(*details)

    def kept(self):
        return list((self.responder.state / "kept").iterdir())

"""A guarded site over TLS, with pages for browsers."""

from .guarded import Guarded
from .guarding import FASTCGI, Place

FORM = """<!DOCTYPE html><meta charset="utf-8"><title>Form</title>
<form method="post" action="/app/note?a=1"><input name="text" value="Grüße"><button>Send</button></form>"""


class Visited(Guarded):
    """A site with an application and a page for members, and a page that none of the simulator's members may open.

    The application has the shortest location, because the printed configuration explains applications there.
    """

    def __init__(self, directory, front, certificate):
        super().__init__(directory, front, {"SIGNIN_CA_FILE": f"{certificate}.pem"}, certificate=certificate)

    def make_places(self, chained):
        return [Place("app", "member", FASTCGI), Place("private"), Place("denied", "email=nobody@example.com")]

    def make_server(self):
        server = super().make_server()
        (server.directory / "site/form.html").write_text(FORM)
        for place in ("private", "denied"):
            page = f"<!DOCTYPE html><title>{place}</title><h1>The {place} page</h1>"
            (server.directory / f"site/{place}/index.html").write_text(page)
        return server

"""Every test with a site fails if a token leaks: each kind of leak is noticed."""

import pytest

from harness.answer import Answer
from harness.canaries import answered


def leak_into_log(site, token):
    # Beside the log of the running process, which would write over it.
    log = site.responder.process.log_path.with_name("linkedin-signin-1.log")
    log.write_text(f"level=debug event=signed-in detail={token[:60]}\n")


def leak_into_server_log(site, token):
    with open(site.server.access_log, "a") as log:
        log.write(f'"GET /profile?access_token={token} HTTP/1.1" 200\n')


def leak_into_store(site, token):
    (site.responder.state / "sessions/note").write_text(f"AQAQAQ{token}")


def leak_into_name(site, token):
    (site.responder.state / f"kept/{token[:80]}").touch()


def leak_into_page(site, token):
    Answer(200, [("Content-Type", "text/html")], f"<p>{token}".encode(), f"{site.url}/profile")


def leak_into_header(site, token):
    Answer(303, [("Location", f"/a?token={token}")], b"", f"{site.url}/profile")


LEAKS = [leak_into_log, leak_into_server_log, leak_into_store, leak_into_name, leak_into_page, leak_into_header]


@pytest.mark.parametrize("kind", ["access", "refresh"])
@pytest.mark.parametrize("leak", LEAKS)
def test_a_leaked_token_fails_the_test_of_its_site(make_site, leak, kind):
    with pytest.raises(AssertionError, match="a token"), make_site() as site:
        site.simulator.settings(refresh_tokens=True)
        assert site.sign_in(site.browser()).status == 303
        (token,) = [entry["token"] for entry in site.simulator.issued() if entry["kind"] == kind]
        leak(site, token)
    answered.clear()


def test_a_token_in_the_environment_of_the_program_fails_the_test(make_site):
    with pytest.raises(AssertionError, match="environ contains a token"), make_site() as site:
        assert site.sign_in(site.browser()).status == 303
        token = site.simulator.issued()[0]["token"]
        site.responder.stop()
        site.responder.wrapper = ["env", f"A_TOKEN={token}"]
        site.responder.start()


def test_a_site_without_a_leak_passes(each_site):
    browser = each_site.browser()
    assert each_site.sign_in(browser).status == 303
    assert browser.get(f"{each_site.url}/profile").status == 200
    assert each_site.simulator.issued()

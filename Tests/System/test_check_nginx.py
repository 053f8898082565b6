"""What `check --nginx` finds about the include files of print-config and the lines of an operator around them."""

import re
import subprocess

import pytest

from harness.process import BINARIES
from test_check_lost_guards import MEMBERS, PRIVATE, RULE, Nginx, edit
from test_check_servers import check

SIGN_IN = " is in force in location = /login of linkedin-signin, so "
LOST = "and nobody can sign in. Remove this line"
PASSWORD = "only visitors with a password of auth_basic can sign in. If others should sign in too, write in the server block ("
# Lines around the locations of linkedin-signin, and what is said about the first line; None if nothing is.
AROUND = {
    "fastcgi_hide_header Set-Cookie;": f"{SIGN_IN}no browser gets a cookie of linkedin-signin, {LOST}",
    "fastcgi_pass_request_headers off;": f"{SIGN_IN}linkedin-signin gets no cookie, {LOST}",
    "deny all;": f"{SIGN_IN}nginx rejects all visitors, {LOST}",
    "auth_basic Staff; auth_basic_user_file /dev/null;": f"{SIGN_IN}{PASSWORD}",
    "fastcgi_hide_header X-Powered-By; fastcgi_pass_request_headers on; auth_basic off;": None,
    "ssl_verify_client on; ssl_client_certificate /dev/null;": None,
    "allow 192.0.2.0/24; deny all;": None,
    "deny 192.0.2.1;": None,
}


def test_a_return_outside_all_locations_is_an_error_because_nobody_can_sign_in(directory):
    nginx = Nginx(directory)
    nginx.edit(r"^( *)server \{", r"\g<0>\nreturn 503;")
    problems, _ = nginx.found()
    assert any(f"return 503{SIGN_IN}nginx responds with this line to every request, {LOST}" in each for each in problems), problems


GUARDED = "/private/, /members, /members/"
CALLBACK, METHOD = "the callback of a sign-in", "POST requests, such as those of the sign-out"
CANCELLED = f"{CALLBACK} that the visitor cancels"
LINKEDIN = "visitors who come back from LinkedIn"
# Conditions outside all locations, and whom they reject; None if they reject nobody who signs in or out.
CONDITIONS = {
    'if ($args ~ "code=") { return 403; }': CALLBACK,
    "if ($query_string ~* STATE=) { return 444; }": CALLBACK,
    "if ($request_method !~ ^(GET|HEAD)$) { return 405; }": METHOD,
    "if ($request_method = POST) { return 405; }": METHOD,
    "if ( $request_method = POST ) { return 405; }": METHOD,
    "if ($http_referer !~ example) { return 403; }": LINKEDIN,
    "valid_referers none blocked server_names; if ($invalid_referer) { return 403; }": LINKEDIN,
    "valid_referers none server_names *.linkedin.com; if ($invalid_referer) { return 403; }": None,
    "if ($request_method !~ ^(GET|HEAD|POST)$) { return 405; }": None,
    'if ($args ~ "union.*select") { return 403; }': None,
    'if ($query_string ~ "[a-zA-Z0-9_]{60,}") { return 403; }': CALLBACK,
    'if ($request_uri ~ "^.{256,}") { return 414; }': "requests for /oauth",
    'if ($request_uri ~ "error=") { return 403; }': "requests for /oauth",
    'if ($arg_code ~ "^.{100,}") { return 403; }': CALLBACK,
    "if ($args ~ error=) { return 403; }": CANCELLED,
    "if ($arg_error) { return 403; }": CANCELLED,
    'if ($args ~ "[a-zA-Z0-9_]{200,}|%") { return 403; }': None,
    "if ($arg_id) { return 403; }": None,
    "if ($http_x_forwarded_proto != https) { return 301 https://$host$request_uri; }": None,
    "if ($http_user_agent ~ Mozilla) { return 444; }": "visitors with Firefox",
    'if ($http_referer = "") { return 403; }': "visitors whose browser sends no Referer field",
    "if ($request_uri ~ ^/login) { return 404; }": "requests for /login",
    "if ($arg_key != a) { return 403; }": "requests without the argument key",
    "set $a 0; if ($args ~ code=) { set $a 1; } if ($a = 1) { return 403; }": CALLBACK,
    "set $a 0; if ($args ~ select) { set $a 1; } if ($a = 1) { return 403; }": None,
    "if ($host != localhost) { return 444; }": None,
    "if ($remote_addr != 192.0.2.1) { return 403; }": None,
    "if ($http_user_agent ~ curl) { rewrite ^ /x last; }": None,
    "if ($scheme = http) { return 301 https://$host$request_uri; }": None,
    "if ($http_user_agent = evil) { return 403; }": None,
    "if (-d /nonexistent) { return 403; }": None,
}


@pytest.mark.parametrize("line", CONDITIONS)
def test_a_condition_outside_all_locations_that_rejects_a_sign_in_is_an_error(line, directory):
    nginx = Nginx(directory)
    nginx.edit(r"^( *)server \{", lambda found: f"{found[0]}\n{line}")
    found = sum(nginx.found("--quiet"), [])
    lost = CONDITIONS[line]
    if "curl" in line:
        (warning,) = found
        words = f"in if ($http_user_agent ~ curl) outside all locations leads requests for {GUARDED} to other paths before nginx "
        assert warning.startswith("warning: ") and words in warning and "so nginx does not ask the guard of " in warning
        return
    assert len(found) == (lost is not None), found
    assert all(f"{SIGN_IN}nginx rejects {lost}. Remove this line" in text for text in found), found


OTHER = "{} outside all locations redirects requests for localhost:{}, the host in SIGNIN_BASE_URL, to {}, so nobody can sign in. If "
WWW = "https://www.example.com$request_uri"
# Conditions on the host, whether they redirect the host of the site, and the other host.
HOSTS = {
    f'if ($host != "www.example.com") {{ return 301 {WWW}; }}': "www.example.com",
    f"if ($host = localhost) {{ return {WWW}; }}": "www.example.com",
    f"if ($host !~ ^www) {{ rewrite ^ {WWW} permanent; }}": "www.example.com",
    "if ($http_host !~ ^www) { rewrite ^/(.*)$ $scheme://www.$host/$1 permanent; }": "www.localhost",
    "if ($host = www.example.com) { return 301 https://localhost$request_uri; }": None,
    "if ($host != localhost) { return 301 https://localhost$request_uri; }": None,
    "if ($host = localhost) { return 301 https://$host$request_uri; }": None,
    "if ($host = $server_addr) { return 301 https://www.example.com; }": None,
    f"if ($http_host = localhost) {{ rewrite ^ {WWW} redirect; }}": None,
}


@pytest.mark.parametrize("line", HOSTS)
def test_a_redirect_of_the_host_of_the_site_to_another_host_is_an_error(line, directory):
    nginx = Nginx(directory)
    nginx.edit(r"^( *)server \{", lambda found: f"{found[0]}\n{line}")
    found = sum(nginx.found("--quiet"), [])
    assert len(found) == (HOSTS[line] is not None), found
    words = OTHER.format(line.partition(" {")[0].replace('")', " )").replace('"', ""), nginx.sites[0].port, HOSTS[line])
    assert all(words in text and not text.startswith("warning: ") for text in found), found


# Conditions outside all locations about what some clients send, in the words of the warning.
RESPONDS = "nginx responds with {} to all requests for which the condition {} outside all locations holds, so these requests do not "
DOUBTFUL = {
    "if ($cookie_beta = 1) { return 302 /beta; }": RESPONDS.format("return 302 /beta", "if ($cookie_beta = 1)"),
    "if ($http_cookie ~ select) { return 403; }": RESPONDS.format("return 403", "if ($http_cookie ~ select)"),
    "if ($ssl_client_verify != SUCCESS) { return 403; }": RESPONDS.format("return 403", "if ($ssl_client_verify != SUCCESS)"),
    "if ($request_method = POST) { return 303 /; }": RESPONDS.format("return 303 /", "if ($request_method = POST)"),
    "if ($bad) { return 403; }": RESPONDS.format("return 403", "if ($bad)"),
    "if ($that) { return 403; }": RESPONDS.format("return 403", "if ($that)"),
    "if ($one) { set $two 1; } if ($two) { set $one 1; } if ($one) { return 403; }": RESPONDS.format("return 403", "if ($one)"),
    "if ($http_cookie ~ beta) { rewrite ^ /beta last; }":
        f"rewrite ^ /beta last in if ($http_cookie ~ beta) outside all locations leads requests for /login, /oauth, {GUARDED} to other ",
    "if ($cookie_beta) { rewrite ^ https://beta.example$request_uri redirect; }":
        "leads requests for /login, /oauth to other paths before nginx chooses a location, so no visitor with such requests can sign in. ",
}


@pytest.mark.parametrize("line", DOUBTFUL)
def test_a_condition_outside_all_locations_about_what_some_clients_send_is_a_warning(line, directory):
    nginx = Nginx(directory)
    bad = "map $http_cookie $bad { default 0; ~*evil 1; } map $this $that { default 0; } map $that $this { default 1; }"
    nginx.edit(r"^( *)server \{", lambda found: f"{bad}\n{found[0]}\n{line}")
    problems, (warning,) = nginx.found("--quiet")
    assert problems == [] and warning.startswith("warning: ") and DOUBTFUL[line] in warning, warning
    nginx.edit(r"map \$http_cookie", "map $http_user_agent")
    assert len(sum(nginx.found("--quiet"), [])) == ("$bad" not in line)


@pytest.mark.parametrize("line", AROUND)
@pytest.mark.parametrize("block", ["http", "server"])
def test_a_line_that_keeps_visitors_from_signing_in_is_found_in_the_blocks_around_the_locations(line, block, directory):
    nginx = Nginx(directory)
    nginx.edit(r"^( *)server \{", lambda found: f"{line}\n{found[0]}" if block == "http" else f"{found[0]}\n{line}")
    problems, warnings = nginx.found("--quiet")
    words = AROUND[line]
    found = warnings if "auth_basic Staff" in line else problems
    assert len(problems + warnings) == (words is not None) == len(found), problems + warnings
    place = nginx.configuration.read_text().split("\n").index(line) + 1
    assert all(f"{nginx.configuration}:{place}: {line.partition(';')[0]}{words}" in text for text in found), found


def test_the_lines_that_a_warning_about_a_password_advises_end_it(directory):
    nginx = Nginx(directory)
    line = "auth_basic Staff; auth_basic_user_file /dev/null;"
    nginx.edit(r"^( *)server \{", f"{line} server {{")
    (warning,) = nginx.found("--quiet")[1]
    words = r"write in the server block \(.*:\d+\) (auth_basic off;) and (.*) only in the locations that need a password$"
    advice = re.search(words, warning)
    nginx.edit(r"server \{", rf"\g<0>\n{advice[1]} location /staff/ {{ {advice[2]} }}")
    assert nginx.found("--quiet") == ([], [])


def test_a_required_client_certificate_is_a_warning(directory):
    nginx = Nginx(directory)
    nginx.edit(r"^( *)server \{", "ssl_verify_client on; ssl_client_certificate /dev/null;\nserver {")
    text = nginx.text().replace(f"listen 127.0.0.1:{nginx.sites[0].port};", "listen 443 ssl;")
    words = "ssl_verify_client on is in force in location = /login of linkedin-signin, so only browsers with a client certificate can "
    problems, (warning,) = check("--nginx", "-", "--quiet", text=text)
    assert problems == [] and warning.startswith("warning: ") and words in warning, problems
    assert check("--nginx", "-", text=text.replace("ssl_verify_client on;", "ssl_verify_client optional;")) == ([], [])


@pytest.mark.parametrize("policy", ["default-src 'self'", "form-action 'self'", "sandbox", "$policy", "frame-ancestors 'none'"])
def test_a_policy_of_the_site_that_can_forbid_parts_of_the_pages_is_a_warning(policy, directory):
    nginx = Nginx(directory)
    line = f'add_header Content-Security-Policy "{policy}" always;'
    nginx.edit(r"^( *)server \{", f"map $uri $policy {{ default sandbox; }} server {{ {line} location /app/ {{ {line} }}")
    problems, warnings = nginx.found("--quiet")
    assert problems == [] and len(warnings) == (policy != "frame-ancestors 'none'"), warnings
    words = "add_header Content-Security-Policy is in force in location = /login of linkedin-signin, whose pages have their own policy"
    assert all(words in warning for warning in warnings)


PROXY = "listen 443 ssl proxy_protocol makes nginx reject each connection to this address without the PROXY protocol, so "
# What a server says about the proxies, with the beginning of the finding.
PROXIES = {
    "": f"warning: .*{PROXY}no browser can connect. Name only the addresses of HAProxy in set_real_ip_from, or remove proxy_protocol",
    "set_real_ip_from 0.0.0.0/0;": f"warning: .*{PROXY}no browser can connect. ",
    "set_real_ip_from 192.0.2.1;": f"note: .*{PROXY}HAProxy must connect there with send-proxy",
    "listen 8443 ssl;": f"note: .*{PROXY}HAProxy must connect there with send-proxy",
}


@pytest.mark.parametrize("line", PROXIES)
def test_the_proxy_protocol_without_addresses_of_proxies_is_a_warning(line, directory):
    nginx = Nginx(directory)
    text = nginx.text().replace(f"listen 127.0.0.1:{nginx.sites[0].port};", f"listen 443 ssl proxy_protocol; {line}")
    problems, (found,) = check("--nginx", "-", text=text)
    assert problems == [] and re.match(PROXIES[line], found), found
    assert check("--nginx", "-", text=text.replace(" ssl proxy_protocol;", " ssl;")) == ([], [])


def test_the_proxy_protocol_in_another_server_of_the_same_address_is_a_warning(directory):
    nginx = Nginx(directory)
    text = nginx.text().replace(f"listen 127.0.0.1:{nginx.sites[0].port};", "listen 443 ssl;")
    for address, count in (("443", 1), ("*:443", 1), ("0.0.0.0:443", 1), ("127.0.0.1:443", 0), ("8443", 0)):
        other = f"server {{ listen {address} ssl proxy_protocol; server_name b.example; }}"
        problems, found = check("--nginx", "-", "--quiet", text=text.replace("    server {", f"    {other}\n    server {{", 1))
        assert problems == [] and len(found) == count and all(re.match(PROXIES[""].replace("443", re.escape(address)), each) for each in found), found


FORWARDED = "if ($http_x_forwarded_proto != https) { return 301 https://$host$request_uri; }"


@pytest.mark.parametrize("line, count", {
    FORWARDED: 1,
    FORWARDED.replace("return 301", "rewrite ^").replace("uri;", "uri permanent;"): 1,
    FORWARDED.replace("301 https://$host$request_uri", "403"): 1,
    "if ($by_proxy) { return 301 https://$host$request_uri; }": 1,
    f"set_real_ip_from 192.0.2.0/24; {FORWARDED}": 0,
    FORWARDED.replace("!= https", "= http"): 0,
    FORWARDED.replace("$http_x_forwarded_proto", "$sent"): 0,
    FORWARDED.replace("$http_x_forwarded_proto != https", "$sent = http"): 0,
    FORWARDED.replace("$http_x_forwarded_proto", "$copied"): 1,
}.items())
def test_a_condition_about_a_proxy_in_a_server_with_tls_is_a_warning(line, count, directory):
    nginx = Nginx(directory)
    sent = "$http_x_forwarded_proto"
    variables = {"$by_proxy": "default 1; https 0;", "$sent": f"default {sent}; '' $scheme;", "$copied": f"default {sent};"}
    variable = " ".join(f"map {sent} {name} {{ {values} }}" for name, values in variables.items())
    nginx.edit(r"^( *)server \{", lambda found: f"{variable}\n{found[0]}\n{line}")
    assert nginx.found("--quiet") == ([], [])
    text = nginx.text().replace(f"listen 127.0.0.1:{nginx.sites[0].port};", "listen 443 ssl;")
    problems, warnings = check("--nginx", "-", "--quiet", text=text)
    assert problems == [] and len(warnings) == count, warnings
    advice = "Browsers do not send this field: if no proxy in front of nginx sends it, remove this line"
    assert all(warning.startswith("warning: ") for warning in warnings) and (line != FORWARDED or warnings[0].endswith(advice)), warnings


NOBODY = "nobody can sign in. Move this line into the locations that need it"
ALL = "location ^~ /private/, location = /members, location ^~ /members/"
# Lines of an operator in the server block, the paths that they change, and their effect; None if there is no finding.
REWRITES = {
    "rewrite ^ /maintenance.html break;":
        ("/login, /oauth, /private/, /members, /members/", f"nginx does not ask the guard of {ALL}, and {NOBODY}"),
    "rewrite ^ https://b.example$request_uri permanent;": ("/login, /oauth", NOBODY),
    "rewrite ^/lo(.*)$ /x$1 last;": ("/login", NOBODY),
    "if (!-e $request_filename) { rewrite ^/(.*)$ /index.php?q=$1 last; }":
        ("/login, /oauth, /private/, /members, /members/", f"nginx does not ask the guard of {ALL}, and {NOBODY}"),
    "rewrite ^/private/(.*)$ /app.php?path=$1 last;": ("/private/", "nginx does not ask the guard of location ^~ /private/. Move this "),
    "rewrite ^/private/(.*)$ https://b.example/$1 redirect;": None,
    "rewrite ^/old/(.*)$ /new/$1 permanent;": None,
    "rewrite ^/p/(.*)$ /private/$1 last;": None,
    "rewrite ^/private/a/(.*)$ /private/b/$1 last;": None,
    "rewrite ^/(login|oauth|private/.*|members.*)$ /$1 last; rewrite ^ /index.php last;": None,
    "if ($host = www.example.com) { rewrite ^ https://example.com$request_uri permanent; }": None,
}


@pytest.mark.parametrize("line", REWRITES)
def test_a_rewrite_outside_all_locations_that_changes_the_path_of_a_page_or_of_a_guard_is_an_error(line, directory):
    nginx = Nginx(directory)
    nginx.edit(r"^( *)server \{", lambda found: f"{found[0]}\n{line}")
    problems, notes = nginx.found()
    assert (len(problems), notes) == (REWRITES[line] is not None, []), problems
    place = nginx.configuration.read_text().split("\n").index(line) + 1
    for problem in problems:
        paths, effect = REWRITES[line]
        words = f" outside all locations leads requests for {paths} to other paths before nginx chooses a location, so {effect}"
        assert problem.startswith(f"{nginx.configuration}:{place}: rewrite ") and words in problem, problem


SLASH = "rewrite ^/(.*)/$ /$1 permanent;"
PROXY_PASS = "proxy_set_header X-Auth-Subject a; proxy_set_header X-Auth-Email a; proxy_set_header X-Auth-Name a; proxy_pass http://127.0.0.1:3000;"


ONLY = "rewrite ^/(private)/$ /$1 permanent;"


@pytest.mark.parametrize("line, rest, lost", [
    (SLASH, "", "/private/, /members/"),
    (SLASH, PROXY_PASS, "/private/"),
    ("rewrite ^/(.*)/$ $scheme://$host/$1 redirect;", PROXY_PASS, "/private/"),
    (f"if (!-d $request_filename) {{ {SLASH} }}", PROXY_PASS, "warning: /private/"),
    (f"if (!-e $request_filename) {{ {SLASH} }}", PROXY_PASS, "warning: /private/"),
    (f"if (!-f $request_filename) {{ {SLASH} }}", PROXY_PASS, "/private/"),
    (f"if (!-f $request_filename) {{ {SLASH} }}", "", "/private/, /members/"),
    (f"location /private {{ {PROXY_PASS} }} {ONLY}", PROXY_PASS, None),
    (f"location ^~ /private {{ {PROXY_PASS} }} {ONLY}", PROXY_PASS, None),
    (f"location /private {{ {PROXY_PASS} }} location ~ /p {{ {PROXY_PASS} }} {ONLY}", PROXY_PASS, None),
    (f"location /priv {{ {PROXY_PASS} }} {ONLY}", PROXY_PASS, "/private/"),
    (f"location = /private {{ root /srv; }} {ONLY}", PROXY_PASS, "/private/"),
    (f"location = /private {{ rewrite ^ /private/index.html last; }} {ONLY}", "", None),
    (f"location = /private {{ alias /srv/index.html; }} {ONLY}", "", None),
    (f"location = /private {{ error_page 404 = @x; }} {ONLY}", "", None),
    (f"location / {{ if (-f $request_filename.html) {{ rewrite ^(.*)$ $1.html break; }} }} {ONLY}", "", None),
    (f"location / {{ error_page 403 /x; }} {ONLY}", "", "/private/"),
    (f"error_page 404 /x; {ONLY}", "", "/private/"),
    (f"if (!-d $request_filename) {{ {SLASH} }}", "", None),
    (f"location / {{ {PROXY_PASS} }} location ~ ^/a {{ {SLASH} }} {SLASH}", "", "/members/"),
    ("rewrite ^/(.*)/$ https://b.example/$1 permanent;", "", None),
    ("rewrite ^/(.*)/$ /$1 last;", PROXY_PASS, None),
    ("rewrite ^/(a|b)/$ /$1 permanent;", "", None),
])
def test_a_redirect_outside_all_locations_that_removes_the_slash_of_a_guarded_directory_is_an_error(line, rest, lost, directory):
    nginx = Nginx(directory)
    nginx.edit(r"^( *)server \{", lambda found: f"{found[0]}\n{line}")
    nginx.edit(r"(include .*-guard-\w+.conf;)", rf"\1 {rest}", count=3)
    problems, warnings = nginx.found("--quiet")
    paths = (lost or "").removeprefix("warning: ")
    found = [text for text in problems + warnings if "removes the slash" in text]
    end = " if no such directory exists. " if paths != (lost or "") else ". "
    words = f" outside all locations removes the slash at the end of {paths}, and nginx adds the slash again or finds no file, so "
    words += f"visitors cannot open {paths}{end}Move"
    assert len(found) == (lost is not None) and all(words in text and (text in warnings) == ("if no" in end) for text in found), found


@pytest.mark.parametrize("line, count", {
    "satisfy any; allow 192.0.2.0/24; deny all;": 1,
    "satisfy any; auth_basic Staff; auth_basic_user_file /dev/null;": 2,
    "satisfy all; allow 192.0.2.0/24; deny all;": 0,
}.items())
@pytest.mark.parametrize("block", ["http", "server"])
def test_satisfy_any_outside_all_locations_is_one_warning_about_all_guards(line, count, block, directory):
    nginx = Nginx(directory)
    nginx.edit(r"^( *)server \{", lambda found: f"{line}\n{found[0]}" if block == "http" else f"{found[0]}\n{line}")
    problems, warnings = nginx.found("--quiet")
    assert (problems, len(warnings)) == ([], count), problems + warnings
    place = nginx.configuration.read_text().split("\n").index(line) + 1
    words = f"warning: {nginx.configuration}:{place}: satisfy any outside all locations is in force in the guarded location ^~ /private/, "
    words += "location = /members, location ^~ /members/, so visitors whom allow or auth_basic admits need not sign in there. "
    assert len([warning for warning in warnings if warning.startswith(words)]) == (count > 0), warnings


def test_an_address_that_satisfy_any_admits_everywhere_is_one_error_about_all_guards(directory):
    nginx = Nginx(directory)
    nginx.edit(r"^( *)server \{", r"\g<0> satisfy any; allow all;")
    (problem,), notes = nginx.found()
    names = "location ^~ /private/, location = /members, location ^~ /members/"
    assert f"allow all admits everyone to the guarded {names} without signing in" in problem and notes == [], problem


def test_a_lost_rule_is_an_error_with_a_command_that_needs_the_rule(directory):
    nginx = Nginx(directory)
    internal = r"^(location = /.linkedin-signin/\w+/private/ \{\n)(?:.*\n)*?\}"
    for old, new in ((r'(?<=/private/ \{\n)(.*\n) *set \$\w+_rule .*\n', r"\1"), (internal, "")):
        edit(nginx.file("server"), old, new)
        problems, _ = nginx.found()
        (problem,) = [problem for problem in problems if "location ^~ /private/ is guarded without a rule" in problem]
        start = "so the guard rejects everybody. Print the files of the site again, with the rule in place of RULE: linkedin-signin"
        options = problem.partition(f"{start} print-config nginx")[2]
        # The internal location, which is left in place first, and the location that includes the guard file have one path.
        assert options == f" --location /private/ --require RULE{MEMBERS} --write {directory}/snippets", problem
    command = [BINARIES / "linkedin-signin", "print-config", "nginx", *options.split()]
    settings = {"SIGNIN_BASE_URL": nginx.sites[0].url, "SIGNIN_LISTEN": f"unix:{nginx.sites[0].socket}", "PATH": "/usr/bin:/bin"}
    failed = subprocess.run(command, capture_output=True, text=True, env=settings)
    assert failed.returncode == 78 and "“RULE” is not a condition" in failed.stderr, failed
    command[command.index("RULE")] = RULE.split()[1]
    subprocess.run(command, check=True, capture_output=True, env=settings)
    assert nginx.found() == ([], [])


@pytest.mark.parametrize("line", ["", "auth_request off;"])
def test_an_alias_without_a_guard_in_the_same_server_is_an_error_unless_the_operator_opens_it(line, directory):
    nginx = Nginx(directory)
    alias = f"alias {nginx.sites[0].root}/private/;"
    nginx.edit(PRIVATE, rf"\g<0> location /files/ {{ {alias} {line} }}")
    problems, notes = nginx.found()
    assert (len(problems), len(notes)) == ((0, 1) if line else (1, 0)), problems
    assert f"at /files/ without the guard of location ^~ /private/ ({nginx.configuration}:" in (problems + notes)[0]

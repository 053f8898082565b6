"""What the maintainer scripts of the Debian package do at an installation, an upgrade and a removal."""

import re

import pytest

from harness.process import REPOSITORY

pytestmark = pytest.mark.extended


def test_installation_writes_settings_once_and_says_what_to_do(deb, machine):
    printed = machine(
        """
        dpkg -i "$1"
        stat -c '%a %U %G' $settings
        cmp $settings /usr/share/linkedin-signin/settings.example
        getent passwd linkedin-signin | cut -d: -f1,6,7
        echo LINKEDIN_CLIENT_ID=mine >$settings
        chmod 0600 $settings
        dpkg -i "$1" >/dev/null
        stat -c '%a' $settings
        cat $settings
        rm $settings
        dpkg -i "$1"
        test ! -e $settings
        """,
        deb,
    )
    first, again = printed.split("640 root linkedin-signin\n")
    assert again.startswith("linkedin-signin:/var/lib/linkedin-signin:/usr/sbin/nologin\n600\nLINKEDIN_CLIENT_ID=mine\n")
    assert "not started" not in again
    assert "linkedin-signin is installed and not started, because it needs settings:\n" in first
    for line in re.findall(r"^  \d\. .*", (REPOSITORY / "deploy/debian/postinst").read_text(), re.MULTILINE):
        assert line in first


def test_removal_keeps_settings_and_sessions_and_a_purge_removes_them(deb, machine):
    printed = machine(
        """
        dpkg -i "$1" >/dev/null
        mkdir -p $sessions /var/lib/private/linkedin-signin-example.org /etc/linkedin-signin/example.org
        ln -s private/linkedin-signin /var/lib/linkedin-signin
        ln -s /usr/lib/systemd/system/linkedin-signin.service /etc/systemd/system/multi-user.target.wants/
        touch $sessions/kept /etc/linkedin-signin/client-secret
        dpkg -r linkedin-signin >/dev/null 2>&1
        test ! -e /usr/bin/linkedin-signin
        ls $sessions /etc/linkedin-signin
        dpkg -i "$1" >/dev/null
        ls $sessions
        dpkg -P linkedin-signin >/dev/null 2>&1
        find /etc /var/lib /usr/lib/systemd /usr/share -name 'linkedin-signin*' 2>/dev/null
        dpkg -P linkedin-signin 2>&1
        """,
        deb,
    )
    assert printed.startswith("/etc/linkedin-signin:\nclient-secret\nexample.org\nsettings\n")
    assert re.search(r"sessions:\nkept\nkept\ndpkg: warning: ", printed), printed


# `systemctl` prints what the files $units/UNIT/PROPERTY contain; of any other command it prints the arguments.
SYSTEMCTL = r"""
    units=$SCRATCH/units
    mkdir -p "$SCRATCH/tools"
    cat >"$SCRATCH/tools/systemctl" <<TEXT
#!/bin/sh
case "\$1 \$2" in
list-units*)
    states=,\$(expr "\$*" : '.*--state=\([^ ]*\)'),
    for unit in $units/*; do
        case \$states in *,\$(cat \$unit/State),*) echo \${unit##*/} loaded \$(cat \$unit/State) ;; esac
    done
    ;;
"--quiet is-active") [ "\$(cat "$units/\$3/State" 2>/dev/null)" = active ] ;;
"show --property") cat "$units/\$5/\$3" 2>/dev/null || echo ;;
*) echo "systemctl \$*" ;;
esac
TEXT
    chmod 0755 "$SCRATCH/tools/systemctl"
    rm -f /usr/sbin/policy-rc.d
    # unit NAME COMMAND: a running service whose settings are in the standard input.
    unit() {
        # The directory that the unit in the package names.
        state=${1%.service}
        state=$(echo "$state" | tr @ -)
        mkdir -p "$units/$1" "/run/credentials/$1" "/var/lib/private/$state"
        echo active >"$units/$1/State"
        echo "$process" >"$units/$1/MainPID"
        echo "{ path=${2%% *} ; argv[]=$2 ; ignore_errors=no ; start_time=[n/a] ; pid=0 ; code=(null) ; status=0/0 }" >"$units/$1/ExecStart"
        echo "$state" >"$units/$1/StateDirectory"
        chmod 0700 /var/lib/private "/var/lib/private/$state"
        ln -s "private/$state" "/var/lib/$state"
        echo secret | install -m 0400 /dev/stdin "/run/credentials/$1/linkedin-client-secret"
        chown -R linkedin-signin: "/run/credentials/$1" "/var/lib/private/$state"
        mkdir -p "$(dirname "${2##* }")"
        { printf 'LINKEDIN_CLIENT_ID=mine\nSIGNIN_BASE_URL=https://%s.example.com\n' "$state"; cat; } >"${2##* }"
    }
    serve='/usr/bin/linkedin-signin serve --settings-file'
    service="/usr/bin/env SIGNIN_LISTEN=inherited $serve"
    dpkg -i "$1" >/dev/null
    mkdir -p /run/systemd/system
    as_service="setpriv --reuid linkedin-signin --regid linkedin-signin --init-groups env -i"
    $as_service LD_PRELOAD=/no/such/library.so SIGNIN_HOME=//example.com /bin/sleep 60 2>/dev/null &
    process=$!
    export PATH="$SCRATCH/tools:$PATH"
"""


def restarted(printed):
    return re.findall(r"^systemctl try-restart (\S+)$", printed, re.MULTILINE)


def test_an_upgrade_restarts_running_services_whose_settings_it_accepts_and_stops_none(deb, machine):
    printed = machine(
        SYSTEMCTL
        + r"""
        unit linkedin-signin.service "$serve $settings" </dev/null
        echo SIGNIN_SESION_LIFETIME=1d | unit linkedin-signin@example.org.service "$service /etc/linkedin-signin/example.org/settings"
        echo upgrade
        dpkg -i "$1" 2>&1
        echo removal
        dpkg -r linkedin-signin
        kill $process
        """,
        deb,
    )
    upgrade, removal = (part.splitlines() for part in printed.partition("upgrade\n")[2].split("removal\n"))
    sockets, services = "linkedin-signin.socket linkedin-signin@*.socket", "linkedin-signin.service linkedin-signin@*.service"
    called = [line for line in upgrade if line.startswith("systemctl")]
    assert called == ["systemctl daemon-reload", "systemctl try-restart linkedin-signin.service"], upgrade
    said = "\n".join(upgrade)
    assert "/etc/linkedin-signin/example.org/settings:3: SIGNIN_SESION_LIFETIME: is not a setting of this program" in said
    reason = "because the check of its settings failed (see above)"
    assert f"linkedin-signin@example.org.service still runs the previous version, {reason}.\n" in said
    assert "then run: systemctl restart 'linkedin-signin@example.org.service'" in said
    called = [line for line in removal if line.startswith("systemctl")]
    assert called == [f"systemctl stop {sockets} {services}", "systemctl daemon-reload"]


def test_an_installation_names_enabled_units_that_do_not_run(deb, machine):
    printed = machine(
        SYSTEMCTL
        + r"""
        unit linkedin-signin.service "$serve $settings" </dev/null
        mkdir -p /etc/systemd/system/sockets.target.wants
        for name in linkedin-signin.service 'linkedin-signin@my\x2dshop.service'; do
            ln -s /usr/lib/systemd/system/linkedin-signin.service "/etc/systemd/system/multi-user.target.wants/$name"
        done
        ln -s /usr/lib/systemd/system/linkedin-signin.socket /etc/systemd/system/sockets.target.wants/
        dpkg -i "$1" 2>&1
        echo removal
        dpkg -r linkedin-signin
        echo inactive >"$units/linkedin-signin.service/State"
        dpkg -i "$1" 2>&1
        kill $process
        """,
        deb,
    )
    advice = "linkedin-signin: some units are enabled and do not run. To start them: systemctl start"
    upgrade, _, again = printed.partition("removal\n")
    other, socket = r"'linkedin-signin@my\x2dshop.service'", "'linkedin-signin.socket'"
    assert f"{advice} {other} {socket}\n" in upgrade, upgrade
    assert f"{advice} 'linkedin-signin.service' {other} {socket}\n" in again, again


def test_an_upgrade_checks_settings_as_the_user_of_the_service_and_with_nothing_that_the_service_can_change(deb, machine):
    printed = machine(
        SYSTEMCTL
        + r"""
        install -m 0644 /etc/ssl/certs/ca-certificates.crt /etc/linkedin-signin/authorities
        echo SIGNIN_CA_FILE=/etc/linkedin-signin/authorities | unit linkedin-signin.service "$serve $settings"
        echo 'SIGNIN_SITE_NAME=x "SIGNIN_CONTACT=the \"webmaster\" \$5"' >"$units/linkedin-signin.service/Environment"
        install -m 0600 /etc/ssl/certs/ca-certificates.crt /etc/linkedin-signin/roots-own
        echo SIGNIN_CA_FILE=/etc/linkedin-signin/roots-own | unit linkedin-signin@b.service "$service /etc/linkedin-signin/b/settings"
        unit linkedin-signin@c.service "$service /etc/linkedin-signin/c/settings" </dev/null
        chown root /var/lib/private/linkedin-signin-c
        dpkg -i "$1" 2>&1
        kill $process
        """,
        deb,
    )
    assert restarted(printed) == ["linkedin-signin.service"], printed
    assert "/etc/linkedin-signin/roots-own” is not readable by user" in printed
    assert "/var/lib/linkedin-signin-c" in printed, "the check looks at the state directory"
    assert "library.so" not in printed and "//example.com" not in printed


def test_an_upgrade_finds_the_settings_of_a_changed_unit(deb, machine):
    printed = machine(
        SYSTEMCTL
        + r"""
        unit linkedin-signin.service "$serve /etc/elsewhere" </dev/null
        echo NO_SETTING=1 >$settings
        echo NO_SETTING=1 | unit linkedin-signin@b.service "$service /etc/of-b"
        for name in other-program own-options environment-file passed-environment starting; do
            echo NO_SETTING=1 | unit "linkedin-signin@$name.service" "$service /etc/linkedin-signin/$name/settings"
        done
        sed -i s,/usr/bin/linkedin,/usr/local/bin/linkedin, "$units/linkedin-signin@other-program.service/ExecStart"
        sed -i 's/serve/serve --replace/' "$units/linkedin-signin@own-options.service/ExecStart"
        echo '/etc/default/x (ignore_errors=no)' >"$units/linkedin-signin@environment-file.service/EnvironmentFiles"
        echo LINKEDIN_CLIENT_ID >"$units/linkedin-signin@passed-environment.service/PassEnvironment"
        echo activating >"$units/linkedin-signin@starting.service/State"
        echo 0 >"$units/linkedin-signin@starting.service/MainPID"
        dpkg -i "$1" 2>&1
        kill $process
        """,
        deb,
    )
    assert "/etc/of-b:3: NO_SETTING: is not a setting of this program" in printed
    unchecked = ("environment-file", "other-program", "own-options", "passed-environment", "starting")
    assert restarted(printed) == ["linkedin-signin.service", *(f"linkedin-signin@{name}.service" for name in unchecked)], printed

"""The units of a site and of its web server: what check and doctor say about their lines before a restart tries them."""

import pytest

from harness.process import BINARIES, REPOSITORY

pytestmark = pytest.mark.extended


def test_check_names_before_the_restart_what_systemd_and_the_program_refuse(machine):
    machine(f"exec /usr/bin/python3 {REPOSITORY}/Tests/System/harness/unit_files.py {BINARIES}")


def test_check_names_before_the_restart_each_line_of_a_drop_in_file_that_can_break_it(machine):
    machine(f"exec /usr/bin/python3 {REPOSITORY}/Tests/System/harness/unit_lines.py {BINARIES}")


TRAPS = ["variables_of_systemd", "secret_that_systemd_does_not_pass", "drop_in_files_of_all_units", "lines_to_replace"]
TRAPS += ["secret_that_systemd_has_not_passed", "closed_socket", "unit_of_another_site", "unit_of_all_sites"]
TRAPS += ["socket_that_the_unit_does_not_open", "environment_of_systemd", "users_that_do_not_exist", "removed_socket"]
TRAPS += ["conflict", "units_of_web_servers", "lines_that_systemd_ignores"]


@pytest.mark.parametrize("fault", TRAPS)
def test_a_fault_of_a_unit_that_once_led_to_a_wrong_command_is_one_finding_with_its_place(machine, fault):
    machine(f"exec unshare --pid --fork --mount-proc /usr/bin/python3 {REPOSITORY}/Tests/System/harness/unit_traps.py {BINARIES} {fault}")

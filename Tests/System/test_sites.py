"""Several sites on one machine: what an operator says about a site is true for its service, and reaches no other site."""

import pytest

from harness.process import BINARIES, REPOSITORY

pytestmark = pytest.mark.extended


def test_commands_act_on_the_named_site_and_check_refuses_what_its_service_refuses(machine):
    """Follows install.md with two sites, administers both, moves one, and breaks the settings in twenty ways."""
    machine(f"exec /usr/bin/python3 {REPOSITORY}/Tests/System/harness/sites.py {BINARIES}")


def test_commands_explain_mixed_up_sites_and_permissions_that_systemd_repairs(machine):
    machine(f"exec /usr/bin/python3 {REPOSITORY}/Tests/System/harness/mixed_sites.py {BINARIES}")


FAULTS = ["removed_site", "secret_of_root", "settings_of_root", "replaced_link", "slash_of_the_issuer"]
FAULTS += ["store_of_another_site", "inaccessible_path", "paths_of_files", "forgotten_directory"]
FAULTS += ["lost_settings", "changed_address", "socket_of_another_site", "mode_of_another_directory"]
FAULTS += ["setting_of_the_unit", "user_of_the_web_server", "removed_sockets"]
FAULTS += ["read_only_state", "other_user", "lost_state", "closed_directories"]
FAULTS += ["wrong_command", "refused_web_server", "records_of_root", "causes_with_one_finding"]


@pytest.mark.parametrize("fault", FAULTS)
def test_the_message_about_a_fault_of_a_site_names_its_cause_and_what_lasts(machine, fault):
    machine(f"exec /usr/bin/python3 {REPOSITORY}/Tests/System/harness/remedies.py {BINARIES} {fault}")


TRAPS = ["link_into_a_closed_directory", "state_of_root", "settings_of_another_site", "copied_state", "closed_way"]
TRAPS += ["moved_state", "address_in_place_of_a_name", "list_of_an_include_file", "replaced_program", "failed_start"]


@pytest.mark.parametrize("fault", TRAPS)
def test_a_fault_that_once_led_to_a_wrong_command_is_one_finding_with_its_place(machine, fault):
    machine(f"exec unshare --pid --fork --mount-proc /usr/bin/python3 {REPOSITORY}/Tests/System/harness/traps.py {BINARIES} {fault}")

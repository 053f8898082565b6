"""The workflows of the CI service: their form, and that a developer's machine can run their steps."""

import json
import os
import re
import subprocess

import jsonschema
import pytest
import yaml

from harness.process import REPOSITORY

pytestmark = pytest.mark.extended

SCHEMA = REPOSITORY / ".build/axe/check_jsonschema/builtin_schemas/vendor/github-workflows.json"
ZIZMOR = REPOSITORY / ".build/axe/bin/zizmor"
WORKFLOWS = sorted((REPOSITORY / ".github/workflows").iterdir())
# Makes the draft of a release, which only the service can do.
ONLY_THERE = "gh release create "


def steps(workflow):
    for job in yaml.safe_load(workflow.read_text())["jobs"].values():
        yield from job["steps"]


@pytest.mark.skipif(not SCHEMA.exists(), reason="the schema is missing; run deploy/packages test with access to PyPI")
@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_follows_the_schema_of_the_service(workflow):
    text = re.sub("^on:", '"on":', workflow.read_text(), flags=re.MULTILINE)  # YAML 1.1 reads on as true
    errors = jsonschema.Draft7Validator(json.loads(SCHEMA.read_text())).iter_errors(yaml.safe_load(text))
    assert [f"{list(error.absolute_path)}: {error.message}" for error in errors] == []


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_each_shell_step_is_a_script_of_deploy(workflow):
    commands = [step["run"] for step in steps(workflow) if "run" in step]
    assert commands
    for command in commands:
        if not command.startswith(ONLY_THERE):
            assert re.match("deploy/[a-z]+( |$)", command) and os.access(REPOSITORY / command.split()[0], os.X_OK), command
        # The service replaces ${{ }} before the shell reads the command, so a name could contain commands.
        assert "\n" not in command and "${{" not in command, command


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_uses_only_actions_whose_content_cannot_change(workflow):
    used = [step["uses"] for step in steps(workflow) if "uses" in step]
    assert used and [name for name in used if not re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", name)] == []


@pytest.mark.skipif(not ZIZMOR.exists(), reason="zizmor is missing; run deploy/packages test with access to PyPI")
@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_zizmor_finds_nothing_in_a_workflow_and_finds_a_token_that_stays_on_the_disk(workflow, tmp_path):
    weak = tmp_path / "weak.yml"
    weak.write_text(workflow.read_text().replace("persist-credentials: false", "fetch-depth: 1"))
    for path, expected in ((workflow, []), (weak, ["artipacked"])):
        # Without a configuration: the one of another program could turn checks off.
        command = [ZIZMOR, "--offline", "--no-config", "--format=json", path]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert sorted({found["ident"] for found in json.loads(done.stdout)}) == expected, done.stdout + done.stderr


def test_each_result_that_a_step_uses_has_a_step():
    for workflow in WORKFLOWS:
        for job in yaml.safe_load(workflow.read_text())["jobs"].values():
            named = {step["id"] for step in job["steps"] if "id" in step}
            assert set(re.findall(r"\bsteps\.(\w+)\.", json.dumps(job))) == named
            columns = {name for entry in job.get("strategy", {}).get("matrix", {}).get("include", []) for name in entry}
            assert set(re.findall(r"\bmatrix\.(\w+)", json.dumps(job))) == columns


def test_contributing_names_what_only_the_service_can_do():
    text = (REPOSITORY / "CONTRIBUTING.md").read_text()
    named = {step["uses"].partition("@")[0] for workflow in WORKFLOWS for step in steps(workflow) if "uses" in step}
    assert [name for name in {*named, ONLY_THERE.strip()} if f"`{name}`" not in text] == []

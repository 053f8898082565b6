"""The metrics of a program, and a Prometheus server that reads them."""

import json
import re
import urllib.parse
import urllib.request

from .process import Process, free_port, wait_until

OPEN_METRICS = "application/openmetrics-text; version=1.0.0"
SAMPLE = re.compile(r"^(\w+)(?:\{(.*)\})? (\S+)$")
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


class Metrics:
    """The address of a program's metrics. `settings` makes the program answer there."""

    def __init__(self):
        self.port = free_port()
        self.settings = {"SIGNIN_ADMIN_LISTEN": f"tcp:127.0.0.1:{self.port}"}

    @property
    def target(self):
        return f"127.0.0.1:{self.port}"

    def get(self, accept=None, method="GET"):
        """The answer with its text."""
        headers = {"Accept": accept} if accept else {}
        request = urllib.request.Request(f"http://{self.target}/metrics", headers=headers, method=method)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer, answer.read().decode()

    def samples(self):
        """The values of all series, by name and labels."""
        found = {}
        for line in self.get()[1].splitlines():
            if not line.startswith("#"):
                name, labels, value = SAMPLE.match(line).groups()
                key = name, frozenset(LABEL.findall(labels or ""))
                assert key not in found, f"twice: {line}"
                found[key] = float(value)
        return found

    def value(self, metric, **labels):
        """The sum of all series of a metric that have these labels; None if there are none."""
        wanted = set(labels.items())
        values = [value for (name, has), value in self.samples().items() if name == metric and wanted <= has]
        return sum(values) if values else None

    def number(self, metric, **labels):
        """The same; 0 if there are none."""
        return self.value(f"linkedin_signin_{metric}", **labels) or 0


class Prometheus(Process):
    """A server that reads the metrics of some targets several times a second."""

    def __init__(self, directory, targets, rules=()):
        self.port = free_port()
        configuration = {
            "global": {"scrape_interval": "200ms", "evaluation_interval": "200ms"},
            "scrape_configs": [{"job_name": "linkedin-signin", "static_configs": [{"targets": targets}]}],
            "rule_files": [str(path) for path in rules],
        }
        directory.mkdir()
        file = directory / "prometheus.yml"
        file.write_text(json.dumps(configuration))  # JSON is YAML
        listen = f"--web.listen-address=127.0.0.1:{self.port}"
        storage = f"--storage.tsdb.path={directory}/data"
        super().__init__("prometheus", ["prometheus", f"--config.file={file}", storage, listen], directory)
        self.targets = targets

    def __enter__(self):
        self.wait_for_listener(("127.0.0.1", self.port))
        wait_until(lambda: len(self.query("up == 1")) == len(self.targets), "all targets")
        return self

    def get(self, path, **parameters):
        address = f"http://127.0.0.1:{self.port}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
        try:
            with urllib.request.urlopen(address, timeout=10) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            if error.code == 503:  # not ready yet
                return {"result": []}
            raise AssertionError(f"{parameters}: {error.read().decode()}") from error

    def query(self, expression):
        """The series of an instant query; fails if Prometheus does not understand it."""
        return self.get("query", query=expression)["result"]

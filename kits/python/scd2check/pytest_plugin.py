"""Makes pytest tests of a run: ``pytest --scd2check solution.py``.

One run for each file; its cases, its checks and the run itself become tests, under the names that JUnit reports have.
The harness is a Node program. It is found beside this kit, or called by ``npx``; ``--scd2check-command`` names another.
"""

import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

BESIDE = Path(__file__).resolve().parents[3] / "bin" / "scd2check.js"


def pytest_addoption(parser):
    group = parser.getgroup("scd2check", "SCD2 implementations")
    group.addoption(
        "--scd2check",
        action="append",
        default=[],
        metavar="PATH",
        help="check this SCD2 implementation: its cases and checks become tests",
    )
    group.addoption(
        "--scd2check-args",
        default="",
        metavar="FLAGS",
        help="flags for scd2check, such as '--contract daily-merge --histories 200'",
    )
    group.addoption(
        "--scd2check-command",
        default=os.environ.get("SCD2CHECK_COMMAND", ""),
        metavar="COMMAND",
        help="how scd2check is called (default: `npx scd2check`)",
    )


def pytest_configure(config):
    for path in config.getoption("--scd2check"):
        where = config.invocation_params.dir / path
        if not where.exists():
            raise pytest.UsageError(f"--scd2check: there is no {path}, so there is nothing to check.")
        if str(where) in config.args:
            continue
        # Alone, it takes the place of the folder that pytest would look through.
        if config.args_source is not config.ArgsSource.ARGS:
            config.args = []
            config.args_source = config.ArgsSource.ARGS
        config.args.append(str(where))


def pytest_collect_file(file_path, parent):
    base = parent.config.invocation_params.dir
    for path in parent.config.getoption("--scd2check"):
        if (base / path).resolve() == file_path.resolve():
            return Implementation.from_parent(parent, path=file_path, name=path)
    return None


class Implementation(pytest.File):
    """A file whose tests are what one run of scd2check says of it."""

    def collect(self):
        for test in run(self.config, self.path):
            yield Outcome.from_parent(self, name=f"{test['suite'][-1]}::{test['name']}", test=test)


class Outcome(pytest.Item):
    """A case, a check, or the run itself: it was decided when the file was collected."""

    def __init__(self, *, test, **kwargs):
        super().__init__(**kwargs)
        self.test = test

    def runtest(self):
        status = self.test["status"]
        if status == "skipped":
            pytest.skip(self.test.get("message", "does not apply"))
        if status != "passed":
            raise Violation(self.test)

    def repr_failure(self, excinfo, style=None):
        if isinstance(excinfo.value, Violation):
            return excinfo.value.text
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, None, self.name


class Violation(Exception):
    """What failed, or could not be judged."""

    def __init__(self, test):
        super().__init__(test.get("message", test["status"]))
        self.text = test.get("trace") or str(self)


def run(config, path):
    """The tests of one run, as CTRF has them. A run that does not begin is an error of collection, in the harness's words."""
    with tempfile.TemporaryDirectory(prefix="scd2check-pytest-") as folder:
        report = Path(folder) / "report.json"
        flags = shlex.split(config.getoption("--scd2check-args"))
        # `--quiet` first: what else is said goes to the report.
        argv = [*command(config), str(path), *flags, "--quiet", "--reporter", f"ctrf:{report}"]
        env = {**os.environ}
        env.setdefault("SCD2CHECK_PYTHON", sys.executable)
        try:
            done = subprocess.run(argv, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        except OSError as error:
            raise Implementation.CollectError(
                f"scd2check could not be called ({shlex.join(argv[:2])}: {error.strerror}). It needs Node 20: https://nodejs.org"
            ) from None
        if not report.exists():
            said = done.stderr.strip() or done.stdout.strip() or f"scd2check ended with {done.returncode}."
            raise Implementation.CollectError(said)
        return json.loads(report.read_text(encoding="utf-8"))["results"]["tests"]


def command(config):
    chosen = config.getoption("--scd2check-command")
    if chosen:
        return shlex.split(chosen)
    if BESIDE.exists():
        return ["node", str(BESIDE)]
    return ["npx", "--yes", "scd2check"]

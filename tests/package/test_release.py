"""A release has one version, one way to be published, and documents of what is in it."""

import re
import tomllib

import pytest
import yaml

import impulse_env
from paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSION = PROJECT["version"]
JOBS = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8"))["jobs"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))

pytestmark = pytest.mark.checkout


def needed(job):
    """Return the names of the jobs that run before a job."""
    direct = JOBS[job].get("needs", [])
    direct = [direct] if isinstance(direct, str) else direct
    return {*direct, *(name for one in direct for name in needed(one))}


def steps(job):
    return [step.get("uses", step.get("run", "")) for step in JOBS[job]["steps"]]


def test_the_version_is_the_same_everywhere():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## (\S+) - (\d{4}-\d\d-\d\d)$", changelog, re.MULTILINE)
    assert newest[1] == VERSION
    assert impulse_env.__version__ == VERSION
    assert CITATION["version"] == VERSION
    assert str(CITATION["date-released"]) == newest[2]


def test_the_citation_agrees_with_the_project():
    assert {"cff-version", "message", "title", "authors", "license"} <= set(CITATION)
    assert CITATION["license"] in PROJECT["license"]
    assert [author["name"] for author in CITATION["authors"]] == [
        author["name"] for author in PROJECT["authors"]
    ]


def test_classifiers_name_every_python_with_a_wheel():
    pythons = JOBS["wheels"]["strategy"]["matrix"]["python"]
    prefix = "Programming Language :: Python :: 3."
    named = [line for line in PROJECT["classifiers"] if line.startswith(prefix)]
    assert [line.rsplit(" ", 1)[1] for line in named] == pythons


def test_nothing_is_published_that_was_not_checked_and_attested():
    assert {"check", "wheels", "sdist", "attest"} <= needed("publish")
    assert any(step.startswith("actions/attest-build-provenance@") for step in steps("attest"))
    assert any(step.startswith("actions/attest-sbom@") for step in steps("attest"))


def test_only_jobs_without_code_of_the_checkout_may_sign_or_publish():
    for job, settings in JOBS.items():
        if "id-token" in settings.get("permissions", {}):
            assert all("@" in step for step in steps(job)), job
    assert JOBS["publish"]["environment"] == "release"

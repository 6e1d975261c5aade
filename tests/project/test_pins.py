"""What a release is built with and what npm fetches is pinned by hash, and another hash is refused."""

import json
import re
import shutil
import subprocess

import pytest
import yaml
from support.paths import ROOT

from web import build

RELEASE = ROOT / "requirements-release.txt"
LOCK = ROOT / "web" / "package-lock.json"
PINNED = re.compile(r"([a-z0-9-]+)==\S+( ; [^\\\n]+)?( \\\n    --hash=sha256:[0-9a-f]{64})+")


def test_each_tool_of_a_release_has_its_version_and_hashes():
    lines = [line for line in RELEASE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    tools = [PINNED.fullmatch(one) for one in re.split(r"\n(?! )", "\n".join(lines))]
    assert all(tools)
    assert {"build", "hatchling", "twine"} < {tool[1] for tool in tools if tool}


def test_a_release_is_built_with_these_tools_alone():
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))
    commands = [step["run"] for step in workflow["jobs"]["build"]["steps"] if "run" in step]
    assert [one for one in commands if one.startswith("make")] == ["make dist"]
    asked = subprocess.run(["make", "--dry-run", "--always-make", "dist"], cwd=ROOT, capture_output=True, text=True)
    installing = [line for line in asked.stdout.splitlines() if "pip" in line]
    assert len(installing) == 1
    assert f"install --require-hashes --requirement {RELEASE.name}" in installing[0]


def test_the_audit_is_about_every_pin():
    told = yaml.safe_load((ROOT / ".github" / "workflows" / "audit.yml").read_text(encoding="utf-8"))
    when = told[True]  # YAML reads `on` as true
    assert when["schedule"]
    pins = {"pyproject.toml", "constraints.txt", RELEASE.name, LOCK.relative_to(ROOT).as_posix()}
    assert set(when["push"]["paths"]) == set(when["pull_request"]["paths"]) == pins
    assert all((ROOT / pin).is_file() for pin in pins)


def test_all_that_npm_fetches_has_a_hash_and_no_registry_is_named():
    packages = json.loads(LOCK.read_text(encoding="utf-8"))["packages"]
    wanted = json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))["dependencies"]
    assert {name: packages[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    fetched = {path: facts for path, facts in packages.items() if path}
    assert all(facts["integrity"].startswith("sha512-") for facts in fetched.values())
    assert not any("resolved" in facts for facts in fetched.values())


@pytest.mark.skipif(not shutil.which("npm"), reason="there is no npm")
def test_another_hash_builds_no_page(tmp_path, monkeypatch, capfd):
    (tmp_path / "web").mkdir()
    for name in build.PINS:
        shutil.copy(ROOT / "web" / name, tmp_path / "web")
    lock = json.loads(LOCK.read_text(encoding="utf-8"))
    lock["packages"]["node_modules/pyodide"]["integrity"] = "sha512-" + 86 * "A" + "=="
    (tmp_path / "web" / LOCK.name).write_text(json.dumps(lock), encoding="utf-8")
    monkeypatch.setattr(build, "ROOT", tmp_path)
    monkeypatch.setattr(build, "WORK", tmp_path / "build")
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    with pytest.raises(subprocess.CalledProcessError):
        build._from_npm("pyodide")
    assert not list(tmp_path.rglob("pyodide.mjs"))
    if "ENOTFOUND" not in (said := capfd.readouterr().err):  # no network: nothing came that could be compared
        assert "EINTEGRITY" in said

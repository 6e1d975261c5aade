"""What is released: wheel and sdist, the version, the files that describe and check the project."""

import os
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest
from support.paths import ROOT

import spades_env

yaml = pytest.importorskip("yaml", reason="the project's own files are read with PyYAML")

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = [path for path in sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")) if path.stem != "config"]
HOOKS = ROOT / ".pre-commit-config.yaml"
CITATION = ROOT / "CITATION.cff"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TARGETS = set(re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]


def read(path: Path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps(path: Path) -> list[dict]:
    return [step for job in read(path)["jobs"].values() for step in job["steps"]]


def lines(path: Path) -> list[str]:
    """All that a workflow runs."""
    return [line.strip() for step in steps(path) for line in step.get("run", "").splitlines()]


def test_the_version_stands_in_one_place():
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "spades_env/_version.py"
    assert re.fullmatch(r"\d+\.\d+\.\d+", spades_env.__version__)
    done = subprocess.run(["make", "--silent", "version"], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == spades_env.__version__
    assert read(CITATION)["version"] == spades_env.__version__


def test_the_readme_holds_on_a_package_index(tmp_path):
    for name in ("README.md", "pyproject.toml", "CITATION.cff"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    [step] = [one for one in steps(ROOT / ".github" / "workflows" / "release.yml") if "README" in one.get("name", "")]
    names = {"GITHUB_SERVER_URL": "https://host.example", "GITHUB_REPOSITORY": "o/r", "GITHUB_REF_NAME": "v1.2.3"}
    subprocess.run(["bash", "-e", "-c", step["run"]], cwd=tmp_path, env=os.environ | names, check=True)
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    links = re.findall(r'\]\(([^)]+)\)|(?:href|src|srcset)="([^"]+)"', text)
    assert len(links) > 30
    assert [link for link in map("".join, links) if not link.startswith("https://")] == []
    assert 'src="https://host.example/o/r/raw/v1.2.3/docs/hand.svg"' in text
    assert "](https://host.example/o/r/blob/v1.2.3/docs/measuring.md#how-exploitable-is-an-agent)" in text
    assert {*re.findall(r"pip install ([^ `\n]+)", text)} == {'"spades-env"', '"spades-env[play]"'}
    project = tomllib.loads((tmp_path / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["urls"]["Source"] == read(tmp_path / "CITATION.cff")["repository-code"] == "https://host.example/o/r"


def test_the_citation_is_complete():
    told = read(CITATION)
    assert told["cff-version"] == "1.2.0"
    assert {"message", "title", "authors", "license", "type"} <= set(told)
    assert told["license"] == PROJECT["project"]["license"]
    assert [author["name"] for author in told["authors"]] == [one["name"] for one in PROJECT["project"]["authors"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_are_whole(path):
    told = read(path)
    assert {"name", "jobs", "permissions"} <= set(told)
    assert told.get("on", told.get(True)), "YAML reads `on` as true"
    assert told["permissions"] == {"contents": "read"}, "rights are given to single jobs"
    for name, job in told["jobs"].items():
        assert "runs-on" in job, name
        needs = job.get("needs", [])
        assert set([needs] if isinstance(needs, str) else needs) <= set(told["jobs"])
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step), step
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step.get("uses", f"a@{0:040}")), (
                "pinned by hash, not by a tag"
            )


def test_the_workflows_that_there_are():
    ours = {"lint", "tests", "docs", "release", "coverage", "daily", "weekly", "audit", "entries", "comment"}
    assert {path.stem for path in WORKFLOWS} == ours
    jobs = read(ROOT / ".github" / "workflows" / "tests.yml")["jobs"]
    versions = jobs["tests"]["strategy"]["matrix"]["python"]
    told = [text.rsplit(" ", 1)[1] for text in PROJECT["project"]["classifiers"] if "Python ::" in text]
    assert versions == told


def test_publishing_needs_no_password():
    told = read(ROOT / ".github" / "workflows" / "release.yml")
    assert told["jobs"]["publish"]["permissions"] == {"id-token": "write"}
    assert told["jobs"]["publish"]["needs"] == "attest"
    assert told["jobs"]["attest"]["needs"] == ["build", "check"]
    assert told["jobs"]["attest"]["permissions"] == {"attestations": "write", "id-token": "write"}
    assert "secrets." not in (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")


def test_pinned_actions_say_their_version():
    for path in WORKFLOWS:
        for line in path.read_text(encoding="utf-8").splitlines():
            assert "uses:" not in line or re.search(r"@[0-9a-f]{40}  # v\d+\.\d+\.\d+$", line), f"{path.name}: {line}"


def test_dependencies_end_before_the_next_major_version():
    extras = PROJECT["project"]["optional-dependencies"]
    run_time = [
        one for name in ("render", "train", "play", "arena", "onnx", "data", "completion") for one in extras[name]
    ]
    for requirement in [*PROJECT["project"]["dependencies"], *run_time]:
        assert re.fullmatch(r"[\w-]+>=[\d.]+,<[\d.]+", requirement), f"{requirement} has no upper bound"


def test_the_extra_for_the_pages_formats_their_signatures():
    """mkdocstrings asks for a formatter of code, and prints signatures on one long line without one."""
    assert "separate_signature: true" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert any(one.startswith("ruff") for one in PROJECT["project"]["optional-dependencies"]["docs"])


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_what_workflows_run_is_there(path):
    for line in lines(path):
        for target in re.findall(r"\bmake (?:--silent )?([\w-]+)", line):
            assert target in TARGETS, f"{path.name} makes {target}"
        for script in re.findall(r"\bpython (\S+\.py)", line):
            assert (ROOT / script).exists(), f"{path.name} runs {script}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_what_pages_make_is_there(path):
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"^    make ([a-z][\w-]*)|`make ([a-z][\w-]*)`", text, re.MULTILINE):
        assert set(target) - {""} <= TARGETS, f"{path.name} makes {target}"


def test_extras_that_are_named_are_there():
    extras = set(PROJECT["project"]["optional-dependencies"])
    sources = [
        ROOT / "Makefile",
        *PAGES,
        *(ROOT / "spades_env").rglob("*.py"),
    ]
    for path in sources:
        for found in re.findall(r"(?:spades-env|['\" ]\.)\[([a-z0-9,-]+)\]", path.read_text(encoding="utf-8")):
            assert set(found.split(",")) <= extras, f"{path.name} installs [{found}]"


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_issue_forms_ask_something(path):
    told = read(path)
    assert {"name", "description", "body"} <= set(told)
    fields = [field for field in told["body"] if field["type"] != "markdown"]
    assert len({field["id"] for field in fields}) == len(fields) > 0
    for field in fields:
        assert field["type"] in ("textarea", "input", "dropdown", "checkboxes")
        assert field["attributes"]["label"]
    assert any(field.get("validations", {}).get("required") for field in fields)


def test_hooks_are_our_own():
    (repo,) = read(HOOKS)["repos"]
    assert repo["repo"] == "local"
    for hook in repo["hooks"]:
        assert {"id", "name", "entry", "language"} <= set(hook)
        for script in re.findall(r"\S+\.py\b", hook["entry"]):
            assert (ROOT / script).exists()
    assert [hook["id"] for hook in repo["hooks"]][:2] == ["ruff-check", "ruff-format"]


def test_both_distributions_pass_the_check(dist):
    pytest.importorskip("twine", reason="distributions are checked with twine")
    files = [str(path) for path in dist.iterdir()]
    assert len(files) == 2
    done = subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *files], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_sdist_holds_what_the_tests_need(dist):
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    done = subprocess.run(["git", "ls-files", "--cached"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode or not done.stdout:
        pytest.skip("this is no clone: there is no list of files to compare with")
    ours = {name for name in done.stdout.split() if not name.startswith(".ci/")}
    assert sorted(ours - names) == []

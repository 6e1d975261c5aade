"""A stranger's bot is scored by a job that may only read; the job that comments runs nothing of the stranger's."""

import os
import subprocess

import pytest
from support.paths import ROOT

yaml = pytest.importorskip("yaml", reason="the project's own files are read with PyYAML")
FOLDER = ROOT / ".github" / "workflows"


def read(name: str) -> dict:
    return yaml.safe_load((FOLDER / f"{name}.yml").read_text(encoding="utf-8"))


def commands(name: str) -> list[str]:
    return [step["run"] for job in read(name)["jobs"].values() for step in job["steps"] if "run" in step]


def test_the_score_is_of_a_pull_request_and_may_only_read():
    told = read("entries")
    assert told[True] == {"pull_request": {"paths": ["entries/**"]}}
    assert all("permissions" not in job for job in told["jobs"].values())
    base, proposed = (step["with"] for step in told["jobs"]["score"]["steps"][:2])
    assert (base["ref"], proposed["path"]) == ("${{ github.event.pull_request.base.sha }}", "proposed")
    trial = next(one for one in commands("entries") if "spades benchmark" in one)
    assert "way=bwrap" in trial
    assert '--isolate "$way"' in trial


SPADES = """#!/bin/sh
echo "$@"
[ "$2" != proposed/entries/slow ]
"""


def test_the_changed_bots_are_scored_and_a_failed_one_is_named(tmp_path):
    made = tmp_path / "proposed"
    git = ["git", "-C", str(made), "-c", "user.name=a", "-c", "user.email=a"]
    for name in ("old", "new", "slow", "boxed one"):
        (made / "entries" / name).mkdir(parents=True)
        (made / "entries" / name / "entry.toml").write_text('image = "x"\n' * (name == "boxed one"), encoding="utf-8")
    subprocess.run([*git[:3], "init", "-q"], check=True)
    for names in (["old"], ["new", "slow", "boxed one"]):
        subprocess.run([*git, "add", *(f"entries/{name}" for name in names)], check=True)
        subprocess.run([*git, "commit", "-qm", "x"], check=True)
    base = subprocess.run([*git, "rev-parse", "HEAD~"], capture_output=True, text=True, check=True).stdout.strip()
    spades = tmp_path / ".venv" / "bin" / "spades"
    spades.parent.mkdir(parents=True)
    spades.write_text(SPADES, encoding="utf-8")
    spades.chmod(0o755)
    trial = next(one for one in commands("entries") if "spades benchmark" in one)
    known = os.environ | {"BASE": base, "NUMBER": "7"}
    subprocess.run(["bash", "-e", "-c", trial], cwd=tmp_path, env=known, check=True)
    lines = (tmp_path / "table" / "table.txt").read_text(encoding="utf-8").split("\n")
    asked = "benchmark proposed/entries/{} --games 100 --beside --isolate {}"
    assert lines == [
        asked.format("boxed one", "podman"),
        "",
        asked.format("new", "bwrap"),
        "",
        asked.format("slow", "bwrap"),
        "entries/slow: no score (exit status 1)",
        "",
        "",
    ]


def test_the_comment_runs_nothing_of_the_pull_request():
    told = read("comment")
    assert told[True]["workflow_run"]["workflows"] == [read("entries")["name"]]
    job = told["jobs"]["post"]
    assert job["permissions"] == {"actions": "read", "pull-requests": "write"}
    used = [step["uses"].split("@")[0] for step in job["steps"] if "uses" in step]
    assert used == ["actions/download-artifact"]


@pytest.mark.parametrize("name", ["entries", "comment"])
def test_no_text_of_strangers_and_no_secret_reaches_a_shell(name):
    text = (FOLDER / f"{name}.yml").read_text(encoding="utf-8")
    assert "secrets." not in text
    assert "pull_request_target" not in text
    for command in commands(name):
        assert "${{" not in command
        assert subprocess.run(["bash", "-n"], input=command, text=True, capture_output=True).stderr == ""


GH = """#!/bin/sh
if [ "$2" = view ]; then echo abc; else cp "$5" "posted-$3"; fi
"""


def posted(folder, number: str = "7", head: str = "abc") -> str | None:
    """Run the job that comments and return what it posts."""
    (folder / "gh").write_text(GH, encoding="utf-8")
    (folder / "gh").chmod(0o755)
    (folder / "table" / "number").write_text(number, encoding="utf-8")
    known = os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "HEAD": head}
    subprocess.run(["bash", "-e", "-c", commands("comment")[0]], cwd=folder, env=known, capture_output=True)
    path = folder / "posted-7"
    return path.read_text(encoding="utf-8") if path.exists() else None


def test_a_table_can_leave_its_block_of_text_no_more(tmp_path):
    (tmp_path / "table").mkdir()
    (tmp_path / "table" / "table.txt").write_text("```\n@everybody\n", encoding="utf-8")
    assert posted(tmp_path) == "```text\n\n@everybody\n\n```\n"


@pytest.mark.parametrize(("number", "head"), [("7; id", "abc"), ("7", "of another head")])
def test_a_table_of_another_pull_request_is_not_posted(tmp_path, number, head):
    (tmp_path / "table").mkdir()
    (tmp_path / "table" / "table.txt").write_text("score", encoding="utf-8")
    assert posted(tmp_path, number, head) is None


def test_neither_an_empty_table_nor_a_file_of_the_machine_is_posted(tmp_path):
    (tmp_path / "table").mkdir()
    (tmp_path / "table" / "table.txt").touch()
    assert posted(tmp_path) is None
    (tmp_path / "table" / "table.txt").unlink()
    (tmp_path / "table" / "table.txt").symlink_to("/proc/self/environ")
    assert posted(tmp_path) is None

"""A stranger's bot is scored by a job that may only read; the job that comments runs nothing of the stranger's."""

import re
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
    assert "--isolate bwrap" in trial


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


def test_a_table_can_leave_its_block_of_text_no_more(tmp_path):
    (tmp_path / "table").mkdir()
    (tmp_path / "table" / "table.txt").write_text("```\n@everybody\n", encoding="utf-8")
    command = next(line for line in commands("comment")[0].splitlines() if "table.txt" in line)
    subprocess.run(["bash", "-c", command], cwd=tmp_path, check=True)
    assert re.findall("```.*", (tmp_path / "comment.md").read_text(encoding="utf-8")) == ["```text", "```"]

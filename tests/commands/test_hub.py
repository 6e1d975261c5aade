"""`spades push`, `spades pull` and agents called hf:OWNER/NAME, against a hub on this machine."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import gymnasium
import pytest
from support.agents.hubs import Hub, running_hub
from support.agents.levels import level_file, random_level
from support.paths import ROOT

from spades_env import Game, agents
from spades_env.agents.agent_name import AgentName
from spades_env.agents.base import AgentError
from spades_env.agents.network import hub as hubs
from spades_env.agents.network.level import Level
from spades_env.agents.network.model_card import CARD, FILE, NETWORK_FILE, model_card
from spades_env.agents.network.player import NetworkAgent
from spades_env.agents.registry import fingerprint_source
from spades_env.agents.roster import LEVELS, character_named
from spades_env.play.commands.cli import REFUSED, main

RATED = {"rule": {"won": 0.625, "ci": [0.6, 0.65], "points": 8.25, "games": 1000, "iterations": 40}}


@pytest.fixture
def hub(tmp_path, monkeypatch) -> Iterator[Hub]:
    """A hub where the user me is signed in, and an empty cache."""
    constants = pytest.importorskip("huggingface_hub.constants", reason="hubs need huggingface_hub")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_TOKEN", "hf_good")
    with running_hub() as hub:
        ask_at(hub.address, monkeypatch)
        yield hub
    hubs.fetch.cache_clear()


def ask_at(address: str, monkeypatch) -> None:
    """Ask the hub at this address from now on, as a new process with HF_ENDPOINT would."""
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "ENDPOINT", address)
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", address + "/{repo_id}/resolve/{revision}/{filename}")
    hubs.fetch.cache_clear()


@pytest.fixture
def level(tmp_path) -> Path:
    return level_file(tmp_path, "mine.safetensors", ratings=RATED)


def refusal(capsys, *words: str) -> str:
    """What stands on stderr when a command is refused."""
    assert main(list(words)) == REFUSED
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    return told


def refused(name: str) -> str:
    """What an agent's name is refused with."""
    with pytest.raises(AgentError) as error:
        agents.load(name)
    assert "\n" not in str(error.value)
    return str(error.value)


# There and back


def test_a_level_is_pushed_and_pulled(hub, level, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["push", str(level), "me/first"]) == 0
    assert f"{hub.address}/me/first: <Level anyhow: 24 wide" in capsys.readouterr().out
    assert len(hub.repositories["me/first"]) == 2  # both files in one commit
    assert hub.files("me/first") == {FILE: level.read_bytes(), CARD: model_card(Level.read(level), "me/first").encode()}
    assert not hub.private
    assert main(["pull", "me/first"]) == 0
    assert (tmp_path / "first.safetensors").read_bytes() == level.read_bytes()
    assert "first.safetensors: <Level anyhow" in capsys.readouterr().out
    assert main(["pull", "me/first"]) == 0  # once more: it is there already


def test_a_push_replaces_level_and_card(hub, tmp_path):
    for seed in (1, 2):
        path = level_file(tmp_path, f"{seed}.safetensors", seed=seed, name=f"number {seed}")
        assert main(["push", str(path), "me/first", "--private"]) == 0
    assert hub.files("me/first")[FILE] == path.read_bytes()
    assert "# number 2" in hub.files("me/first")[CARD].decode()
    assert hub.private == {"me/first"}


def test_a_level_of_the_package_goes_by_its_name(hub, capsys):
    assert main(["push", "milly", "me/milly"]) == 0
    assert hub.files("me/milly")[FILE] == (LEVELS / "milly.safetensors").read_bytes()


def test_revisions_are_kept_apart(hub, tmp_path, capsys):
    for seed in (1, 2):
        assert main(["push", str(level_file(tmp_path, f"{seed}.safetensors", seed=seed)), "me/first"]) == 0
    assert main(["pull", "me/first@v1", "--out", str(tmp_path / "old.safetensors")]) == 0
    assert (tmp_path / "old.safetensors").read_bytes() == (tmp_path / "1.safetensors").read_bytes()
    assert fingerprint_source("hf:me/first@v1") == (tmp_path / "1.safetensors").read_bytes()
    assert fingerprint_source("bis/hf:me/first") == (tmp_path / "2.safetensors").read_bytes()


def test_a_network_takes_the_place_of_a_level(hub, level, tmp_path, monkeypatch, capsys):
    """… and a level that of a network."""
    from spades_env.training.onnx_file import write_onnx

    pytest.importorskip("onnxruntime")
    monkeypatch.chdir(tmp_path)
    write_onnx(Level.read(level), tmp_path / "other.onnx")
    content = (tmp_path / "other.onnx").read_bytes()
    assert main(["push", str(level), "me/first"]) == 0
    assert main(["push", "other.onnx", "me/first"]) == 0
    assert set(hub.files("me/first")) == {NETWORK_FILE, CARD}
    assert hub.files("me/first")[NETWORK_FILE] == content
    card = hub.files("me/first")[CARD].decode()
    assert "float32[N, 824]" in card
    assert "license" not in card  # its author's to say
    assert main(["pull", "me/first"]) == 0
    assert (tmp_path / "first.onnx").read_bytes() == content
    view = Game("classic", seed=3).view(Game("classic", seed=3).turn)
    ours, theirs = agents.load("hf:me/first+temperature:2", seed=1), agents.load("other.onnx+temperature:2", seed=1)
    assert ours.hint(view) == theirs.hint(view)
    assert "expected hf:me/first or hf:me/first+temperature:T" in refused("hf:me/first+trial:4")
    hubs.fetch.cache_clear()
    assert main(["push", str(level), "me/first"]) == 0
    assert set(hub.files("me/first")) == {FILE, CARD}
    assert isinstance(agents.load("hf:me/first"), NetworkAgent)


def test_a_network_that_does_not_play_is_not_pushed(hub, tmp_path, capsys):
    (tmp_path / "no.onnx").write_bytes(b"no network")
    assert "no.onnx cannot be played: " in refusal(capsys, "push", str(tmp_path / "no.onnx"), "me/first")
    assert "cannot read network" in refusal(capsys, "push", str(tmp_path / "none.onnx"), "me/first")
    assert not hub.repositories


# As an agent


def test_it_plays_as_its_file_does(hub, level):
    hub.commit("me/first", {FILE: level.read_bytes()})
    game = Game("classic", seed=3)
    ours, theirs = agents.load("hf:me/first", seed=1), agents.load(str(level), seed=1)
    assert ours.name == "hf:me/first"
    while game.phase != "play":
        view = game.view(game.turn)
        assert ours.act(view) == theirs.act(view)
        game.apply(ours.act(view))


@pytest.mark.parametrize(
    "name",
    [
        "hf:me/first+temperature:0.5",
        "hf:me/first@v1",
        "bis/hf:me/first",
        "hf:me/first/rb",
        "rb/hf:me/first@v1+ending:3",
    ],
)
def test_it_takes_options_and_makes_pairs(name, hub, level):
    hub.commit("me/first", {FILE: level.read_bytes()})
    agents.check_name(name)
    assert agents.load(name).name == name


def test_the_hub_is_asked_once_a_process(hub, level):
    hub.commit("me/first", {FILE: level.read_bytes()})
    env = gymnasium.make("spades_env:Spades-v0", opponents="hf:me/first")
    assert hub.asked == []  # names are checked, nothing is fetched
    for seed in range(3):
        env.reset(seed=seed)
    assert sum(asked.startswith("GET /me/first") for asked in hub.asked) == 1
    assert sum(asked.startswith("HEAD /me/first") for asked in hub.asked) == 1


def test_names_are_taken_apart():
    first, second = AgentName.parse_pair("hf:me/x.y-z@main+trial:64/hf:you/b")
    assert second
    assert (first.name, first.options, second.name) == ("hf:me/x.y-z@main", ("trial:64",), "hf:you/b")
    assert AgentName.parse("hf:me/x.safetensors").level is None
    first, second = AgentName.parse_pair("./hf/x.safetensors/rb")
    assert second
    assert (first.level, second.name) == (Path("hf/x.safetensors"), "rb")


def test_another_process_asks_where_hf_endpoint_says(hub, level, tmp_path):
    hub.commit("me/first", {FILE: level.read_bytes()})
    asked = os.environ | {"HF_ENDPOINT": hub.address, "HF_HOME": str(tmp_path / "home")}
    code = "from spades_env import agents; print(agents.load('hf:me/first').name)"
    done = subprocess.run([sys.executable, "-c", code], env=asked, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "hf:me/first\n", done.stderr


# What cannot be had


def test_a_damaged_level_is_refused(hub, level, tmp_path, capsys):
    content = bytearray(level.read_bytes())
    content[-1] ^= 1
    hub.commit("me/first", {FILE: bytes(content)})
    assert "'hf:me/first' cannot be played: " in refused("hf:me/first")
    assert "it is damaged: its digest does not fit its content" in refused("hf:me/first")
    assert "it is damaged" in refusal(capsys, "pull", "me/first", "--out", str(tmp_path / "x.safetensors"))
    assert not (tmp_path / "x.safetensors").exists()


def test_a_level_of_another_format_is_refused(hub):
    hub.commit("me/first", {FILE: b"no level at all"})
    assert "it is not a whole safetensors file" in refused("hf:me/first")


def test_what_is_not_there_is_named(hub, level):
    hub.commit("me/empty", {CARD: b"words"})
    assert "there is no repository me/none, or it is private" in refused("hf:me/none")
    assert "the repository me/empty has no revision v7" in refused("hf:me/empty@v7")
    assert f"the repository me/empty holds no {FILE} or {NETWORK_FILE}: `spades push` puts" in refused("hf:me/empty")
    assert "invalid repository 'me/a--b'" in refused("hf:me/a--b")


def test_offline_it_says_so_or_plays_what_was_kept(hub, level, monkeypatch):
    hub.commit("me/first", {FILE: level.read_bytes()})
    agents.load("hf:me/first")
    ask_at("http://127.0.0.1:9", monkeypatch)  # nobody listens there
    monkeypatch.setattr("time.sleep", lambda seconds: None)  # the library tries again several times
    assert agents.load("hf:me/first").name == "hf:me/first"
    told = refused("hf:me/second")
    assert told == (
        "hf:me/second cannot be fetched: the hub is out of reach, and no copy was kept here. "
        "Connect, or name a level's file"
    )


def test_a_push_offline_says_so(hub, level, monkeypatch, capsys):
    ask_at("http://127.0.0.1:9", monkeypatch)
    assert "spades: the hub cannot be asked about me/first: " in refusal(capsys, "push", str(level), "me/first")


def test_who_is_not_signed_in_cannot_push(hub, level, monkeypatch, capsys):
    monkeypatch.setenv("HF_TOKEN", "hf_bad")
    told = refusal(capsys, "push", str(level), "me/first")
    assert "the hub refused: " in told
    assert "`hf auth login` signs in" in told
    assert not hub.repositories


def test_another_file_is_left_alone(hub, level, tmp_path, capsys):
    hub.commit("me/first", {FILE: level.read_bytes()})
    (tmp_path / "thesis.safetensors").write_text("mine")
    told = refusal(capsys, "pull", "me/first", "--out", str(tmp_path / "thesis.safetensors"))
    assert "is there already and holds something else: name another file with --out" in told
    assert (tmp_path / "thesis.safetensors").read_text() == "mine"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["push", "x.safetensors", "first"], "invalid repository 'first'; expected OWNER/NAME"),
        (["push", "x.safetensors", "me/first@v1"], "a revision cannot be pushed"),
        (["push", "mc:8x8", "me/first"], "'mc:8x8' cannot be pushed: spades push takes a level's file or name"),
        (["push", "standard+trial:8", "me/first"], "'standard+trial:8' cannot be pushed"),
        (["push", "no.safetensors", "me/first"], "cannot read level no.safetensors"),
        (["pull", "me/first/second"], "invalid repository 'me/first/second'"),
    ],
)
def test_what_makes_no_sense_is_refused(words, told, capsys):
    assert told in refusal(capsys, *words)


def test_a_name_without_an_owner_is_refused():
    assert "unknown agent 'hf:first'" in refused("hf:first")
    assert "hf:OWNER/NAME" in refused("hf:first")


def test_without_the_library_it_says_what_to_install(monkeypatch, capsys, level):
    hubs.fetch.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "huggingface_hub"] or ["huggingface_hub"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    told = 'levels on a hub need huggingface_hub: pip install "spades-env[hub]"'
    assert refusal(capsys, "push", str(level), "me/first") == f"spades: {told}\n"
    assert refusal(capsys, "pull", "me/first") == f"spades: {told}\n"
    assert refusal(capsys, "arena", "hf:me/first", "random", "--games", "2") == f"spades: {told}\n"


# The card


def test_the_card_tells_everything():
    recipe = {"name": "mine", "start": "runs/before", "stage": [{"kind": "imitate"}, {"kind": "selfplay"}]}
    card = model_card(
        random_level(
            name="Mine's",
            style="Bids high.",
            recipe=json.dumps(recipe),
            ratings=RATED,
            trained={"iterations": 40, "decisions": 1234567, "seconds": 3725},
            temperature=0.33,
        ),
        "me/mine",
    )
    for words in (
        "license: mit",
        "model_name: 'Mine''s'",
        "Bids high.",
        "the observation of `spades_v0`, 824 numbers",
        'agents.load("hf:me/mine", seed=0)',
        "- Stages: imitate, selfplay.",
        "It began with the weights of an earlier run",
        "- Rules: classic.",
        "- Decisions: 1,234,567.",
        "- Seconds: 3,725 (1:02:05).",
        "softmax(logits / 0.33)",
        "| `rule` | 62.5% | 60.0% – 65.0% | 1,000 | +8.2 |",
        "## Licence\n\nMIT.",
    ):
        assert words in card, words


def test_the_card_says_what_is_not_known():
    card = model_card(random_level(ratings={}), "me/mine")
    assert "Nothing: its file holds no ratings." in card
    assert "It plays its likeliest action." in card
    assert "```json" not in card  # its recipe is no JSON


def test_a_character_is_not_taken_for_its_level():
    """What was measured of Zofia was measured with her search."""
    card = model_card(Level.read(LEVELS / "zofia.safetensors"), "me/zofia")
    assert "Measured as the character plays, `zofia+believe:384+solver`. The level alone plays otherwise." in card
    zofia = character_named("zofia")
    assert zofia
    assert f"rated {zofia.rating:.0f} [" in card
    assert "as the character plays" not in model_card(Level.read(LEVELS / "bruno.safetensors"), "me/bruno")


def test_the_card_is_shown_without_a_hub(level, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    assert main(["push", str(level), "me/first", "--card"]) == 0
    assert capsys.readouterr().out == model_card(Level.read(level), "me/first")

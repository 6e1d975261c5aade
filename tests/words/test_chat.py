"""Language models as agents: an endpoint in this process answers by a script, over whole matches."""

import json
import threading
from collections import Counter

import pytest
from support.agents.chat_server import COMPLETION_TOKENS, PROMPT_TOKENS, ScriptedModel, serving
from support.agents.programs import SHORT, failures, first
from support.strategies import scaled

from spades_env import agents, words
from spades_env.agents import arena
from spades_env.agents.arena import benchmark, entry, leaderboard, tracks
from spades_env.agents.base import AgentError
from spades_env.agents.chat.agent import MOST_IN_A_ROW
from spades_env.agents.chat.endpoint import Endpoint
from spades_env.play.commands.cli import main

FOUR = "Action: bid:4"


@pytest.fixture
def endpoint(monkeypatch):
    """Serve a script and name its address in the environment; return the requests."""
    lent = []

    def serve(script):
        context = serving(script)
        url, requests = context.__enter__()
        lent.append(context)
        monkeypatch.setenv("SPADES_CHAT_URL", url)
        return requests

    monkeypatch.delenv("SPADES_CHAT_KEY", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    yield serve
    for context in lent:
        context.__exit__(None, None, None)


def test_a_match_counts_every_fault_apart(endpoint):
    model = ScriptedModel()
    requests = endpoint(model)
    hands = 2 * scaled(150)
    found = arena.play("chat:script", "random", hands=hands, seed=1, jobs=2)
    warming_up = 2
    assert found.moves[0] == len(requests) - warming_up == 28 * hands
    counts = found.counts["a"]
    sent = {kind: model.counts[kind] for kind in ("illegal", "unreadable")}
    assert sum(sent.values()) > 0
    for kind, count in sent.items():
        assert 0 <= count - counts[kind] <= warming_up
    assert counts["prompt_tokens"] == PROMPT_TOKENS * found.moves[0]
    assert found.as_dict()["tokens"] == {
        "a": {"prompt_tokens": PROMPT_TOKENS, "completion_tokens": COMPLETION_TOKENS},
        "b": None,
    }


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_scripted_model_plays_the_same_over_the_wire(endpoint, jobs):
    """A function that is asked without an endpoint gives the same match."""
    model = ScriptedModel(faults=10**9)
    endpoint(model)

    def direct(view):
        return words.read(model(words.question(view)), view).action

    wired = arena.play("chat:script", "bis", SHORT, games=4, jobs=jobs)
    assert wired.rows.tobytes() == arena.play(direct, "bis", SHORT, games=4, jobs=1).rows.tobytes()


def test_scripted_answers_over_many_hands():
    model = ScriptedModel()

    outcomes: Counter[str] = Counter()

    def policy(view):
        read = words.read(model(words.question(view)), view)
        outcomes[read.outcome] += 1
        return view.legal_actions()[0] if read.action is None else read.action

    played = arena.play(policy, "random", hands=2 * scaled(350), seed=2, jobs=1)
    assert outcomes.total() >= played.moves[0] == 28 * played.hands
    assert outcomes == model.counts


def test_the_request(endpoint, monkeypatch):
    requests = endpoint(lambda prompt: FOUR)
    monkeypatch.setenv("SPADES_CHAT_KEY", "secret")
    monkeypatch.setenv("SPADES_CHAT_OPTIONS", '{"temperature": 0}')
    agent, view = agents.load("chat:org/model-1:free+x"), first()
    assert agent.act(view) == 58
    body = {"model": "org/model-1:free+x", "messages": words.messages(view), "temperature": 0}
    assert requests == [{"path": "/v1/chat/completions", "key": "Bearer secret", "body": body}]
    assert agent.tokens == {"prompt_tokens": PROMPT_TOKENS, "completion_tokens": COMPLETION_TOKENS}


def test_an_endpoint_that_is_late(endpoint, monkeypatch):
    """It answers once the test is over."""
    over = threading.Event()
    endpoint(lambda prompt: over.wait(60) and FOUR)
    monkeypatch.setenv("SPADES_BOT_SECONDS", "0.05")
    agent = agents.load("chat:slow", seed=3)
    views = list(map(first, range(3)))
    try:
        assert agent.act_batch(views).tolist() == agents.load("random", seed=3).act_batch(views).tolist()
        assert agent.failures == failures(timeouts=3)
        with pytest.raises(AgentError, match=f"chat:slow failed {MOST_IN_A_ROW} times in a row: no answer in 0.05 s"):
            agent.act_batch([first()] * MOST_IN_A_ROW)
    finally:
        over.set()


@pytest.mark.parametrize(
    ("answer", "counted"),
    [
        ((500, {}, b"oops"), failures(crashes=1)),
        ((429, {"Retry-After": "3600"}, b""), failures(timeouts=1)),
        ((200, {}, b"<html>"), failures(crashes=1)),
        ((200, {}, b'{"choices": []}'), failures(crashes=1)),
        ((200, {}, b"[" * 5000), failures(crashes=1)),
        ((200, {}, b'{"choices": [{"message": {"content": null}}], "usage": 7}'), failures(unreadable=1)),
        ((200, {}, b'{"choices": [{"message": {"content": [{"text": "bid"}, {"text": " 4"}]}}]}'), failures()),
    ],
)
def test_odd_answers_are_counted(endpoint, answer, counted):
    endpoint(lambda prompt: answer)
    agent = agents.load("chat:odd")
    assert agent.act(first()) in first().legal_actions()
    assert agent.failures == counted
    assert agent.tokens == {"prompt_tokens": 0, "completion_tokens": 0}


def test_a_busy_endpoint_is_asked_again(endpoint):
    answers = iter([(429, {"Retry-After": "0"}, b""), (503, {"Retry-After": "0"}, b""), FOUR])
    requests = endpoint(lambda prompt: next(answers))
    agent = agents.load("chat:busy")
    assert agent.act(first()) == 58
    assert (len(requests), agent.failures) == (3, failures())
    agent.close()
    answers = iter([(429, {"Retry-After": "0.01"}, b""), FOUR])
    assert agent.act(first()) == 58  # it can be asked again
    assert agent.failures == failures()


def test_a_refused_request_ends_the_match(endpoint, monkeypatch):
    endpoint(lambda prompt: (401, {}, b"secret is wrong"))
    monkeypatch.setenv("SPADES_CHAT_KEY", "secret")
    with pytest.raises(AgentError, match=r"^chat:x cannot be asked at http://127.0.0.1:[0-9]+/v1: it answered 401 U"):
        agents.load("chat:x").act(first())


def test_an_endpoint_that_is_not_there(endpoint, capsys):
    with serving(lambda prompt: FOUR) as (url, _):
        pass
    with pytest.raises(AgentError, match=r"^chat:x cannot be asked at http://127.0.0.1:[0-9]+/v1: .*refused"):
        Endpoint(url, "x").ask([])


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("chat:", {}, "invalid agent 'chat:'; expected chat:MODEL"),
        (
            "chat:x",
            {"SPADES_CHAT_URL": ""},
            "SPADES_CHAT_URL must be an address such as http://localhost:8000/v1, not ''",
        ),
        *(
            ("chat:x", {"SPADES_CHAT_URL": url}, "SPADES_CHAT_URL must be an address")
            for url in ("file:///etc", "http://[::1/v1", "http://localhost/ü")
        ),
        ("chat:x", {"SPADES_CHAT_KEY": "secret\r"}, "SPADES_CHAT_KEY must be one line of printable ASCII characters"),
        ("chat:x", {"SPADES_CHAT_OPTIONS": "[1]"}, "SPADES_CHAT_OPTIONS must be a JSON object such as"),
        ("chat:x", {"SPADES_CHAT_OPTIONS": "{"}, "SPADES_CHAT_OPTIONS must be a JSON object such as"),
        ("chat:x", {"SPADES_BOT_SECONDS": "soon"}, "SPADES_BOT_SECONDS must be a number of seconds"),
    ],
)
def test_what_is_set_wrong_is_refused(name, settings, message, monkeypatch):
    for key, value in ({"SPADES_CHAT_URL": "http://localhost:1/v1"} | settings).items():
        monkeypatch.setenv(key, value)
    with pytest.raises(AgentError) as error:
        agents.load(name)
    assert str(error.value).startswith(message)


def test_an_entry_of_the_benchmark(endpoint, monkeypatch, tmp_path, capsys):
    """It tells the track by the string, and has the tokens of a decision and the faults."""
    endpoint(ScriptedModel())
    monkeypatch.setattr(benchmark, "PANEL", ("rb",))
    monkeypatch.setattr(benchmark, "HELD_OUT", ("rb",))
    monkeypatch.setattr(tracks, "times_of", lambda agent: None)
    out = tmp_path / "model.json"
    line = ["benchmark", "chat:script", "--games", "2", "--jobs", "1", "--compute", "a script", "--out", str(out)]
    assert main(line) == 0
    assert "chat:script: 7 tokens read and 2 written for a decision." in capsys.readouterr().out
    found = entry.read_entry(out)
    assert (found["track"], found["track_known"]) == ("words", True)
    assert found["tokens"] == {"prompt_tokens": PROMPT_TOKENS, "completion_tokens": COMPLETION_TOKENS}
    assert found["failures"]["unreadable"] > 0
    row = leaderboard.answers([found]).splitlines()[-1]
    assert (
        row == f"| `chat:script` | {found['failures']['illegal']} | {found['failures']['unreadable']} | 0 | 0 | 7 | 2 |"
    )
    assert json.loads(out.read_text())["failures"] == found["failures"]


def test_tracks_by_the_string():
    assert tracks.track_of("chat:x") == tracks.track_of("bis/chat:x") == tracks.WORDS
    assert tracks.track_of("bis/mc:2x2") == tracks.SEARCH
    with pytest.raises(AgentError, match="chat:x belongs to the track words, not to raw"):
        tracks.checked_track("chat:x", "raw")

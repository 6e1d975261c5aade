"""The table of an assistant: what its tools answer, with and without the protocol."""

import asyncio
import random
import sys

import pytest
from support.game.redeals import redealt

from spades_env.errors import SpadesError
from spades_env.game.state import copied
from spades_env.integrations import mcp_server
from spades_env.integrations.mcp_server import AssistantTable
from spades_env.play.commands.cli import main


def at_play(rules: str = "classic") -> AssistantTable:
    table = AssistantTable()
    table.new_game(rules, "random", "hand", seed=1)
    table.act("bid 3")
    return table


def test_a_hand_by_the_tools():
    table = AssistantTable()
    assert "South and North play against West and East." in table.new_game(opponents="random", episode="hand", seed=1)
    assert table.act("Action: AS") == "Refused: South cannot play the ace of spades: it is time to bid, 0 to 13"
    assert table.act("hm").startswith("Refused: the answer names no action")
    shown = table.act("bid 3")
    while "The hand is over" not in shown:
        shown = table.act(shown.rpartition("may: ")[2].split()[0])
    assert shown.startswith("Hand 1: South & North ")
    assert "Your side is " in shown
    review = table.review().splitlines()
    assert len(review) == 15
    assert review[0].startswith("hand 1, bid: bid:3")
    assert review[-1] == "14 decisions; refused answers: 1 illegal, 1 unreadable"


@pytest.mark.parametrize("opponents", ["cmd:true", "rule/cmd:true", "os:getcwd", "hf:a/b", "./x.onnx", "x.safetensors"])
def test_an_assistant_plays_against_bundled_agents_only(opponents):
    with pytest.raises(SpadesError, match=f"agent '{opponents}' doesn't come with the package; expected random, rb, "):
        AssistantTable().new_game(opponents=opponents)


def test_an_assistant_reads_no_files():
    with pytest.raises(SpadesError, match="unknown preset '/etc/passwd'"):
        AssistantTable().new_game("/etc/passwd")


def test_the_adviser_gives_a_hint():
    assert at_play().hint().startswith("zofia would choose, best first: ")


def test_a_tool_without_a_game_says_so():
    for tool in (AssistantTable().view, AssistantTable().hint, AssistantTable().review):
        with pytest.raises(SpadesError, match="there is no game yet: call new_game"):
            tool()


@pytest.mark.parametrize("rules", ["classic", "kitchen", "solo"])
def test_hidden_cards_change_no_byte(rules):
    """Cards that South does not see are dealt again; its tools answer the same."""
    if rules not in ("classic", "solo"):
        rules = "classic blind_nil_deficit=0 blind_nil_pass=2"
    table, rng = AssistantTable(), random.Random(rules)
    table.new_game(rules, "random", "hand", seed=2)
    for _ in range(12):
        live = table._table
        assert live is not None
        if live.over:
            return
        before, told = copied(live.game._table), (table.view(), table.hint(), table.act("XX"))
        live.game._table = copied(redealt(live.game, 0, rng))
        assert (table.view(), table.hint(), table.act("XX")) == told
        live.game._table = before
        table.act(table.view().rpartition("may: ")[2].split()[0])


def test_the_protocol():
    mcp = pytest.importorskip("mcp")

    async def talk() -> list[str]:
        async with mcp.Client(mcp_server.server()) as client:
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == ["new_game", "view", "act", "hint", "review"]
            assert all(tool.description for tool in tools)
            early = await client.call_tool("view", {})
            wrong = await client.call_tool("new_game", {"rules": "clasic"})
            assert early.is_error
            assert wrong.is_error
            begun = await client.call_tool("new_game", {"seed": 1, "opponents": "random"})
            bid = await client.call_tool("act", {"action": "bid 3"})
            assert not begun.is_error
            return [answer.content[0].text for answer in (early, wrong, begun, bid)]

    early, wrong, begun, bid = asyncio.run(talk())
    assert early.endswith("there is no game yet: call new_game")
    assert "unknown preset 'clasic'" in wrong
    table = AssistantTable()
    assert [begun, bid] == [table.new_game(seed=1, opponents="random"), table.act("bid 3")]


def test_a_missing_extra_is_one_sentence(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    assert main(["mcp"]) == 2
    assert capsys.readouterr().err == 'spades: `spades mcp` needs mcp: pip install "spades-env[mcp]"\n'

"""Hashes of what agents decide, hint and value at two thousand positions under mixed rules."""

from functools import cache
from itertools import islice

from support.fingerprints import DIGITS, fingerprint
from support.game.tables import decisions

from spades_env import Game, agents
from spades_env.game.view import View

RULE_BOOKS = ("classic", "pagat", "showdown", "solo")
TRUMPS = ("normal", "nyc", "barmore", "deuces", "jokers")
RULES = [f"{preset} trumps={trumps}" for preset in RULE_BOOKS for trumps in TRUMPS]
RULES += [
    "classic blind_nil_deficit=0 blind_nil_pass=2",
    "classic blind_nil_deficit=0 blind_nil_pass=1 trumps=jokers",
    "pagat blind_nil_deficit=0 blind_nil_pass=3 trumps=nyc",
    "pagat nil=false bag_limit=off failed_nil_tricks=partner",
    "solo nil=true blind_nil_deficit=0 blind_nil_pass=0 overtrick_points=-1",
]
EACH = 80  # positions under each of these rules
CARDS_ASKED = 0.3  # of the decisions; bids, blind nils and passes all count
SEED = 3  # of every agent
BATCH_OF_ONE = 40  # at every 40th position `act` is asked beside `act_batch`
# Agents, each asked at every n-th position
CHARACTERS = (
    *("Milly", "Bruno", "Pia", "Nino", "Tove", "Mateo", "Anouk", "Ravi", "Dara"),
    *("Yusuf", "Mei", "Kwame", "Ingrid", "Otto", "Amara", "Tomas", "Noor", "Zofia"),
)
THINKING = ("Otto", "Tomas", "Noor", "Zofia")  # characters that search
ASKED_EVERY = {
    **dict.fromkeys(["random", "rb", "bis", "rule", "club", "bis/rule", "club/rb", "support.fingerprints:policy"], 1),
    **dict.fromkeys(["standard", "standard+temperature:0.7", "bis/standard", "standard/club"], 2),
    **dict.fromkeys(CHARACTERS, 3),
    **dict.fromkeys(["milly/bis", "zofia+temperature:0.3"], 3),
    **dict.fromkeys(THINKING, 11),
    **dict.fromkeys(["standard+ending:3", "standard+hunt:16", "standard+ending:2+hunt:16+temperature:0.5"], 7),
    **dict.fromkeys(
        ["standard+trial:16", "bis/standard+trial:8", "standard+trial:8+solver", "zofia+believe:8+solver"], 11
    ),
    **dict.fromkeys(["mc:6x6", "mc:6x6+rule", "mc:6x6+loyal+rule", "mc:6x6+free", "mc:6x6+likely"], 7),
    **dict.fromkeys(["mc:8x4+rule+likely+free", "bis/mc:30x30", "ismcts:150", "ismcts:100+rule"], 11),
    **dict.fromkeys(["ismcts:100+likely", "bis/ismcts:100+rule+likely", "pimc:4", "bis/pimc:4"], 11),
    **dict.fromkeys(["oracle", "rule/oracle"], 29),
}


def of_all_agents() -> dict:
    """Hash the positions, and every agent."""
    return {"positions": of_positions()} | {name: of_agent(name) for name in ASKED_EVERY}


def of_agent(name: str) -> dict[str, str]:
    """Hash an agent's decisions, its hints and, if it values actions, these values."""
    agent = agents.load(name, seed=SEED)
    chosen = positions()[:: ASKED_EVERY[name]]
    asked = [Game.replay(text) if agent.cheats else view for text, view in chosen]
    decided = agent.act_batch(asked).tolist()
    for number in range(0, len(asked), BATCH_OF_ONE):
        assert agent.act(asked[number]) == decided[number]
    hints = (" ".join(f"{action}:{weight:.{DIGITS}g}" for action, weight in agent.hint(one)) for one in asked)
    hashes = {"decisions": fingerprint(map(str, decided)), "hints": fingerprint(hints)}
    if agent.weighs:
        worths = agent.weigh_batch(asked).tolist()
        hashes["worths"] = fingerprint(" ".join(f"{worth:.{DIGITS}g}" for worth in row) for row in worths)
    return hashes


def of_positions() -> str:
    """Hash the positions themselves; if this differs, everything else does."""
    return fingerprint(text for text, _ in positions())


@cache
def positions() -> tuple[tuple[str, View], ...]:
    """Return two thousand positions, with mixed rules: each game as text, and the view of the seat to move."""
    by_rules = [
        [(game.record(), game.view(game.turn)) for game in islice(decisions(rules, CARDS_ASKED), EACH)]
        for rules in RULES
    ]
    return tuple(one for together in zip(*by_rules, strict=True) for one in together)

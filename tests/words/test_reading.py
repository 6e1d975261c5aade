"""Answers of language models: what is read, and that nothing raises an error."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.game.redeals import rules_to_play

from spades_env import Game, Rules, words
from spades_env.game.cards import ACTION_NAMES, action_name, cards, parse_action

BIDDING = Game("classic", seed=1)
HANDS = ["AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S", "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H",
         "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D", "AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C"]  # fmt: skip


def playing():
    game = Game(Rules.preset("classic", first_dealer="west"), seed=0, deal=[cards(hand) for hand in HANDS])
    while game.phase != "play":
        game.apply(parse_action("bid:3"))
    return game.view(game.turn)


def blind():
    game = Game(Rules(blind_nil_deficit=0, blind_bid=6, blind_bid_deficit=0), seed=0)
    return game.view(game.turn)


VIEWS = {"bid": BIDDING.view(BIDDING.turn), "play": playing(), "blind": blind()}
READ = {
    "bid": {
        "Action: 4": "bid:4",
        "Action: bid:4": "bid:4",
        "**Action:** `bid:4`": "bid:4",
        "I hold three spades and an ace.\nAction: bid 4": "bid:4",
        "Action: bid 2\nNo, wait.\nAction: bid 4": "bid:4",
        "action = 4 (of 13)": "bid:4",
        "My bid is four.": "bid:4",
        "I bid 4 with AS and KS, for 3 sure tricks": "bid:4",
        "three or four tricks, so 4": "bid:4",
        "Four": "bid:4",
        "nil": "bid:0",
        "**Nil!**": "bid:0",
        "I'd bid zero": "bid:0",
        '{"action": "bid", "number": 4}': "bid:4",
        '```json\n{"reason": "5 or 6 winners", "bid": 4}\n```': "bid:4",
        '{"answer": {"type": "bid", "value": 4}}': "bid:4",
        "<think>I could bid 7.</think>\nbid 4": "bid:4",
        "The answer is $\\boxed{4}$": "bid:4",
        "West bid 5.\nAction: 4": "bid:4",
        "Action: bid 4. Play: 2 rounds of spades": "bid:4",
        '{"bid": 4}\nNorth bid 5.': "bid:4",
    },
    "play": {
        "Action: QS": "QS",
        "qs": "QS",
        "Q♠": "QS",
        "♠Q": "QS",
        "♠K ♠Q": "QS",
        "10 of spades": "TS",
        "10♠": "TS",
        "Action: 10S": "TS",
        "I lead the Queen of Spades.": "QS",
        "Action: Queen of Spades, as KS is too high": "QS",
        "KS would win, but QS is enough": "QS",
        '{"card": "Q of spades", "why": "KS later"}': "QS",
        "Action:\nQS": "QS",
        "Play: **Q♠**\ufe0f": "QS",
    },
    "blind": {
        "look": "look",
        "Blind nil.": "blind",
        "Action: blind": "blind",
        "bid 7 blind": "bid:7",
        "Action: blind 7": "bid:7",
        "Action: 7 (blind)": "bid:7",
        "nil (blind)": "blind",
        "I'll look": "look",
    },
}
UNREADABLE = [
    "",
    "   ",
    "I pass",
    "Action: X",
    "<think>bid 4",
    "14",
    "Action: bid:14",
    "bid:04",
    "4.5",
    "as you like",
    None,
    4,
    b"bid:4",
    {"action": "4"},
]


@pytest.mark.parametrize(("phase", "answer"), [(phase, answer) for phase, found in READ.items() for answer in found])
def test_shapes_of_answers(phase, answer):
    found = words.read(answer, VIEWS[phase])
    assert (found.outcome, found.action) == (words.LEGAL, parse_action(READ[phase][answer])), answer


@pytest.mark.parametrize("answer", UNREADABLE)
def test_an_answer_without_an_action_is_unreadable(answer):
    found = words.read(answer, VIEWS["bid"])
    assert (found.outcome, found.action) == (words.UNREADABLE, None)
    assert found.why == "the answer names no action; end it with a line such as Action: AS or Action: bid:4"


@pytest.mark.parametrize(
    ("phase", "answer", "why"),
    [
        ("bid", "Action: AS", "South cannot play the ace of spades: it is time to bid, 0 to 13"),
        ("bid", "blind nil", "South cannot bid blind nil: you have seen your cards"),
        ("play", "bid 4", "South cannot bid 4: it is time to play a card"),
        ("play", "2H", "South cannot play the two of hearts: you do not hold it"),
        ("play", "the red joker", "South cannot play the red joker: this card is not in the deck"),
    ],
)
def test_an_illegal_answer_is_told_why(phase, answer, why):
    found = words.read(answer, VIEWS[phase])
    assert (found.outcome, found.action) == (words.ILLEGAL, None)
    assert found.why.startswith(why)


@pytest.mark.parametrize("phase", VIEWS)
def test_every_legal_action_is_read_by_its_name(phase):
    view = VIEWS[phase]
    for action in view.legal_actions():
        assert words.read(f"Action: {action_name(action)}", view).action == action
        assert words.read(f"I weigh it all: {action_name(action)}", view).action == action


MARKS = (
    "{",
    "}",
    '"',
    ":",
    "<think>",
    "</think>",
    "\n",
    "bid",
    "bid:14",
    "of",
    "Action:",
    "\\boxed{",
    "♠",
    "10",
    "١٤",
    "𝟜",
    "\x00",
)
WORDS = st.sampled_from([*ACTION_NAMES, *(one for found in READ.values() for one in found), *MARKS])


@given(st.lists(WORDS | st.text(max_size=20), max_size=40).map(" ".join) | st.text(), st.sampled_from(list(VIEWS)))
def test_no_answer_raises_an_error(answer, phase):
    found = words.read(answer, VIEWS[phase])
    assert found.outcome in words.OUTCOMES
    assert (found.action is not None) == (found.outcome == words.LEGAL)
    assert bool(found.why) == (found.outcome != words.LEGAL)


@pytest.mark.parametrize(
    "piece", ["{", "{}", '{"a":', "bid ", "<think>", "action:", "\\boxed{", "A" * 50, "♠", "blind "]
)
def test_long_answers_are_read_from_their_end(piece):
    assert words.read(piece * 20_000 + "\n</think>\nAction: bid 4", VIEWS["bid"]).action == parse_action("bid:4")


def test_prompts_list_only_actions_that_are_read():
    for rules in rules_to_play().values():
        game = Game(rules, seed=2)
        for _ in range(8):
            view = game.view(game.turn)
            listed = view.to_text().rpartition("may: ")[2].split()
            assert [words.read(name, view).action for name in listed] == view.legal_actions()
            game.apply(view.legal_actions()[-1])

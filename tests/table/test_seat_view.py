"""What a seat is shown: nothing hidden, everything else, and every number explained."""

import json
import random
import re

import pytest
from support.game.redeals import RULES, redealt
from support.game.tables import random_rules
from support.play.sittings import FOUR, SPADES_FOR_SOUTH, by_chance, move, play, refuses, stand_still
from support.strategies import scaled

from spades_env import Rules
from spades_env.game.cards import CARD_NAMES, card, card_words, parse_action
from spades_env.game.rules import RulesSource
from spades_env.play.table.company.watching import watch_view
from spades_env.play.table.hands import PERSON
from spades_env.play.table.seat_view import seat_view
from spades_env.play.table.table import Table
from spades_env.play.texts import Text

NAME = re.compile(rf"(?<![A-Za-z0-9])({'|'.join(CARD_NAMES)})(?![A-Za-z0-9])")
OPEN = ("rules", "previous")  # says what trumps there are; tells the hand before, of which all cards were played


def new(rules: RulesSource = "classic", people=None, **options) -> Table:
    return Table(rules, people=people, **{"seed": 7, "now": stand_still} | options)


# Hidden cards


def texts(told) -> list[str]:
    """Every string in plain data, keys too; what else is in it must be plain."""
    if isinstance(told, dict):
        return [text for pair in told.items() for part in pair for text in texts(part)]
    if isinstance(told, list):
        return [text for part in told for text in texts(part)]
    assert told is None or type(told) in (str, Text, int, float, bool), told
    return [told] if isinstance(told, str) else []


def cards_in(told) -> set[int]:
    """The cards that are named, as AS or as ace of spades."""
    text = "\n".join(texts(told))
    return {card(name) for name in NAME.findall(text)} | {c for c in range(54) if card_words(c) in text}


def check_view(table: Table, seat: int) -> None:
    """The view names no card that the seat may not know, and all that lie open."""
    told, view = seat_view(table, seat), table.game.view(seat)
    gone = {c for trick in [*view.tricks_played, view.table] for _, c in trick}
    named = cards_in({name: part for name, part in told.items() if name not in OPEN})
    assert named <= set(view.hand) | gone | set(view.given) | set(view.received)
    assert named >= set(view.hand) | gone
    if not view.tricks_played:  # they stay as they are for the rest of the hand
        neighbour = seat_view(table, (seat + 1) % 4)
        for name in OPEN:
            assert told[name] == neighbour[name]
    if told["previous"]:
        played = [play for trick in told["previous"]["tricks"] for play in trick["cards"]]
        assert [(play["seat"], card(play["card"])) for play in played] == [
            play for trick in table.hands[-2].tricks() for play in trick
        ]
    assert json.loads(json.dumps(told)) == told


@pytest.mark.parametrize("name", Rules.presets())
def test_views_of_whole_games_name_no_hidden_card(name):
    table, rng, hands = new(name, FOUR), random.Random(name), scaled(100)
    while not table.over and len(table.finished) < hands:
        check_view(table, rng.randrange(4))
        move(table)
    for seat in range(4):
        check_view(table, seat)


def test_views_under_any_rules():
    """Whatever options are on, a view shows what may be done, and nothing hidden."""
    rng, contracts = random.Random(41), set()
    for _ in range(scaled(40)):
        rules = random_rules(rng, max_hands=2, time_limit_s=None)
        table = new(rules, FOUR, bots=["random"] * 4, seed=rng.getrandbits(60))
        while not table.over and len(table.moves) < 70:
            turn = table.game.turn
            if table.game.phase == "play" and rng.random() < 0.8:
                table.apply(rng.choice(table.game.legal_actions()), PERSON)
                continue
            view = seat_view(table, turn)
            assert list(map(parse_action, view["legal"])) == table.game.legal_actions()
            assert view["prompt"].startswith(("Your turn: ", "Choose "))
            offered = [f"bid:{one['bid']}" for one in (view["blind_bid"] or {"bids": []})["bids"]]
            assert offered == [action for action in view["legal"] if view["phase"] == "blind" and "bid" in action]
            assert set(watch_view(table)) == set(view)
            check_view(table, rng.randrange(4))
            contracts |= {seat["contract"] for seat in view["seats"]}
            table.act(turn, rng.choice(view["legal"]))
    assert contracts == {"own", "both", "partner", "hand"} or scaled(40) < 40


@pytest.mark.parametrize(
    ("rules", "bids", "prompt", "legal"),
    [
        ("match least_bid=4", "3 1", "your side must bid at least 4, so bid 1 or more.", "1-13"),
        ("match least_bid=4", "2 1", "your side must bid at least 4, so bid 2 or more.", "2-13"),
        ("match least_bid=4", "0 1", "your side must bid at least 4, so bid 4 or more.", "4-13"),
        ("match least_bid=4", "4 1", "bid 0 to 13.", "0-13"),
        ("match total_not=13", "3 4 2", "bid 0 to 13, but not 4: the four bids may not add up to 13.", "0-3 5-13"),
        ("match total_not=9", "3 4 2", "bid 0 to 13, but not 0: the four bids may not add up to 9.", "1-13"),
        (
            "match total_not=13 least_bid=4",
            "3 2 2",
            "your side must bid at least 4, so bid 2 or more, but not 6: the four bids may not add up to 13.",
            "2-5 7-13",
        ),
        ("suicide", "1 4 0", "your partner bid 4, so bid nil.", "0"),
        ("suicide", "1 0 0", "your partner bid nil, so bid 1 or more.", "1-13"),
        ("suicide least_bid=4", "4 0 0", "your partner bid nil, so bid 4 or more.", "4-13"),
        ("suicide least_bid=4", "4", "bid nil, or bid 4 or more and your partner must bid nil.", "0 4-13"),
        ("mirror", "", "you hold no trumps, so bid nil.", "0"),
        ("mirror nil=false", "", "you hold no trumps, so bid 0.", "0"),
        ("whiz", "", "you hold no trumps, so bid nil.", "0"),
        ("whiz", "0 0", "you hold 13 trumps, so bid 13 or nil.", "0 13"),
    ],
)
def test_a_limit_on_bids_says_why(rules, bids, prompt, legal):
    """The prompt says it before the bid, and the refusal says it of one that is closed."""
    suits = " | ".join(" ".join(f"{rank}{suit}" for rank in "23456789TJQKA") for suit in "CDHS")
    table = new(f"{rules} first_dealer=south first_lead=left_of_dealer", FOUR, start={"deal": suits})
    for bid in bids.split():
        table.act(table.game.turn, f"bid:{bid}")
    view = seat_view(table, table.game.turn)
    assert view["prompt"] == f"Your turn: {prompt}"
    spans = [span.split("-") for span in legal.split()]
    numbers = [number for span in spans for number in range(int(span[0]), int(span[-1]) + 1)]
    assert view["legal"] == [f"bid:{number}" for number in numbers]
    for number in set(range(14)) - set(numbers):
        with refuses(view["prompt"]):
            table.act(table.game.turn, f"bid:{number}")


def test_a_blind_bid_for_both():
    table = new("house first_hand=bid", FOUR, start={"dealer": 1, "scores": [-20, 100], "hand_number": 1})
    view = seat_view(table, 0)
    assert view["lanes"] == []
    assert view["legal"] == [*(f"bid:{bid}" for bid in range(6, 14)), "look"]
    assert view["blind_bid"]["words"].startswith("You're 120 points behind. Bid for yourself and Cleo before either")
    assert [one["points"] for one in view["blind_bid"]["bids"]] == [120, 140, 160, 180, 400, 400, 400, 400]
    assert seat_view(table, 1)["prompt"] == "Anna is deciding whether to bid blind."
    table.act(0, "bid:7")
    assert seat_view(table, 1)["events"][-1]["words"] == "Anna bids blind 7 for both partners"
    table.act(1, "bid:4")
    assert table.game.turn == 3, "Cleo is not asked"
    table.act(3, "bid:2")
    view = seat_view(table, 2)
    assert [(seat["bid"], seat["contract"]) for seat in view["seats"]] == [
        (None, "partner"),
        (2, "own"),
        (7, "both"),
        (4, "own"),
    ]
    assert [side["status"] for side in view["sides"]] == ["0 / 7 ×2", "0 / 6"]
    assert view["bid_so_far"] == {"bid": 13, "of": 13, "all": True}


def test_a_blind_bid_on_cards_once_seen_is_refused():
    table = new("house first_hand=bid blind_bid_deficit=0", FOUR, start={"dealer": 1})
    table.act(0, "look")
    table.takeback(0)
    assert seat_view(table, 0)["legal"] == ["look"]
    assert seat_view(table, 0)["blind_bid"] is None
    with refuses("You've seen these cards, so it's too late to bid blind."):
        table.act(0, "bid:7")
    with refuses("Your turn: look at your cards."):
        table.act(0, "bid:5")


def test_a_hand_that_bids_itself():
    table = new("house", FOUR, bots=["random"] * 4, start={"dealer": 1})
    view = seat_view(table, 0)
    assert (view["phase"], view["bid_so_far"], view["events"]) == ("play", None, [])
    assert {seat["contract"] for seat in view["seats"]} == {"hand"}
    assert [side["status"] for side in view["sides"]] == ["0", "0"]
    play(table, 52, by_chance(random.Random(1)))
    sheet = seat_view(table, 0)["sheet"][0]["sides"]
    assert sum(side["points"] for side in sheet) == 130
    assert all(side["words"].startswith("no bids, took ") for side in sheet)
    assert {seat["contract"] for seat in seat_view(table, 0)["seats"]} == {"own"}


def test_the_first_trick_takes_the_lowest_club():
    deal = (
        "9C 4C AS KS QS JS TS 9S 8S 7S 6S 5S 3S | 2S 4S AD KD QD JD TD 9D 8D 7D 6D 5D 4D | "
        "2C 3C AH KH QH JH TH 9H 8H 7H 6H 5H 4H | 5C 6C 7C 8C TC JC QC KC AC 2H 3H 2D 3D"
    )
    start = {"deal": deal, "dealer": 1}
    table = new("match first_hand=bids_itself first_trick=lowest_club", FOUR, start=start)
    view = seat_view(table, 0)
    assert (view["legal"], view["prompt"]) == (["4C"], "Your turn: play your lowest club to the first trick.")
    assert view["refused"]["9C"] == "Everyone plays their lowest club to the first trick."
    assert not view["can"]["claim"]
    table.act(0, "4C")
    view = seat_view(table, 1)
    assert view["prompt"] == "Your turn: no clubs, so play any card but a trump."
    reason = "You may not play a trump to the first trick while you hold another card."
    assert view["refused"] == dict.fromkeys(("2S", "4S"), reason)


def test_cards_are_passed_for_a_nil():
    table = new("match nil_pass=2", FOUR, start={"dealer": 1})
    words = "Bid nil? Take no tricks: +100 if you make it, −100 if you don't. You and Cleo will then swap 2 cards."
    assert seat_view(table, 0)["nil"]["words"] == words
    for bid in ("bid:0", "bid:3", "bid:3", "bid:3"):
        table.act(table.game.turn, bid)
    assert seat_view(table, 0)["prompt"] == "Choose card 1 of 2 to pass to Cleo."
    assert seat_view(table, 2)["passing"]["count"] == 2
    assert seat_view(table, 1)["passing"] is None


@pytest.mark.parametrize("name", RULES)
def test_permuted_hidden_cards_change_nothing(name):
    rng = random.Random(name)
    table = new(RULES[name], FOUR, bots=["random"] * 4, seed=rng.getrandbits(60))
    for _ in range(scaled(60)):
        if table.over:
            break
        for seat in range(4):
            check_view(table, seat)
            before, shown = table.game._table.copy(), seat_view(table, seat)
            table.game._table[:] = redealt(table.game, seat, rng)
            assert seat_view(table, seat) == shown
            table.game._table[:] = before
        move(table, by_chance(rng))


def test_a_seat_that_has_not_looked_sees_no_card():
    table = new("classic blind_nil_deficit=0", start={"dealer": 1})
    view = seat_view(table, 0)
    assert cards_in({name: part for name, part in view.items() if name not in OPEN}) == set()
    assert view["seats"][0]["cards"] == 13
    assert not view["seats"][0]["looked"]


def test_what_others_pass_is_not_told():
    table = new("classic blind_nil_deficit=0 blind_nil_pass=2", FOUR, start={"dealer": 1})
    for action in ("blind", "look", "bid:3", "look", "bid:3", "look", "bid:3"):
        table.act(table.game.turn, action)
    for _ in range(2):
        table.act(0, seat_view(table, 0)["legal"][0])
    told = [[event["words"] for event in seat_view(table, seat)["events"]][-2:] for seat in range(3)]
    assert told[1] == told[2] == ["Anna passes a card"] * 2
    assert all(words.startswith("You pass the ") for words in told[0])
    assert seat_view(table, 0)["passing"]["given"] == sorted(seat_view(table, 0)["passing"]["given"], key=card)
    assert seat_view(table, 2)["passing"] == {"to": 0, "count": 2, "given": [], "received": []}
    assert [seat_view(table, seat)["passing"] for seat in (1, 3)] == [None, None], "they give each other nothing"
    for _ in range(2):
        table.act(2, seat_view(table, 2)["legal"][0])
    assert len(seat_view(table, 2)["passing"]["received"]) == 2
    assert seat_view(table, 1)["passing"] is None


# What is shown


def test_a_view_in_play():
    deal = (
        "2H 3H AS KS QS JS TS 9S 8S 7S 6S 5S 4S | 3S 2S AC KC QC JC TC 9C 8C 7C 6C 5C 4C | "
        "3C 2C AD KD QD JD TD 9D 8D 7D 6D 5D 4D | 3D 2D AH KH QH JH TH 9H 8H 7H 6H 5H 4H"
    )
    start = {"deal": deal, "dealer": 0, "scores": [120, 80], "bags": [3, 9]}
    table = new("match", FOUR, start=start)
    for action in ("bid:3", "bid:5", "bid:1", "bid:0", "AH"):
        table.act(table.game.turn, action)
    view = seat_view(table, 0)
    assert view["lanes"] == [
        {"suit": "spades", "cards": list(map("{}S".format, "AKQJT987654"))},
        {"suit": "hearts", "cards": ["3H", "2H"]},
    ]
    assert (view["turn"], view["your_turn"], view["legal"]) == (0, True, ["2H", "3H"])
    assert view["refused"]["AS"] == "You have hearts, so you must follow suit."
    assert set(view["refused"]) == set(view["lanes"][0]["cards"])
    assert view["trick"] == {"cards": [{"seat": 3, "card": "AH"}], "winning": 3, "leader": 3}
    assert [seat["seat"] for seat in view["seats"]] == [0, 1, 2, 3]
    assert [seat["status"] for seat in view["seats"]] == ["0 / 5", "0 / 1", "nil", "0 / 3"]
    assert view["seats"][2]["nil"] == {"kind": "nil", "alive": True}
    assert [(side["status"], side["score"], side["bags"]) for side in view["sides"]] == [
        ("0 / 5 + nil", 120, 3),
        ("0 / 4", 80, 9),
    ]
    assert [side["few_bags_left"] for side in view["sides"]] == [False, True]
    assert [event["words"] for event in view["events"]][-3:] == [
        "Bela bids 1",
        "Cleo bids nil",
        "Dora plays the ace of hearts",
    ]
    assert seat_view(table, 3)["seats"][0]["seat"] == 3
    assert seat_view(table, 3)["refused"] == {}
    for name in ("3H", "4C", "2C"):
        table.act(table.game.turn, name)
    view = seat_view(table, 0)
    assert [trick["winning"] for trick in view["tricks"]] == [3]
    assert view["seats"][3]["status"] == "1 / 3"


def test_a_broken_nil():
    table = new("classic", FOUR, start={"deal": SPADES_FOR_SOUTH, "dealer": 1})
    for action in ("bid:0", "bid:3", "bid:3", "bid:3", "AS", "2C", "2D", "2H"):
        table.act(table.game.turn, action)
    view = seat_view(table, 1)
    assert [side["status"] for side in view["sides"]] == ["0 / 6", "0 / 3 + nil ✗"]
    assert view["seats"][3] | {"who": "", "bot": ""} == {
        "seat": 0,
        "name": "South",
        "called": "Anna",
        "who": "",
        "person": True,
        "bot": "",
        "side": 0,
        "dealer": False,
        "bid": 0,
        "contract": "own",
        "tricks": 1,
        "status": "1 / nil",
        "nil": {"kind": "nil", "alive": False},
        "looked": True,
        "cards": 12,
    }


@pytest.mark.parametrize(("rules", "worth"), [("nil_bonus=50", 50), ("nil=false", None)])
def test_what_a_bid_of_0_is_worth(rules, worth):
    """Told to who is to bid, where it is a nil."""
    table = new(f"match {rules}", FOUR, start={"dealer": 1})
    view = seat_view(table, 0)
    assert "bid:0" in view["legal"]
    assert view["nil"] == (
        worth and {"bonus": 50, "words": "Bid nil? Take no tricks: +50 if you make it, −50 if you don't."}
    )
    assert seat_view(table, 1)["nil"] is None
    table.act(0, "bid:0")
    assert seat_view(table, 0)["events"][0]["words"] == ("You bid nil" if worth else "You bid 0")


def test_the_offer_of_blind_nil():
    table = new("classic blind_nil_pass=1", start={"dealer": 1, "scores": [-20, 130]})
    assert seat_view(table, 0)["blind_nil"] == {
        "bonus": 200,
        "behind": 150,
        "pass": 1,
        "words": "You're 150 points behind. Bid nil before you see your cards? +200 if you make it, −200 if you don't. "
        "You and Rule book will then swap a card.",
    }
    assert seat_view(table, 2)["blind_nil"] is None


def test_the_hand_before_and_the_graph():
    table = new("classic target=off max_hands=2", start={"scores": [10, 20]})
    while not table.finished:
        move(table)
    view = seat_view(table, 0)
    [hand] = table.finished
    assert hand.result
    assert view["graph"] == [[10, 20], hand.result.scores]
    assert view["previous"]["taken"] == hand.result.tricks
    winners = [trick["winning"] for trick in view["previous"]["tricks"]]
    assert [winners.count(seat) for seat in range(4)] == hand.result.tricks
    assert [line["hand_number"] for line in view["sheet"]] == [1]
    play(table)
    view = seat_view(table, 0)
    assert view["previous"]["hand_number"] == 1
    assert len(view["tricks"]) == 13
    assert [[trick["winning"] for trick in view["tricks"]].count(seat) for seat in range(4)] == table.game.tricks
    assert view["outcome"]["outcome"] in ("win", "loss", "draw")
    assert (view["turn"], view["your_turn"], view["legal"]) == (None, False, [])


def test_the_own_seat_and_side_come_first():
    view = seat_view(new("solo", {2: "Cleo"}), 2)
    assert [seat["seat"] for seat in view["seats"]] == [2, 3, 0, 1]
    assert [side["side"] for side in view["sides"]] == [2, 3, 0, 1]
    assert [side["bags"] for side in view["sides"]] == [None] * 4

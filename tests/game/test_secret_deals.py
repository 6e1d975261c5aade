"""Tables deal from a secret: no hand reveals another one, proofs follow at the end, and saved tables still load."""

import copy
import json
import random

import pytest
from support.play.servers import Page, guest, owner, running
from support.play.sittings import FOUR, SHORT, SPADES_FOR_SOUTH, by_chance, move, play, refuses, stand_still

from spades_env import Game
from spades_env.game.cards import cards, deck
from spades_env.game.secret_deals import deal, derived
from spades_env.play.review.hand_review import again
from spades_env.play.store.saved import packed, unpacked
from spades_env.play.store.sitting_text import SittingError, read, write
from spades_env.play.table.fairness import Proof, ProofError, commit, verify, verify_game
from spades_env.play.table.seat_view import seat_view
from spades_env.play.table.table import Table

SECRET = "00112233445566778899aabbccddeeff"


def drawn(rules: str = SHORT, people: dict | None = None, **options) -> Table:
    """Return a table as people set it up: nobody chose a seed."""
    chosen = {"bots": ["random"] * 4, "adviser": "random", "now": stand_still} | options
    return Table(rules, people={0: "Anna"} if people is None else people, **chosen)


def proofs_of(table: Table) -> tuple[Proof, list[Proof]]:
    proofs = table.proofs()
    return proofs["game"][0], proofs["hands"]


# Hidden


def test_a_finished_hand_does_not_reveal_the_next_one():
    """No number that the table holds reveals its hands, except the secret, which stays hidden until the end."""
    table = drawn()
    while not table.finished:
        move(table)
    for number, hand in enumerate(table.hands):
        assert hand.start.deal != Game(table.rules, table.game.seed, hand_number=number).deal
    [proof] = table.proofs()["hands"]
    for value in (proof.commitment, proof.salt, table.commitments["game"]):
        assert table.game.deal != Game(table.rules, int(value, 16) % 2**64, hand_number=1).deal
    assert table.proofs()["game"] == []


def test_two_tables_have_nothing_in_common():
    one, other = drawn(), drawn()
    assert one.game.secret != other.game.secret
    assert one.game.deal != other.game.deal
    assert not {*one.commitments["hands"], one.commitments["game"]} & {*other.commitments["hands"]}


def test_bots_are_seeded_apart_from_the_deals():
    """A bot's random choices follow from a number that reveals neither the secret nor a card."""
    table = drawn(secret=SECRET)
    seeds = {table.seats.agent(number).seed for number in range(5)}
    assert len(seeds) == 5
    assert not seeds & {table.game.seed, derived(SECRET, "seed", 8), derived(SECRET, "bots")}
    same = drawn(secret=SECRET)
    assert {same.seats.agent(number).seed for number in range(5)} == seeds


def forbidden(table: Table) -> list[str]:
    """Return what must stay hidden until the game is over, since deals or commitments follow from it."""
    secret = table.game.secret or ""
    return [secret, table.salt, str(table.game.seed), str(int(secret, 16)), str(derived(secret, "bots"))]


def test_the_secret_stays_hidden_until_the_end(tmp_path):
    with running(tmp_path) as server:
        host = owner(server)
        key = host.done("new", rules="classic target=off max_hands=2", bots=["random"] * 4)["key"]
        host.until(lambda: host.key == key)
        anna = guest(server, host.done("invite")["path"], 2, "Anna")
        table = server.table(host)
        secrets = forbidden(table)
        while not table.finished:
            act(server, [host, anna])
        for page in (host, anna):
            page.done("proofs", key=key)
            page.done("review", key=key, hand=1)
        while not last_card(table):
            act(server, [host, anna])
        heard = "\n".join(text for page in (host, anna) for text in page.heard)
        assert [word for word in secrets if word in heard] == []
        assert "commitments" in heard, "the proofs were among them"
        while not table.over:
            act(server, [host, anna])
        host.until(lambda: host.view["outcome"])
        [proof] = anna.done("proofs", key=key)["proofs"]["game"]
        assert proof["told"] == f"secret {secrets[0]}"
        verify(Proof(**proof))


def last_card(table: Table) -> bool:
    """Has the last trick of the second hand begun? It may be over, since bots don't wait for us to look."""
    return bool(table.finished) and (table.over or table.game.cards_played >= 48)


def act(server, pages: list[Page]) -> None:
    """Let the person to move act."""
    server.up_to_date(*pages)
    for page in pages:
        if page.to_move() and not server.table(page).over:
            page.act(page.view["legal"][0])
            return


# Proved


def test_all_hands_follow_from_the_secret():
    table = drawn("classic target=off max_hands=3")
    first = table.commitments
    assert first["drawn_from"] == "secret"
    play(table)
    game, hands = proofs_of(table)
    assert (game.commitment, game.told) == (first["game"], f"secret {table.game.secret}")
    assert [proof.commitment for proof in hands] == table.commitments["hands"]
    verify_game(table.rules, game, hands)
    usual = deck(table.rules.trumps)
    for number, hand in enumerate(table.finished):
        shown = [sorted(cards(held)) for held in hand.start.deal.split("|")]
        assert shown == deal(table.game.secret or "", number, usual)


def test_what_was_changed_is_found_out():
    game, hands = proofs_of(play(drawn()))
    swapped = hands[1].told.translate(str.maketrans("CD", "DC"))
    forged = Proof(commit(hands[1].salt, swapped), hands[1].salt, swapped)
    with refuses("the cards of hand 2 are not those that the secret deals", ProofError):
        verify_game(drawn().rules, game, [hands[0], forged])
    for text in (f"secret {SECRET}", "secret 5f", "seed x", "nothing"):
        with pytest.raises(ProofError):
            verify_game(drawn().rules, Proof(commit(game.salt, text), game.salt, text), hands)
    with pytest.raises(ProofError, match="does not match the commitment"):
        verify(Proof(game.commitment, game.salt, f"secret {SECRET}"))


def test_a_seed_that_somebody_gave_deals_as_ever():
    table = play(drawn(seed=7))
    assert (table.commitments["drawn_from"], table.game.secret, table.game.seed) == ("seed", None, 7)
    assert [hand.start.deal for hand in table.finished] == [
        Game(table.rules, 7, hand_number=number).deal for number in range(2)
    ]
    game, hands = proofs_of(table)
    assert game.told == "seed 7"
    verify_game(table.rules, game, hands)
    with refuses("a table's deals come from a seed or a secret…", ValueError):
        drawn(seed=7, secret=SECRET)


def test_players_are_told_what_the_hashes_rest_on():
    secret, seed, given = drawn(), drawn(seed=7), drawn(start={"deal": SPADES_FOR_SOUTH})
    words = [" ".join(seat_view(table, 0)["fair"]["words"]) for table in (secret, seed, given)]
    assert "secret of 128 random bits" in words[0]
    assert "can be computed from a finished hand" in words[1]
    assert "set by hand" in words[2]
    assert [table.commitments["given"] for table in (secret, seed, given)] == [False, False, True]
    verify_game(given.rules, *proofs_of(play(given)), given=True)


# The same cards again


def test_after_a_takeback_the_same_hands_come():
    table = drawn("match target=off max_hands=3", FOUR)
    while not table.finished:
        move(table, by_chance(random.Random(1)))
    second, shown = table.game.deal, table.commitments
    table.takeback(table.moves[-1].seat)
    assert not table.finished
    while not table.finished:
        move(table, by_chance(random.Random(2)))
    assert (table.game.deal, table.commitments) == (second, shown)


def test_a_table_is_kept_with_its_secret():
    table = play(drawn(), 70)
    data = json.loads(json.dumps(packed(table)))
    assert (data["format"], data["secret"], data["seed"]) == (2, table.game.secret, None)
    other = unpacked(data, now=stand_still)
    assert packed(other) == packed(table)
    assert play(other).hands == play(table).hands
    assert copy.deepcopy(other).proofs() == table.proofs()


def test_a_finished_game_goes_as_text_with_its_secret():
    table = play(drawn())
    other = read(write(table))
    assert (other.proofs(), other.hands) == (table.proofs(), table.hands)
    assert other.game.secret == table.game.secret
    with pytest.raises(SittingError, match="damaged"):
        read(write(table).replace(table.game.secret or "", SECRET))


def test_a_hand_is_played_again():
    table = drawn("classic target=off max_hands=3")
    while not table.finished:
        move(table)
    replay = again(table, 0, {0: "Anna"})
    assert replay.game.deal == table.finished[0].start.deal
    assert None is not replay.game.secret != table.game.secret, "what is still to come there stays unknown"
    play(table)
    replay = play(again(table, 1, {0: "Anna"}))
    assert replay.game.secret == table.game.secret
    assert [hand.start.deal for hand in replay.finished] == [hand.start.deal for hand in table.finished[1:]]

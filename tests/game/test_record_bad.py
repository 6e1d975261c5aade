"""Bad records: each is refused in a sentence that names the line."""

import random
import re

import pytest
from support.game.tables import GOLDEN, play, play_hand, random_position
from support.strategies import scaled

from spades_env import Game, RecordError, Rules
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, SEATS

# Bad records


def full_game() -> str:
    """A game with everything in it: a start, blind nils, passing, two hands and the end of the time."""
    rng = random.Random(45)
    rules = Rules.preset(
        "showdown", blind_nil_deficit=0, blind_nil_pass=2, first_dealer="east", target=None, max_hands=3
    )
    deal = Game(rules, seed=50).hands
    game = Game(rules, seed=5, deal=deal, dealer=1, scores=[-30, 10], bags=[1, 0])
    for bid in (BLIND_NIL, BID_ZERO + 4, LOOK, BID_ZERO + 3, BID_ZERO):
        game.apply(bid)
    play_hand(game, rng)
    for number in range(4):
        if game.phase == "blind":
            game.apply(LOOK)
        game.apply(BID_ZERO + number)
    play(game, rng, 4 * 5 + 2)
    game.time_up()
    return game.record()


FULL = full_game()
LINES = FULL.splitlines()


def number_of(beginning: str, after: int = 0) -> int:
    """Return the number of the first line with this prefix after a line, counted from 1."""
    return next(number for number, line in enumerate(LINES, 1) if number > after and line.startswith(beginning))


HAND_1, HAND_2 = number_of("hand 1"), number_of("hand 2")


def in_line(number: int, old: str, new: str) -> str:
    """Return the record with one line edited."""
    line = LINES[number - 1]
    assert old in line
    return changed(number, line.replace(old, new, 1))


def changed(number: int, *lines: str) -> str:
    """Return the record with one line replaced by others, or by none."""
    return "\n".join([*LINES[: number - 1], *lines, *LINES[number:]]) + "\n"


def swapped(number: int, at: int, other: int) -> str:
    """Return the record with two words of a line exchanged."""
    words = LINES[number - 1].split(" ")
    words[at], words[other] = words[other], words[at]
    return changed(number, " ".join(words))


BIDS_1, PASSES_1, TRICK_1 = number_of("bids"), number_of("passes"), number_of(" 1.")
TRICK_5, TRICK_13, SCORE = number_of(" 5."), number_of("13."), number_of("South & North:")
BIDS_2, LAST_TRICK, TIME_UP = number_of("bids", HAND_2), number_of(" 6.", HAND_2), number_of("time is up")
WINNER = number_of("winner")

DAMAGED = {  # what: (text, number of the line that the refusal names)
    "empty": ("", 1),
    "blank": (" \n\n", 1),
    "another first line": (changed(1, "spades record 3"), 1),
    "a longer first line": (changed(1, "spades record 10"), 1),
    "no first line": (changed(1), 1),
    "a line before the first": ("\n" + FULL, 1),
    "a byte order mark": ("\ufeff" + FULL, 1),
    "no rules": (changed(2), 2),
    "empty rules": (changed(2, "rules: "), 2),
    "unknown rules": (changed(2, "rules: whist"), 2),
    "rules with an unknown option": (changed(2, "rules: classic goal=3"), 2),
    "rules with a word": (changed(2, "rules: classic goal"), 2),
    "rules with a bad value": (changed(2, "rules: classic target=-3"), 2),
    "rules naming a parameter": (changed(2, "rules: classic name=3"), 2),
    "rules naming self": (changed(2, "rules: classic self=3"), 2),
    "rules that cannot end": (changed(2, "rules: classic target=off"), 2),
    "no seed": (changed(3), 3),
    "empty seed": (changed(3, "seed: "), 3),
    "negative seed": (changed(3, "seed: -1"), 3),
    "a seed with a point": (changed(3, "seed: 7.0"), 3),
    "unicode seed": (changed(3, "seed: ٧"), 3),
    "superscript seed": (changed(3, "seed: ²"), 3),
    "seed too great": (changed(3, f"seed: {2**64}"), 3),
    "seed of 5000 digits": (changed(3, "seed: " + 5000 * "9"), 3),
    "seed with noughts": (changed(3, "seed: 005"), 3),
    "empty start": (changed(4, "start:"), 4),
    "garbage start": (changed(4, "start: tomorrow"), 4),
    "start with unknown dealer": (in_line(4, "dealer West", "dealer Nobody"), 4),
    "start with another order": (changed(4, "start: cards given, dealer West, scores -30 10, bags 1 0"), 4),
    "start with scores of nothing": (in_line(4, "-30 10", "-"), 4),
    "start with scores run together": (in_line(4, "-30 10", "-30-10"), 4),
    "start with scores of 5000 digits": (in_line(4, "-30 10", 5000 * "9" + " 1"), 4),
    "start with unicode scores": (in_line(4, "-30 10", "-٣٠ 10"), 4),
    "start with one score": (in_line(4, "-30 10", "-30"), 4),
    "start with scores too great": (in_line(4, "-30 10", "-30 1000000001"), 4),
    "start with too many bags": (in_line(4, "bags 1 0", "bags 5 0"), 4),
    "start in hand 0": (in_line(4, "bags 1 0,", "bags 1 0, hand 0,"), 4),
    "start in hand 4 of 3": (in_line(4, "bags 1 0,", "bags 1 0, hand 4,"), 4),
    "start in a hand of 5000 digits": (in_line(4, "bags 1 0,", f"bags 1 0, hand {5000 * '9'},"), 4),
    "start in hand 1, which need not be said": (in_line(4, "bags 1 0,", "bags 1 0, hand 1,"), 4),
    "no blank line": (changed(5), 5),
    "wrong hand number": (changed(HAND_1, "hand 2, dealer West"), HAND_1),
    "wrong dealer": (changed(HAND_1, "hand 1, dealer South"), HAND_1),
    "no hand at all": ("\n".join(LINES[:4]), 5),
    "a card twice": (in_line(HAND_1 + 1, LINES[HAND_1].split()[-1], LINES[HAND_1].split()[1]), HAND_1 + 1),
    "a card named ZZ": (in_line(HAND_1 + 2, LINES[HAND_1 + 1].split()[1], "ZZ"), HAND_1 + 2),
    "a card missing": (in_line(HAND_1 + 2, " " + LINES[HAND_1 + 1].split()[1], ""), HAND_1 + 2),
    "a joker in a deck without": (in_line(HAND_1 + 3, LINES[HAND_1 + 2].split()[1], "RJ"), HAND_1 + 3),
    "cards in another order": (swapped(HAND_1 + 1, 1, 2), HAND_1 + 1),
    "small letters": (changed(HAND_1 + 1, "South: " + LINES[HAND_1].removeprefix("South: ").lower()), HAND_1 + 1),
    "seats in another order": (changed(HAND_1 + 1, LINES[HAND_1 + 1], LINES[HAND_1]), HAND_1 + 1),
    "a hand missing": (changed(HAND_1 + 4), HAND_1 + 4),
    "a later deal changed": (swapped(HAND_2 + 1, 1, 2), HAND_2 + 1),
    "a later deal with ZZ": (in_line(HAND_2 + 4, LINES[HAND_2 + 3].split()[1], "ZZ"), HAND_2 + 4),
    "empty bids": (changed(BIDS_1, "bids: "), BIDS_1),
    "bids of nobody": (changed(BIDS_1, "bids: , ,"), BIDS_1),
    "bids of nothing": (changed(BIDS_1, "bids: East"), BIDS_1),
    "a bid out of turn": (swapped(BIDS_1, 1, 3), BIDS_1),
    "a bid of 14": (in_line(BIDS_1, " 4,", " 14,"), BIDS_1),
    "a bid of -1": (in_line(BIDS_1, " 4,", " -1,"), BIDS_1),
    "a unicode bid": (in_line(BIDS_1, " 4,", " ٤,"), BIDS_1),
    "a superscript bid": (in_line(BIDS_1, " 4,", " ⁴,"), BIDS_1),
    "a bid of 5000 digits": (in_line(BIDS_1, " 4,", f" {5000 * '9'},"), BIDS_1),
    "a bid with a nought": (in_line(BIDS_1, " 4,", " 04,"), BIDS_1),
    "a bid without a look": (in_line(BIDS_1, "look ", ""), BIDS_1),
    "two looks": (in_line(BIDS_1, "look ", "look look "), BIDS_1),
    "blind nil after a look": (in_line(BIDS_1, "look 3", "look blind"), BIDS_1),
    "a fifth bid": (changed(BIDS_1, LINES[BIDS_1 - 1] + ", East 4"), BIDS_1),
    "a bid that is no word": (in_line(BIDS_1, " 4,", " four,"), BIDS_1),
    "a card passed twice": (
        changed(PASSES_1, re.sub(r"(\w+) (\w\w) \w\w,", r"\1 \2 \2,", LINES[PASSES_1 - 1])),
        PASSES_1,
    ),
    "a card passed that is not held": (swapped(PASSES_1, 2, 5), PASSES_1),
    "a card passed named ZZ": (changed(PASSES_1, re.sub(r" \w\w,", " ZZ,", LINES[PASSES_1 - 1], count=1)), PASSES_1),
    "no passes": (changed(PASSES_1, "passes: "), PASSES_1),
    "passes before bids": (changed(BIDS_1, LINES[PASSES_1 - 1], LINES[BIDS_1 - 1]), BIDS_1),
    "a trick number": (in_line(TRICK_5, " 5.", " 6."), TRICK_5),
    "a trick number in unicode": (in_line(TRICK_5, "5.", "٥."), TRICK_5),
    "a trick without a number": (in_line(TRICK_5, " 5. ", ""), TRICK_5),
    "a trick of another leader": (
        changed(TRICK_5, re.sub(r"\. \w+", ". Nobody", LINES[TRICK_5 - 1], count=1)),
        TRICK_5,
    ),
    "a trick of another winner": (changed(TRICK_5, re.sub(r"\w+$", "Nobody", LINES[TRICK_5 - 1])), TRICK_5),
    "a trick without a winner": (changed(TRICK_5, re.sub(r", \w+$", "", LINES[TRICK_5 - 1])), TRICK_5),
    "a trick that names ZZ": (changed(TRICK_5, re.sub(r" \w\w,", " ZZ,", LINES[TRICK_5 - 1])), TRICK_5),
    "a trick with a card played before": (
        changed(TRICK_5, re.sub(r"(\. \w+) \w\w", r"\1 " + LINES[TRICK_1 - 1].split()[2], LINES[TRICK_5 - 1])),
        TRICK_5,
    ),
    "a trick twice": (changed(TRICK_5, LINES[TRICK_5 - 1], LINES[TRICK_5 - 1]), TRICK_5 + 1),
    "a changed score": (changed(SCORE, re.sub(r"score .*", "score 7", LINES[SCORE - 1])), SCORE),
    "changed points": (changed(SCORE, re.sub(r"points [-+\d]+", "points +7", LINES[SCORE - 1])), SCORE),
    "no scores": (changed(SCORE), SCORE),
    "words between the lines": (changed(SCORE, "well done!", LINES[SCORE - 1]), SCORE),
    "no second hand": (changed(HAND_2, "hand"), HAND_2),
    "an unfinished trick with a winner": (changed(LAST_TRICK, LINES[LAST_TRICK - 1] + ", South"), LAST_TRICK),
    "time up twice": (changed(TIME_UP, LINES[TIME_UP - 1], LINES[TIME_UP - 1]), TIME_UP + 1),
    "a move after the time": (changed(TIME_UP, LINES[TIME_UP - 1], " 7. South 2C"), TIME_UP + 1),
    "another winner": (changed(WINNER, "winner: Nobody"), WINNER),
    "no winner": (changed(WINNER), WINNER - 1),
    "two winners": (FULL + LINES[WINNER - 1], WINNER + 1),
    "words at the end": (FULL + "thanks", WINNER + 1),
    "bids at the end": (FULL + "bids: South 4", WINNER + 1),
    "a null": (changed(TRICK_5, LINES[TRICK_5 - 1] + "\0"), TRICK_5),
}


@pytest.mark.parametrize("what", DAMAGED)
def test_damaged_records(what):
    text, number = DAMAGED[what]
    assert text != FULL
    with pytest.raises(RecordError) as refusal:
        Game.replay(text)
    assert str(refusal.value).startswith(f"line {number}: ")


def test_the_record_itself_is_sound():
    assert Game.replay(FULL).record() == FULL


@pytest.mark.parametrize("text", [None, 5, GOLDEN.encode(), [GOLDEN], Game])
def test_only_text_is_a_record(text):
    with pytest.raises(RecordError, match="a record is text, not"):
        Game.replay(text)


def test_a_record_error_is_a_value_error():
    assert issubclass(RecordError, ValueError)


def test_records_cut_off_at_any_line():
    """A shorter text is refused, or it is the record of the game at that moment."""
    for count in range(len(LINES)):
        check_reading("\n".join(LINES[:count]))


# Fuzz

STRANGE = "\0\t\n\r\v\f\x1c\x85\u2028 \u00a0²٣Ａé♠-+,.:|_=#\\'\"0123456789"


def check_reading(text: str) -> bool:
    """Check that the text is refused with a line's number, or is its game's record; return whether it is."""
    try:
        game = Game.replay(text)
    except RecordError as error:
        refusal = str(error)
    else:
        lines = [line.rstrip() for line in text.splitlines()]
        assert Rules.parse(lines[1].removeprefix("rules: ")) == game.rules
        lines[1] = f"rules: {game.rules}"  # which may be spelled in more ways than one
        assert game.record() == "\n".join(lines).rstrip("\n") + "\n"
        return True
    number = re.match(r"line (\d+): .", refusal)
    assert number, f"no line is named: {refusal}"
    assert 1 <= int(number[1]) <= len(text.splitlines()) + 1, refusal
    return False


def edited(text: str, rng: random.Random) -> str:
    """Return the text with one character inserted, deleted, replaced or exchanged with the next."""
    at = rng.randrange(len(text))
    new = rng.choice((rng.choice(text), rng.choice(STRANGE)))
    return rng.choice(
        (
            text[:at] + new + text[at:],
            text[:at] + text[at + 1 :],
            text[:at] + new + text[at + 1 :],
            text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :],
        )
    )


def rearranged(text: str, rng: random.Random) -> str:
    """Return the text with one line deleted, doubled, moved, cut, or exchanged with the next."""
    lines = text.splitlines(keepends=True)
    at, to = rng.randrange(len(lines)), rng.randrange(len(lines))
    line = lines.pop(at)
    lines[at:at] = rng.choice(
        ([], [line, line], [line[: rng.randrange(len(line))] + "\n"], [*lines[at : at + 1], line])
    )
    if rng.random() < 0.2:
        lines.insert(to, line)
    return "".join(lines)


@pytest.mark.parametrize("change", [edited, rearranged])
@pytest.mark.parametrize("record", [GOLDEN, FULL], ids=["golden", "full"])
def test_fuzzed_records(record, change):
    rng = random.Random(46)
    for _ in range(scaled(200)):
        text = change(record, rng)
        check_reading(text)


@pytest.mark.parametrize("change", [edited, rearranged])
def test_fuzzed_beginnings(change):
    """Edit the head many times, where every word has its own meaning."""
    rng = random.Random(47)
    heads = [
        Game("solo", seed=3, dealer=1, scores=[1, -2, 3, -4], hand_number=5).record(),
        Game(Rules(target=300, bag_limit=5), seed=4, deal=Game(seed=1).hands, scores=[-100, 7], bags=[3, 0]).record(),
    ]
    for _ in range(scaled(600)):
        record = rng.choice(heads)
        cut = record.index("\nhand")
        check_reading(change(record[:cut], rng) + record[cut:])


def test_fuzzed_random_games():
    rng = random.Random(48)
    for _ in range(scaled(15)):
        record = random_position(rng).record()
        for _ in range(8):
            check_reading(rng.choice((edited, rearranged))(record, rng))


def test_some_edits_give_another_game():
    """The fuzz is not refused throughout: the seed of a game with given cards may be any other."""
    record = Game(seed=4, deal=Game(seed=1).hands).record()
    assert any(check_reading(record.replace("seed: 4", f"seed: {seed}")) for seed in range(40, 60))
    first = Game.replay(record).turn
    assert check_reading(record + f"bids: {SEATS[first]} 4\n")

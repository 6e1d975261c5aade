"""The form of a new game: rules, partner, opponents, and the difficulty they make."""

from functools import partial
from typing import Any

from spades_env import agents
from spades_env.checks import LARGEST_SEED
from spades_env.errors import SpadesError
from spades_env.game.cards import TRUMP_ORDERS, card_name
from spades_env.game.rules import Rules
from spades_env.play.rule_words import rule_words
from spades_env.play.store.database import Store
from spades_env.play.store.profile import person, remember_game, rename, usual_game
from spades_env.play.store.sitting import Sitting, begin
from spades_env.play.store.statistics import statistics
from spades_env.play.table.choices import Choice, offered
from spades_env.play.table.standing import bot_name, difficulty, stars
from spades_env.play.terminal.cursor import neighbour
from spades_env.play.terminal.pictures.pages import write_rules
from spades_env.play.terminal.screens.dialogs import Page
from spades_env.play.terminal.screens.form import Form, Item, Row
from spades_env.play.terminal.screens.rules_form import RulesForm
from spades_env.play.texts import text

MOVE_SECONDS = (None, 5.0, 10.0, 20.0, 30.0, 60.0)
MOST_DIFFICULT = 14
CUSTOM = "Custom"
OTHER = "…"  # stands for an agent that is not listed
ASK_SEED = f"Deal seed: a whole number up to {LARGEST_SEED}, or nothing for a random one"


class BotChoices:
    """The bots to choose from, with the person's record with and against each."""

    def __init__(self, store: Store, name: str):
        self._choices = {one.key: one for one in offered()}
        self._book = statistics(store, name)

    @property
    def keys(self) -> list[str]:
        return list(self._choices)

    def items(self) -> list[Item[str]]:
        items = [(one.key, one.name, "★" * one.stars, self.about(one.key)) for one in self._choices.values()]
        return [*items, (OTHER, "Another agent", "", "Type its name, such as mc:60x30+rule, or a level's file.")]

    def about(self, key: str) -> str:
        """Describe a bot: its style, and the person's record with and against it."""
        one = self._choices.get(key, Choice(key, key, stars(key), ""))
        records = (("as partners", self._book.with_partner), ("against each other", self._book.against))
        found = [(role, tallies[key]) for role, tallies in records if key in tallies]
        played = [f"You won {tally.wins} of {tally.games} games {role}." for role, tally in found]
        return " ".join(filter(None, (one.style, one.about, *played)))


class NewGame(Form):
    """The answer is a sitting; None if no new game begins."""

    def __init__(self, store: Store):
        super().__init__("New game")
        self._store, self._person = store, person(store)
        self._game = usual_game(store)
        self._known = {name: Rules.preset(name) for name in Rules.presets()} | store.variants.all()
        self._bots = BotChoices(store, self._person)
        self._seed: int | None = None

    def rows(self) -> list[Row]:
        rules, seconds = self._game.rules, self._game.move_seconds
        limit = "no limit" if seconds is None else f"{seconds:g} s"
        seed = "random" if self._seed is None else str(self._seed)
        note = " ".join([f"{rules}.", *rule_words(rules)[3:5], *self._store.file.faults_of("variants")])
        ask_name = partial(self.write, "Your name", self._set_name, self._person)
        return [
            Row("Deal", note=" ".join(rule_words(rules)), enter=lambda: self.dismiss(self._begin())),
            Row("Rules", shown_name(self._rules_name()), note, self._step_rules, self._pick_rules),
            Row("All rule options", "", str(rules), enter=self._open_rules),
            Row("How it's played", "", str(rules), enter=self._read_rules),
            Row("At the table"),
            *map(self._seat_row, (2, 1, 3)),
            Row("Your name", self._person, "Your statistics are kept under this name.", enter=ask_name),
            Row("Seconds per move", limit, "When time's up, a bot moves for you.", self._step_seconds),
            Row(
                "Deal seed",
                seed,
                "A game with a chosen seed doesn't count in statistics.",
                enter=partial(self.write, ASK_SEED, self._set_seed),
            ),
        ]

    def foot(self) -> str:
        found = difficulty(self._game.rules, 0, [None, *self._game.bots[1:]])
        if found is None:
            return ""
        return f"Difficulty {found} of {MOST_DIFFICULT}  {'★' * found}{'☆' * (MOST_DIFFICULT - found)}"

    def _begin(self) -> Sitting:
        rules, bots, seconds = self._game
        more: dict[str, Any] = {"seed": self._seed, "move_seconds": seconds, "counted": self._seed is None}
        sitting = begin(self._store, rules, bots, self._person, **more)
        remember_game(self._store, self._game)
        return sitting

    # Rules

    def _rules_name(self) -> str:
        return next((name for name, rules in self._known.items() if rules == self._game.rules), CUSTOM)

    def _set_rules(self, rules: Rules | None) -> None:
        if rules is not None:
            self._game = self._game._replace(rules=rules)

    def _step_rules(self, way: int) -> None:
        self._set_rules(self._known[neighbour(list(self._known), self._rules_name(), way)])

    def _pick_rules(self) -> None:
        known = self._known.items()
        items = [(name, shown_name(name), str(rules), " ".join(rule_words(rules))) for name, rules in known]
        self.pick("Rules", items, lambda name: self._set_rules(self._known[name]), self._rules_name())

    def _open_rules(self) -> None:
        def take(rules: Rules | None) -> None:
            self._known |= self._store.variants.all()
            self._set_rules(rules)
            self.redraw()

        self.app.push_screen(RulesForm(self._store, self._game.rules), take)

    def _read_rules(self) -> None:
        rules = self._game.rules
        trumps = list(map(card_name, TRUMP_ORDERS[rules.trumps]))
        words = {"text": str(rules), "words": rule_words(rules), "trumps": trumps}
        self.app.push_screen(Page("Rules", lambda lines: write_rules(lines, words)))

    # The bots

    def _seat_row(self, seat: int) -> Row:
        key = self._game.bots[seat]
        role = text("role.partner" if self._game.rules.partners and seat == 2 else "role.opponent")
        label = text("place.role", place=text(f"place.{seat}"), role=role)
        value = f"{bot_name(key)} {'★' * stars(key)}"

        def step(way: int) -> None:
            self._set_bot(seat, neighbour(self._bots.keys, key, way))

        def pick() -> None:
            self.pick(label, self._bots.items(), partial(self._set_bot, seat), key)

        return Row(label, value, self._bots.about(key), step, pick)

    def _set_bot(self, seat: int, key: str) -> None:
        if key == OTHER:
            self.write("Another agent", lambda name: self._set_bot(seat, checked_agent(name)))
        else:
            self._game.bots[seat] = key

    # The name, the time and the seed

    def _set_name(self, name: str) -> None:
        self._person = rename(self._store, name)
        self._bots = BotChoices(self._store, name)

    def _step_seconds(self, way: int) -> None:
        self._game = self._game._replace(move_seconds=neighbour(MOVE_SECONDS, self._game.move_seconds, way))

    def _set_seed(self, words: str) -> None:
        if words and not words.isdecimal():
            raise SpadesError(f"A seed is a whole number, not {words!r:.40}")
        self._seed = int(words) if words else None


def shown_name(name: str) -> str:
    """Return the name of a preset as people read it, and any other as it is."""
    return text(f"preset.{name}").partition(" (")[0] if name in Rules.presets() else name


def checked_agent(name: str) -> str:
    if agents.load(name).cheats:
        raise SpadesError(f"{name} sees all cards, so it can't sit at a table")
    return name

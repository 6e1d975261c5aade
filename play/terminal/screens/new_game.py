"""The form of a new game: rules, partner, opponents, and how hard it will be."""

from functools import partial

import agents
from play.rule_words import rule_words
from play.store.database import Store
from play.store.profile import Usual, person, remember_game, rename, usual_game
from play.store.sitting import begin
from play.store.statistics import Tally, statistics
from play.table.choices import Choice, offered
from play.table.standing import bot_name, difficulty, stars
from play.terminal.pictures.pages import rules_page
from play.terminal.screens.dialogs import Page
from play.terminal.screens.drawn import styles_of
from play.terminal.screens.form import Form, Pick, Row
from play.terminal.screens.rules_form import RulesForm
from spades_env import Rules
from spades_env.cards import TRUMP_ORDERS, card_name
from spades_env.checks import LARGEST_SEED

MOVE_SECONDS = (None, 5.0, 10.0, 20.0, 30.0, 60.0)
ROLES = {2: "Partner, North", 1: "Left opponent, West", 3: "Right opponent, East"}
MOST_DIFFICULT = 14
OTHER = "…"  # stands for an agent that is not listed


class NewGame(Form):
    """The answer is a sitting; None if no new game begins."""

    def __init__(self, store: Store):
        super().__init__("New game")
        self._store, self._person = store, person(store)
        self._rules, self._bots, self._seconds = usual_game(store)
        self._known = {name: Rules.preset(name) for name in Rules.presets()} | store.variants()
        self._choices = {one.key: one for one in offered()}
        self._book = statistics(store, self._person)
        self._seed: int | None = None

    def rows(self) -> list[Row]:
        seconds = "no limit" if self._seconds is None else f"{self._seconds:g} s"
        seed = "drawn" if self._seed is None else str(self._seed)
        return [
            Row("Deal", note=" ".join(rule_words(self._rules)), enter=self._begin),
            Row("Rules", self._rules_name(), self._rules_note(), self._step_rules, self._pick_rules),
            Row("Every option of the rules", "", str(self._rules), enter=self._open_rules),
            Row("The rules in words", "", str(self._rules), enter=self._read_rules),
            Row("At the table"),
            *(self._seat_row(seat) for seat in (2, 1, 3)),
            Row("Your name", self._person, "Statistics are kept under it.", enter=self._ask_name),
            Row("Seconds for a move", seconds, "When they are over, a bot moves for you.", self._step_seconds),
            Row("Seed of the deals", seed, "A game with a seed of your choice is not counted.", enter=self._ask_seed),
        ]

    def foot(self) -> str:
        found = difficulty(self._rules, 0, [None, *self._bots[1:]])
        if found is None:
            return ""
        return f"Match difficulty {found} of {MOST_DIFFICULT}  {'★' * found}{'☆' * (MOST_DIFFICULT - found)}"

    def _begin(self) -> None:
        more = {"seed": self._seed, "move_seconds": self._seconds, "counted": self._seed is None}
        sitting = begin(self._store, self._rules, self._bots, self._person, **more)
        remember_game(self._store, Usual(self._rules, self._bots, self._seconds))
        self.dismiss(sitting)

    # Rules

    def _rules_name(self) -> str:
        return next((name for name, rules in self._known.items() if rules == self._rules), "of your own")

    def _rules_note(self) -> str:
        return " ".join([f"{self._rules}.", *rule_words(self._rules)[3:5], *self._store.faults_of("variants")])

    def _step_rules(self, way: int) -> None:
        names, name = list(self._known), self._rules_name()
        place = names.index(name) + way if name in names else 0
        self._rules = self._known[names[place % len(names)]]

    def _pick_rules(self) -> None:
        items = [(name, name, str(rules), " ".join(rule_words(rules))) for name, rules in self._known.items()]
        self.app.push_screen(Pick("Rules", items, self._rules_name()), self._set_rules)

    def _set_rules(self, name: str | None) -> None:
        self._rules = self._known.get(name or "", self._rules)
        self.redraw()

    def _open_rules(self) -> None:
        self.app.push_screen(RulesForm(self._store, self._rules), self._take_rules)

    def _take_rules(self, rules: Rules | None) -> None:
        self._known |= self._store.variants()
        self._rules = rules or self._rules
        self.redraw()

    def _read_rules(self) -> None:
        trumps = list(map(card_name, TRUMP_ORDERS[self._rules.trumps]))
        view = {"rules": {"text": str(self._rules), "words": rule_words(self._rules), "trumps": trumps}}
        self.app.push_screen(Page("Rules", lambda width: rules_page(view, width, styles_of(self))))

    # Who plays

    def _seat_row(self, seat: int) -> Row:
        key = self._bots[seat]
        label = ROLES[seat] if self._rules.partners else ROLES[seat].rpartition(" ")[2]
        value = f"{bot_name(key)} {'★' * stars(key)}"
        return Row(label, value, self._about(key), partial(self._step_bot, seat), partial(self._pick_bot, seat))

    def _about(self, key: str) -> str:
        """Describe a bot: its style, and the person's record with and against it."""
        one = self._choices.get(key, Choice(key, key, stars(key), ""))
        beside, against = self._book.with_partner.get(key), self._book.against.get(key)
        records = (_record("as partners", beside), _record("against each other", against))
        return " ".join(filter(None, (one.style, one.about, *records)))

    def _step_bot(self, seat: int, way: int) -> None:
        keys = list(self._choices)
        place = keys.index(self._bots[seat]) + way if self._bots[seat] in keys else 0
        self._bots[seat] = keys[place % len(keys)]

    def _pick_bot(self, seat: int) -> None:
        items = [(one.key, one.name, "★" * one.stars, self._about(one.key)) for one in self._choices.values()]
        items.append((OTHER, "Another agent, by its string", "", "Such as mc:60x30+rule, or a level's file."))
        self.app.push_screen(Pick(ROLES[seat], items, self._bots[seat]), lambda key: self._seat_bot(seat, key))

    def _seat_bot(self, seat: int, key: str | None) -> None:
        if key == OTHER:
            self.write("An agent", lambda text: self._seat_bot(seat, checked_agent(text)))
        elif key:
            self._bots[seat] = key
        self.redraw()

    # The rest

    def _ask_name(self) -> None:
        self.write("Your name", self._set_name, self._person)

    def _set_name(self, text: str) -> None:
        self._person = rename(self._store, text)
        self._book = statistics(self._store, text)

    def _step_seconds(self, way: int) -> None:
        place = MOVE_SECONDS.index(self._seconds) + way if self._seconds in MOVE_SECONDS else 0
        self._seconds = MOVE_SECONDS[place % len(MOVE_SECONDS)]

    def _ask_seed(self) -> None:
        self.write(f"Seed of the deals: a whole number up to {LARGEST_SEED}, or nothing", self._set_seed)

    def _set_seed(self, text: str) -> None:
        if text and not text.isdecimal():
            raise ValueError(f"A seed is a whole number, not {text!r:.40}")
        self._seed = int(text) if text else None


def _record(role: str, tally: Tally | None) -> str:
    """Count the person's games with or against somebody; nothing where there was none."""
    return f"You won {tally.wins} of {tally.games} games {role}." if tally else ""


def checked_agent(name: str) -> str:
    """Return a string that names an agent who may sit at a table."""
    if agents.load(name).cheats:
        raise ValueError(f"{name} sees all cards: it may not sit at a table")
    return name

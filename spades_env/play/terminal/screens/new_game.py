"""The form of a new game: rules, partner, opponents, and the difficulty they make."""

from collections.abc import Sequence
from functools import partial

from spades_env.checks import LARGEST_SEED
from spades_env.errors import SpadesError
from spades_env.game.cards import TRUMP_ORDERS, card_name
from spades_env.game.rules import Rules
from spades_env.play.rule_words import rule_words
from spades_env.play.table.rating import bot_name, difficulty, stars
from spades_env.play.terminal.client import TableClient
from spades_env.play.terminal.cursor import neighbour
from spades_env.play.terminal.pictures.pages import write_rules
from spades_env.play.terminal.screens.dialogs import Page
from spades_env.play.terminal.screens.form import Form, FormRow, Item
from spades_env.play.terminal.screens.rules_form import RulesForm
from spades_env.play.terminal.setup import usual_game
from spades_env.play.terminal.words import said, spoken

MOVE_SECONDS = (None, 5.0, 10.0, 20.0, 30.0, 60.0)
MOST_DIFFICULT = 14
OTHER = "…"  # stands for an agent that is not listed


class BotChoices:
    """The bots to choose from, with the person's record with and against each. book: the person's statistics."""

    def __init__(self, roster: Sequence[dict], book: dict):
        self._roster, self._book = {one["key"]: one for one in roster}, book

    @property
    def keys(self) -> list[str]:
        return list(self._roster)

    def items(self) -> list[Item[str]]:
        items = [(key, one["name"], "★" * one["stars"], self.about(key)) for key, one in self._roster.items()]
        return [*items, (OTHER, said("terminal.agent"), "", said("terminal.agent_about"))]

    def about(self, key: str) -> str:
        """Describe a bot: its style, and the person's record with and against it."""
        one = self._roster.get(key, {"style": "", "about": ""})
        roles = (("terminal.won_with", "with_partner"), ("terminal.won_against", "against"))
        tallies = [(words, self._book[name][key]) for words, name in roles if key in self._book[name]]
        played = [said(words, wins=tally["wins"], count=tally["games"]) for words, tally in tallies]
        return " ".join(filter(None, (one["style"], one["about"], *played)))


class NewGame(Form):
    """Begins the game itself; the table that follows replaces the form. book: the person's statistics."""

    def __init__(self, client: TableClient, book: dict):
        super().__init__(said("new_game"))
        hello = client.hello
        self._client, self._game = client, usual_game(client)
        self._known = known_rules(client)
        self._faults = [fault["words"] for fault in hello["faults"] if fault["table"] == "variants"]
        self._bots = BotChoices(hello["roster"], book)
        self._seed: int | None = None
        self._fight: dict = {"off": False, "words": ""}

    def on_mount(self) -> None:  # besides the one of every form
        self.send(self._pick_opponents())

    def rows(self) -> list[FormRow]:
        rules, seconds = self._game.rules, self._game.move_seconds
        limit = said("new.no_limit") if seconds is None else f"{seconds:g} s"
        seed = said("terminal.random") if self._seed is None else str(self._seed)
        words = list(map(spoken, rule_words(rules)))
        note = " ".join([f"{rules}.", *words[3:5], *self._faults])
        name = self._client.name or ""
        ask_name = partial(self.write, said("your_name"), lambda name: self.send(self._client.rename(name)), name)
        ask_seed = partial(self.write, said("terminal.ask_seed", most=str(LARGEST_SEED)), self._set_seed)
        return [
            FormRow(said("deal"), note=" ".join(words), enter=lambda: self.send(self._begin())),
            FormRow(said("rules"), shown_name(self._rules_name()), note, self._step_rules, self._pick_rules),
            FormRow(said("terminal.all_rules"), "", str(rules), enter=self._open_rules),
            FormRow(said("form.how"), "", str(rules), enter=self._read_rules),
            FormRow(said("terminal.at_table")),
            *map(self._seat_row, (2, 1, 3)),
            self._fair_row(),
            FormRow(said("your_name"), name, said("terminal.name_about"), enter=ask_name),
            FormRow(said("new.seconds"), limit, said("terminal.seconds_about"), self._step_seconds),
            FormRow(said("terminal.seed"), seed, said("new.not_counted"), enter=ask_seed),
        ]

    def foot(self) -> str:
        found = difficulty(self._game.rules, 0, [None, *self._game.bots[1:]])
        if found is None:
            return ""
        shown = f"{'★' * found}{'☆' * (MOST_DIFFICULT - found)}"
        return said("terminal.difficulty_of", difficulty=found, most=MOST_DIFFICULT, stars=shown)

    async def _begin(self) -> None:
        await self._client.begin(self._game.as_fields(), self._seed)

    # Rules

    def _rules_name(self) -> str:
        return next((name for name, rules in self._known.items() if rules == self._game.rules), said("form.else"))

    def _set_rules(self, rules: Rules | None) -> None:
        if rules is not None:
            self._game = self._game._replace(rules=rules)
            self.send(self._pick_opponents())

    def _step_rules(self, way: int) -> None:
        self._set_rules(self._known[neighbour(list(self._known), self._rules_name(), way)])

    def _pick_rules(self) -> None:
        known = self._known.items()
        items = [(name, shown_name(name), about(name, rules), _all_words(rules)) for name, rules in known]
        self.pick(said("rules"), items, lambda name: self._set_rules(self._known[name]), self._rules_name())

    def _open_rules(self) -> None:
        def take(rules: Rules | None) -> None:
            self._known = known_rules(self._client)
            self._set_rules(rules)
            self.redraw()

        self.app.push_screen(RulesForm(self._client, self._game.rules), take)

    def _read_rules(self) -> None:
        rules = self._game.rules
        trumps = list(map(card_name, TRUMP_ORDERS[rules.trumps]))
        words = {"text": str(rules), "words": list(map(spoken, rule_words(rules))), "trumps": trumps}
        self.app.push_screen(Page(said("rules"), lambda lines: write_rules(lines, words)))

    # The bots

    def _seat_row(self, seat: int) -> FormRow:
        key = self._game.bots[seat]
        role = said("role.partner" if self._game.rules.partners and seat == 2 else "role.opponent")
        label = said("place.role", place=said(f"place.{seat}"), role=role)
        value = f"{spoken(bot_name(key))} {'★' * stars(key)}"

        def step(way: int) -> None:
            self._set_bot(seat, neighbour(self._bots.keys, key, way))

        def pick() -> None:
            self.pick(label, self._bots.items(), partial(self._set_bot, seat), key)

        return FormRow(label, value, self._bots.about(key), step, pick)

    def _set_bot(self, seat: int, key: str) -> None:
        if key == OTHER:
            self.write(said("terminal.agent"), partial(self._set_agent, seat))
            return
        self._game.bots[seat] = key
        if self._game.rules.side(seat) == self._game.rules.side(0):
            self.send(self._pick_opponents())
        else:
            self._game = self._game._replace(fair=False)

    def _set_agent(self, seat: int, name: str) -> None:
        self._client.offer(name)
        self._set_bot(seat, name)

    def _fair_row(self) -> FormRow:
        off, on = self._fight["off"], self._game.fair
        note = self._fight["words"] if off or on else said("new.fair_about")
        value = said("terminal.yes" if on and not off else "terminal.no")
        return FormRow(said("new.fair"), value, note, None if off else self._switch_fair, is_idle=off)

    def _switch_fair(self, way: int) -> None:
        self._game = self._game._replace(fair=not self._game.fair)
        self.send(self._pick_opponents())

    async def _pick_opponents(self) -> None:
        """Let the server pick the opponents of a fair fight; it says why where it does not."""
        game = self._game
        self._fight = await self._client.ask("fair", rules=str(game.rules), bots=game.bots)
        if self._game.fair:
            self._game = self._game._replace(bots=self._fight["bots"])

    # The time and the seed

    def _step_seconds(self, way: int) -> None:
        self._game = self._game._replace(move_seconds=neighbour(MOVE_SECONDS, self._game.move_seconds, way))

    def _set_seed(self, words: str) -> None:
        if words and not words.isdecimal():
            raise SpadesError(said("terminal.bad_seed", seed=f"{words!r:.40}"))
        self._seed = int(words) if words else None


def known_rules(client: TableClient) -> dict[str, Rules]:
    """Return the presets and the person's variants by name."""
    hello = client.hello
    return {one["name"]: Rules.parse(one["text"]) for one in [*hello["presets"], *hello["variants"]]}


def about(name: str, rules: Rules) -> str:
    """Describe rules in a line: a preset by what it is, a variant by its changes."""
    return said(f"preset.{name}.about") if name in Rules.presets() else str(rules)


def _all_words(rules: Rules) -> str:
    return " ".join(map(spoken, rule_words(rules)))


def shown_name(name: str) -> str:
    """Return the name of a preset as people read it, and any other as it is."""
    return said(f"preset.{name}") if name in Rules.presets() else name

"""What a guest's browser may ask of the host's, and what it hears: no hidden card."""

from support.play.browsers import SHORT
from support.play.friends import EAST, OPEN_ENDS, TABLES, come, is_back, move, on_turn, sat_down
from support.play.hidden import check_view, named
from support.play.sites import Friend, needs_the_site

from spades_env.play.server.limits import Limits
from spades_env.play.store.sitting_text import read
from spades_env.play.table.table import Table
from spades_env.play.texts import catalogue

needs_the_site()


ASK = "(what, more) => import('PAGE/connection.js').then(({ ask }) => ask(what, more)).then(() => '', (e) => e.message)"
SEATED = "state.view.seats.map(({ seat, who }) => [seat, who])"


def test_guests_are_bounded_as_by_the_native_server(zoe, anna):
    """Messages that are too long, not text, not JSON, or only for the host are refused; too many disconnect a page."""
    assert anna.page.evaluate(f"({ASK.replace('PAGE', anna.modules)})('sittings')") == catalogue()["error.host_only"]
    for bad in ("'nonsense'", "new Uint8Array(8)", "'[]'", f"'x'.repeat({Limits().message + 1})"):
        before = errors(anna)
        anna.page.evaluate(f"{TABLES}.at(-1).channel.send({bad})")
        anna.wait(lambda before=before: errors(anna) == before + 1, "a refusal")
    anna.page.evaluate(f"window.dead = {OPEN_ENDS}")
    flood = f"for (let i = 0; i < {2 * Limits().burst}; i += 1) channel.send('{{}}');"
    anna.page.evaluate(f"{TABLES}.forEach(({{ channel }}) => {{ {flood} }})")
    is_back(anna)
    assert move(zoe)


def errors(friend: Friend) -> int:
    return sum("error" in message for message in friend.heard())


def test_no_hidden_card_comes_to_a_guest(browser, page, zoe, anna):
    """In a whole game, every message that the browser gets is read: of a guest with cards, and of one who watches."""
    ben = come(browser, page, zoe)
    ben.ask("watch", on=True)
    ben.hurry()
    key = zoe.state("state.key")
    while not zoe.state("state.view.outcome"):
        move(on_turn(zoe, anna))
    table = read(zoe.ask("text", key=key)["text"])
    check_heard(anna, table, EAST)
    check_heard(ben, table, None)
    ben.leave()


def test_no_hidden_card_comes_to_three_friends_and_one_who_watches(browser, page, zoe):
    """All sit down soon, read each other's names and play a hand; every message that a browser gets is read."""
    zoe.new(f"{SHORT} first_dealer=south")
    friends = {}
    for name in ("Anna", "Ben", "Cleo"):
        friends[sat_down(browser, page, zoe, name)] = name
        zoe.page.keyboard.press("Escape")
    dan = come(browser, page, zoe)
    dan.ask("watch", on=True)
    dan.hurry()
    people = {who.state("state.view.seat"): who for who in (zoe, *friends)}
    names = {0: "Zoe"} | {seat: friends[who] for seat, who in people.items() if seat}
    assert len(names) == 4
    for who in (*people.values(), dan):
        who.until("state.view?.seats.every((seat) => seat.person)")
        assert dict(who.state(SEATED)) == names
    key = zoe.state("state.key")
    while not zoe.state("state.view.outcome"):
        move(people[zoe.state("state.view.turn")])
    table = read(zoe.ask("text", key=key)["text"])
    for seat, friend in [*people.items(), (None, dan)]:
        if friend is not zoe:
            check_heard(friend, table, seat)
    for friend in (*friends, dan):
        friend.leave()


def check_heard(friend: Friend, table: Table, seat: int | None) -> None:
    """Check every message a friend's browser received during a finished game. seat: None for a watcher."""
    friend.until("state.view.outcome")
    messages = friend.heard()
    assert len([message for message in messages if "view" in message]) > len(table.moves) / 2
    for message in messages:
        message.pop("hello", None)  # lists the trumps, as part of the rules
        message.get("texts", {}).pop("hello", None)
        message.pop("ways", None)  # addresses and random keys, where "2D" isn't a card
        if "view" in message:
            assert message["view"]["seat"] == seat or message["view"]["watching"]
            check_view(table, message["view"], message.get("texts", {}).get("view"))
        else:
            assert not named(message), message

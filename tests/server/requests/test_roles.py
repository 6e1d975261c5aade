"""Who may make which request: every request, asked by everybody, against a table written here."""

from dataclasses import replace

from support.play.servers import BOTS, Page, guest, new_table, owner, play_together, wait_for

from spades_env.play.server.requests.request import Who
from spades_env.play.server.routes import REQUESTS

RULES = "match target=off max_hands={}"
# The columns: the owner seated, the owner who has left the seat; a guest seated, one who has left the seat, one who
# watches, one who waits for a seat; a guest who was removed, and whose page is still open for a moment.
PEOPLE = ("owner", "standing", "seated", "left", "watching", "waiting", "gone")
ALL = "Oo SLWw -"
EXPECTED = {
    "open": ALL,
    "new": "Oo ---- -",
    "give_up": "Oo ---- -",
    "act": "O- S--- -",
    "takeback": "O- S--- -",
    "answer_undo": "O- S--- -",
    "hint": "O- S--- -",
    "claim": "O- S--- -",
    "shown": ALL,
    "sit": ALL,
    "leave": "O- S--- -",
    "invite": "Oo ---- -",
    "open_door": "Oo ---- -",
    "revoke": "Oo ---- -",
    "guests": "Oo ---- -",
    "free": "Oo ---- -",
    "put_out": "Oo ---- -",
    "watch": "-o -LWw -",
    "say": "O- S--- -",
    "rematch": "Oo ---- -",
    "tables": "Oo ---- -",
    "rules": ALL,
    "difficulty": ALL,
    "fair": "Oo ---- -",
    "save_variant": "Oo ---- -",
    "forget_variant": "Oo ---- -",
    "set": ALL,
    "look": ALL,
    "rename": "Oo ---- -",
    "sittings": "Oo ---- -",
    "statistics": "Oo ---- -",
    "review": "Oo SL-- -",
    "grades": "Oo SL-- -",
    "compare": "Oo SL-- -",
    "stop": ALL,
    "again": "Oo ---- -",
    "text": ALL,
    "import": "Oo ---- -",
    "proofs": "Oo SL-- -",
    "deals": ALL,
    "daily": "Oo ---- -",
    "dailies": "Oo ---- -",
    "achievements": "Oo ---- -",
    "ending": "O- S--- -",
    "lessons": ALL,
    "lesson": ALL,
    "drill": ALL,
    "answer_drill": ALL,
}
REFUSED = {
    Who.OWNER: "Only the person who started the server can do that",
    Who.SEATED: "You have no seat at this table",
    Who.UNSEATED: "You have a seat at this table: leave it first, then you can watch",
    Who.HOLDER: "Without a seat you can look at open hands only when the game is over",
}
NOT_HERE = "You are no longer a guest at this table"


def said_instead(monkeypatch) -> None:
    """From now on let every request that is allowed say so, and do nothing."""

    async def run(client, **fields):
        return {"allowed": True}

    for name, request in REQUESTS.items():
        fields = {"key": request.fields["key"]} if "key" in request.fields else {}
        monkeypatch.setitem(REQUESTS, name, replace(request, run=run, fields=fields))


def hosted(server, hands: int) -> tuple[Page, dict[str, Page]]:
    """Return the host, and by name the guests of a table on which a hand is finished."""
    host = owner(server)
    new_table(host, RULES.format(hands))
    link = host.done("invite")["path"]
    people = {"seated": guest(server, link, 1, "Anna"), "left": guest(server, link, 2, "Bela")}
    people |= {name: guest(server, link) for name in ("watching", "waiting", "gone")}
    people["left"].done("leave")
    people["watching"].done("watch")
    play_together(lambda: server.table(host).finished, host, *people.values())
    return host, people


def put_out_but_for_the_page(server, page: Page) -> None:
    """Take a guest's session away, and leave their page as it is."""
    page.done("set", name="which", value=True)
    sessions = server.services.sessions
    del sessions.guests[next(one.id for one in sessions.guests.values() if one.settings.get("which"))]


def allowed(page: Page, name: str, key: str) -> bool:
    """Ask, and tell whether it was allowed; a refusal must say why."""
    answer = page.ask(name, **({"key": key} if "key" in REQUESTS[name].fields else {}))
    if answer.get("allowed"):
        return True
    assert answer["error"] in (NOT_HERE, REFUSED.get(REQUESTS[name].who)), name
    return False


def walk(page: Page, key: str) -> set[str]:
    return {name for name in REQUESTS if allowed(page, name, key)}


def expected(who: str) -> set[str]:
    return {name for name, row in EXPECTED.items() if row.replace(" ", "")[PEOPLE.index(who)] != "-"}


def test_every_request_is_in_the_table():
    assert EXPECTED.keys() == REQUESTS.keys()
    assert {len(row) for row in EXPECTED.values()} == {len(ALL)}


def test_everybody_asks_for_everything(server, monkeypatch):
    host, people = hosted(server, hands=3)
    put_out_but_for_the_page(server, people["gone"])
    with monkeypatch.context() as patched:
        said_instead(patched)
        found = {who: walk(page, host.key) for who, page in people.items()} | {"owner": walk(host, host.key)}
    host.done("leave")
    said_instead(monkeypatch)
    found["standing"] = walk(host, host.key)
    assert found == {who: expected(who) for who in PEOPLE}


def test_after_the_game_everybody_there_may_see_the_hands(server, monkeypatch):
    host, people = hosted(server, hands=1)
    wait_for(lambda: server.table(host).over)
    put_out_but_for_the_page(server, people["gone"])
    said_instead(monkeypatch)
    of_hands = {name for name, request in REQUESTS.items() if request.who is Who.HOLDER}
    for who in ("watching", "waiting"):
        assert walk(people[who], host.key) == expected(who) | of_hands
    assert walk(people["gone"], host.key) == set()


def test_no_guest_asks_about_another_table(server, monkeypatch):
    host, people = hosted(server, hands=3)
    own = host.key
    other = host.done("new", rules=RULES.format(1), bots=BOTS)["key"]
    said_instead(monkeypatch)
    with_key = [name for name, request in REQUESTS.items() if "key" in request.fields]
    for name in with_key:
        for page in (people["seated"], people["waiting"]):
            refusal = REFUSED[Who.OWNER] if REQUESTS[name].who is Who.OWNER else "You are a guest at another table"
            assert page.refused(name, key=other) == refusal
    assert own != other


def test_grades_for_a_guest_without_a_seat_settle_nothing(server):
    """Grades used to answer anybody, and asking ended everybody's undo."""
    host, people = hosted(server, hands=3)
    undo = server.table(host).settled
    assert people["waiting"].refused("grades", key=host.key, hand=1, seat=0) == REFUSED[Who.HOLDER]
    assert server.table(host).settled == undo == -1

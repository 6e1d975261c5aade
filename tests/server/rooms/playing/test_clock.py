"""The clock of one person's game: when it runs, and what happens when the time is up."""

from support.play.alone import BOTS, new
from support.play.servers import TWO_HANDS, owner, running, wait_for

from spades_env.play.server.server import TICK_SECONDS


def test_the_clock_waits_until_the_view_is_shown(server, page):
    new(page, rules=TWO_HANDS, move_seconds=3600)
    clock = server.table(page).clock
    assert not clock.running
    page.done("shown", version=page.view["version"] - 1)
    assert not clock.running
    page.done("shown", version=page.view["version"])
    assert clock.running
    page.act(page.view["legal"][0])
    page.until(page.to_move)
    assert not clock.running


def test_a_bot_moves_when_the_time_is_up(server, page):
    new(page, move_seconds=1)
    table = server.table(page)
    page.done("shown", version=page.view["version"])
    wait_for(lambda: any(deed.by == "late" for deed in table.moves))
    assert table.moves[-1].seat != 0 or table.moves[-1].by == "late"


def test_the_clock_stands_still_while_nobody_looks_on(server):
    first = owner(server)
    new(first, move_seconds=3600)
    room = server.room(first)
    first.done("shown", version=first.view["version"])
    assert room.table.clock.running
    first.close()
    wait_for(lambda: not room.audience.viewers or first.key not in [room.key])
    wait_for(lambda: not room.table.clock.running)


def test_a_game_ends_when_its_time_is_up(server, page):
    new(page, "showdown time_limit_s=1")
    page.done("shown", version=page.view["version"])
    page.until(lambda: page.view["outcome"])
    assert page.view["outcome"]["time_is_up"]
    ticks = []
    server.table(page).tick = lambda: ticks.append(1)  # type: ignore[method-assign]
    page.listen(4 * TICK_SECONDS)
    assert not ticks, "a clock that has run out demands nothing more"


def test_no_clock_starts_before_anybody_asks_for_it(tmp_path):
    """After a game against the clock a page that opens finds a like one without, and the next one asked for has it."""
    timed = {"rules": "showdown trumps=nyc", "bots": BOTS, "seat": 0, "move_seconds": 30}
    with running(tmp_path, last=timed) as server:
        page = owner(server)
        assert page.view["rules"]["text"] == "showdown trumps=nyc time_limit_s=off"
        assert server.table(page).clock.move is None
        assert page.told["hello"]["last"] == timed

"""A fair fight at the server: who is picked, when, and for whom."""

from support.play.servers import BOTS, new_table, owner, running

from spades_env.play.store.database import Store
from spades_env.play.table.rating import stars

SHORT = "match target=off max_hands=4"
FAIR = {"rules": "classic", "bots": BOTS, "fair": True}


def seated(page) -> list[str]:
    return [seat["bot"]["agent"] for seat in sorted(page.view["seats"], key=lambda seat: seat["seat"])]


def test_the_server_picks_the_opponents_and_says_so(server):
    page = owner(server)
    answer = page.done("fair", rules="classic", bots=BOTS)
    assert (answer["off"], answer["words"]) == (False, "Opponents: ★★★ · ★★★. Their stars will follow your results.")
    assert [stars(bot) for bot in answer["bots"]] == [1, 3, 1, 3]
    new_table(page, **FAIR)
    assert seated(page) == answer["bots"]


def test_a_finished_game_tells_who_is_next_and_a_restart_remembers(tmp_path):
    with running(tmp_path) as server:
        page = owner(server)
        new_table(page, SHORT, fair=True)
        page.play()
        ending = page.done("ending", key=page.key)
        assert ending["fair"].startswith("The fair fight continues. Opponents: ★★★ · ★★★. One such game so far")
        last = server.services.settings["last"]
        new_table(page, SHORT)
        page.play()
        assert page.done("ending", key=page.key)["fair"] is None
    with Store(tmp_path) as store:
        store.settings.set("last", last)
    with running(tmp_path, last=last) as server:
        page = owner(server)
        assert page.told["hello"]["last"]["fair"] is True
        both = ([1, 3, 1, 3], [1, 3, 1, 2], [1, 4, 1, 3])  # as the two games were shared, lost or won
        assert [stars(bot) for bot in seated(page)] in both


def test_opponents_are_chosen_where_results_are_compared(server):
    page = owner(server)
    timed = "classic time_limit_s=600"
    assert page.done("fair", rules=timed, bots=BOTS) | {"re": 0} == {
        "re": 0,
        "ok": True,
        "bots": BOTS,
        "words": "A game with a time limit has a tournament standing: you choose the opponents yourself.",
        "off": True,
        "texts": {"words": ["fair.standing", {}]},
    }
    for options in ({"rules": timed}, {"seed": "7"}):
        new_table(page, **FAIR | options)
        assert seated(page) == BOTS


def test_bots_that_are_not_here_are_refused(server):
    assert "cannot be chosen" in owner(server).refused("fair", rules="classic", bots=["nobody"] * 4)

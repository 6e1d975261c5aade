"""A guest of the native server has Firefox: they take a seat, play by mouse, and keep the seat over a reload."""

from support.play.browsers import needs_a_browser
from support.play.firefox import Player, firefox, needs_firefox
from support.play.servers import hosted

needs_a_browser()

NORTH = 2
HAND = "it.state.view.lanes.flatMap(({ cards }) => cards)"


def test_a_guest_has_firefox(server, tmp_path):
    needs_firefox()
    zoe = hosted(server)
    profile = tmp_path / "firefox"
    profile.mkdir()
    with firefox(profile) as tab:
        anna = Player(tab, server)
        tab.open(f"http://127.0.0.1:{server.port}{zoe.done('invite')['path']}")
        tab.until("!!document.querySelector('#lobby-name')")
        tab.evaluate("document.querySelector('#lobby-name').value = 'Anna'")
        tab.click(f"#seat-{NORTH}")
        anna.is_seated()
        for phase in ("bid", "play"):
            zoe.until(lambda phase=phase: zoe.to_move() and zoe.view["phase"] == phase)
            server.up_to_date(zoe)
            zoe.act(zoe.view["legal"][0])
            before = anna.state(HAND)
            anna.play(moves=1)
        [played] = set(before) - set(anna.state(HAND))
        zoe.until(lambda: played in str(zoe.view["events"]))
        tab.reload()
        anna.is_seated()
        anna.until("!!it.state.view")
        assert anna.state("[it.state.view.seat, it.state.view.seats[0].who]") == [NORTH, "Anna"]
        assert set(anna.state(HAND)) == set(before) - {played}
        assert tab.errors == []
    zoe.close()

"""A fair fight in the form for a new game, and at the end of one."""

from support.play.browsers import expect, needs_a_browser

needs_a_browser()

LONG_ENOUGH = "match target=off max_hands=4"
STARS = "state.view.seats.map(({ bot }) => state.hello.roster.find(({ key }) => key === bot.agent).stars)"


def tick(anna):
    anna.button("New game").click()
    return anna.page.get_by_label("A fair fight")


def test_the_server_picks_the_opponents(anna):
    fair = tick(anna)
    expect(anna.page.locator(".fair p")).to_contain_text("about half of your games, as far as the bots allow")
    fair.check()
    expect(anna.page.locator(".fair p")).to_have_text("Opponents: ★★★ · ★★★. Their stars will follow your results.")
    expect(anna.page.locator("#place-1")).not_to_contain_text("Rule")
    before = anna.state("state.key")
    anna.button("Deal").click()
    anna.until(f"state.key !== '{before}'")
    assert anna.state(STARS) == [3, 3, 3, 3]  # the partner is a plain bot of three
    anna.until("state.hello.last?.fair")
    expect(tick(anna)).to_be_checked()


def test_choosing_an_opponent_ends_it(anna):
    fair = tick(anna)
    fair.check()
    anna.page.locator("#bot-noor").check()  # the partner's place
    expect(fair).to_be_checked()
    anna.page.locator("#place-1").click()
    anna.page.locator("#bot-noor").check()
    expect(fair).not_to_be_checked()


def test_it_is_off_with_a_time_limit(anna):
    anna.ask("new", rules="match target=off max_hands=1 time_limit_s=900", bots=["rule"] * 4, fair=True)
    anna.page.reload()
    anna.on_turn()
    fair = tick(anna)
    expect(fair).to_be_disabled()
    expect(anna.page.locator(".fair p")).to_contain_text("tournament standing")
    assert not fair.is_checked()


def test_the_end_says_who_is_next(anna):
    anna.new(LONG_ENOUGH, seed=None, fair=True)
    anna.page.reload()
    anna.on_turn()
    anna.hurry()
    anna.skip()
    expect(anna.page.locator("dialog.end")).to_contain_text(
        "The fair fight continues. Opponents: ★★★ · ★★★. One such game so far"
    )
    before = anna.state("state.key")
    anna.button("Play again").click()
    anna.until(f"state.key !== '{before}'")
    anna.until("state.hello.last.fair")

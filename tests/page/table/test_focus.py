"""Where the focus is: on what the person does next, and among cards that may be played; and a quick mouse."""

from support.play.browsers import EAST_BIDS, SOUTH_BIDS, needs_a_browser

needs_a_browser()

FOCUS = "(document.activeElement.ariaLabel ?? document.activeElement.id)"


def focus(anna):
    return anna.page.evaluate(FOCUS)


def deal(anna, rules):
    """A game by these rules, dealt in the dialog."""
    anna.page.evaluate(LAST, rules)
    before = anna.state("state.key")
    anna.button("New game").click()
    anna.button("Deal").click()
    anna.until(f"state.key !== '{before}' && !state.dialog")


LAST = """async (rules) => {
  const { state } = await import('/page/state.js');
  state.hello.last.rules = rules;
  state.hello.variants = [await (await import('/page/connection.js')).ask('rules', { text: rules })];
}"""


def test_a_dealt_hand_is_bid_on_at_once(anna):
    """Enter bids, never nil, and no key opens the dialog again."""
    deal(anna, SOUTH_BIDS)
    assert anna.on_turn() == "bid"
    assert focus(anna) == "bid 3"
    anna.page.keyboard.press("Enter")
    anna.until("state.view.seats[0].bid === 3")
    assert not anna.state("state.dialog")


def test_space_skips_the_bots_that_bid_first(anna):
    """A press does nothing more; Enter then leads from the table to the bids."""
    anna.set(botPause=600)
    deal(anna, EAST_BIDS)
    assert focus(anna) == "table"
    while not anna.state("state.view.your_turn"):
        anna.page.keyboard.press("Space")
    assert not anna.state("state.dialog")
    anna.page.keyboard.press("Space")
    assert (focus(anna), anna.state("state.view.seats[0].bid")) == ("table", None)
    anna.page.keyboard.press("Enter")
    assert focus(anna) == "bid 3"


def test_play_again_leads_to_the_bids(anna):
    anna.new(SOUTH_BIDS)
    anna.play()
    over = anna.state("state.key")
    anna.button("Play again").click()
    anna.until(f"state.key !== '{over}' && !state.dialog")
    anna.on_turn()
    assert focus(anna) == "bid 3"


def test_a_bid_that_was_taken_back_has_the_focus(anna):
    """Whether it was a number or a nil, which never has the focus by itself."""
    anna.new(SOUTH_BIDS)
    for press, there in (("5", "bid 5"), ("0", "bid 3")):
        anna.on_turn()
        anna.page.keyboard.press(press)
        if press == "0":
            anna.button("Yes, nil").click()
        anna.page.wait_for_selector(".hand .legal")
        anna.page.keyboard.press("ArrowRight")
        anna.page.keyboard.press("z")
        anna.page.wait_for_selector(".bid")
        anna.wait(lambda there=there: focus(anna) == there, f"the focus is on {there}")


def press(anna, key):
    """Press a key that moves the table on."""
    version = anna.state("state.view.version")
    anna.page.keyboard.press(key)
    anna.until(f"state.view.version > {version} && !state.busy")


def test_after_a_card_is_taken_back_the_focus_is_on_one_that_may_be_played(anna):
    """Even if the card that had the focus is dimmed again."""
    dimmed = 0
    anna.play(moves=1)
    while dimmed < 4 and anna.on_turn() != "end":
        anna.until("!state.held")
        anna.page.locator(".hand .legal").last.focus()
        press(anna, "Enter")
        if anna.on_turn() == "end":
            break
        press(anna, "z")
        anna.on_turn()
        anna.until("!state.held")
        dimmed += anna.page.locator(".hand .dim").count() > 0
        anna.wait(lambda: anna.focused_card in anna.legal, "the focus is on a card that may be played")
        press(anna, "Enter")
    assert dimmed


def test_undo_that_is_pressed_again_and_again_keeps_the_focus(anna):
    anna.new(SOUTH_BIDS)
    anna.play(moves=2)
    anna.on_turn()
    anna.button("Undo").focus()
    for moves in (1, 2):
        anna.page.keyboard.press("Enter")
        anna.until(f"state.view.help.takebacks === {moves} && !state.busy")
    assert focus(anna) == "Undo"
    assert anna.state("state.view.phase") == "bid"


def test_the_keys_stand_on_cards_that_may_be_played(anna):
    """After a card, the next playable one has the focus; either arrow, in turn, skips dimmed ones and wraps around."""
    dimmed = 0
    anna.play(moves=1)
    while anna.on_turn() != "end":
        anna.until("!state.held")
        legal, key = anna.legal, ("ArrowRight", "ArrowLeft")[anna.page.locator(".hand button").count() % 2]
        if not anna.focused_card:
            anna.page.keyboard.press(key)
        assert anna.focused_card in legal
        visited = []
        for _ in legal:
            anna.page.keyboard.press(key)
            visited.append(anna.focused_card)
        assert sorted(visited) == sorted(legal)
        dimmed += anna.page.locator(".hand .dim").count()
        version = anna.state("state.view.version")
        anna.page.keyboard.press("Enter")
        anna.until(f"state.view.version > {version}")
    assert dimmed


def test_a_suit_that_may_not_be_played_can_still_be_read(anna):
    """The suit's letter leads to the card, and the reason is said; drawing the table again keeps the focus."""
    anna.new(f"{SOUTH_BIDS} spades_lead=broken", seed=5)
    anna.play(moves=1)
    anna.on_turn()
    anna.page.keyboard.press("s")
    assert anna.focused_card[1] == "S"
    assert anna.focused_card not in anna.legal
    anna.page.evaluate("async () => (await import('/page/state.js')).change()")
    anna.page.keyboard.press("Enter")
    assert "aren't broken yet" in anna.page.locator("#notice.seen").inner_text()


def test_a_mouse_may_be_quick(anna):
    """A drag whose first move is over the neighbouring card, or already over the table."""
    anna.new(SOUTH_BIDS)
    anna.play(moves=1)
    for path in ([(60, 20), (0, -300)], [(0, -300)]):
        anna.on_turn()
        name = anna.legal[0]
        box = anna.card(name).bounding_box()
        anna.page.mouse.move(box["x"] + 20, box["y"] + 40)
        anna.page.mouse.down()
        for right, down in path:
            anna.page.mouse.move(box["x"] + 20 + right, box["y"] + 40 + down)
        assert anna.page.locator(".dragged").get_attribute("data-card") == name
        anna.page.mouse.up()
        anna.card(name).wait_for(state="detached")

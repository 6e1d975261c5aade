"""Whole games in a real browser: by mouse, by keyboard, on a phone."""

import re
from itertools import pairwise

import pytest
from support.play.browsers import PHONE, expect, needs_a_browser, opened

needs_a_browser()

MOVES = 14  # a bid and thirteen cards
CORNER = {"x": 12, "y": 20}  # of a card, which the next one leaves free
THUMB = 44  # pixels that a finger needs


def test_a_game_by_mouse(anna):
    """Rules and players are chosen in the dialog, every card is clicked or dragged, the record counts it."""
    choose_players_and_rules(anna)
    anna.play(moves=1)
    anna.on_turn()
    dragged = anna.legal[0]
    anna.drag(dragged)
    anna.card(dragged).wait_for(state="detached")
    anna.play()
    score = anna.page.locator(".sides .own .score").inner_text()
    assert anna.page.locator(".final b").first.inner_text() == score
    sides = anna.state("state.view.sides.map(side => side.score)")
    assert score.replace("−", "-") == str(sides[0])
    assert anna.page.locator("dialog h2").inner_text().startswith(("You won", "You lost", "A draw"))
    anna.page.keyboard.press("Escape")
    anna.menu("Statistics")
    anna.page.wait_for_selector(".figure")
    assert anna.page.locator(".figure").first.inner_text().split() == ["1", "Games"]
    assert "Rule book" in anna.page.locator(".statistics").inner_text()


def choose_players_and_rules(anna):
    """One hand against bots without a face, at the difficulty that the dialog says."""
    anna.button("New game").click()
    for place in (1, 2, 3):
        anna.page.locator(f"#place-{place}").click()
        anna.page.locator('.character input[value="rule"]').check(force=True)
    assert anna.page.locator(".difficulty span").first.inner_text() == "Difficulty 8"  # three stars each: 3 + 3 + 5 − 3
    anna.page.locator("#place-1").click()
    anna.page.locator('.character input[value="random"]').check(force=True)
    anna.until_page("document.querySelector('.difficulty span').textContent === 'Difficulty 6'")
    anna.button("Rules").click()
    anna.page.get_by_text("Classic", exact=True).click()
    anna.page.locator("summary", has_text="The end of the game").click()
    anna.page.locator("#option-max_hands").fill("1")
    anna.page.locator("#option-max_hands").press("Tab")
    anna.page.wait_for_selector(".rules-in-words >> text=or when 1 hand has been played")
    before = anna.state("state.key")
    anna.button("Deal").click()
    anna.until(f"state.key !== '{before}'")
    assert anna.state("state.view.rules.text") == "classic max_hands=1"


def test_a_card_that_is_dropped_on_the_hand_goes_back(anna):
    anna.play(moves=1)
    anna.on_turn()
    name, version = anna.legal[0], anna.state("state.view.version")
    box = anna.card(name).bounding_box()
    anna.page.mouse.move(box["x"] + 12, box["y"] + 60)
    anna.page.mouse.down()
    anna.page.mouse.move(box["x"] + 90, box["y"] + 50, steps=4)
    anna.page.mouse.up()
    anna.page.wait_for_timeout(200)
    assert anna.state("state.view.version") == version
    assert anna.card(name).bounding_box()["x"] == pytest.approx(box["x"], abs=1)


def test_a_dimmed_card_says_why(anna):
    """Other cards are dimmed only on the person's turn; a click on one only shows the reason."""
    for seed in range(20):
        anna.new(seed=seed)
        anna.play(moves=1)
        anna.on_turn()
        if anna.page.locator(".hand .dim").count():
            break
    dim = anna.page.locator(".hand .dim").first
    name, version = dim.get_attribute("data-card"), anna.state("state.view.version")
    dim.click(force=True)
    why = anna.state(f"state.view.refused['{name}']")
    assert anna.page.locator("#notice").inner_text() == why
    assert anna.said[-1] == why
    assert why in (dim.get_attribute("aria-label") or "")
    assert anna.state("state.view.version") == version
    assert not set(anna.legal) & {name}


def test_a_game_by_keyboard_alone(anna):
    """Something always has the focus; nil must be confirmed, aloud; advice, the last trick and takebacks have keys."""
    press = anna.page.keyboard.press
    assert anna.on_turn() == "bid"
    press("ArrowRight")
    card = anna.focused_card
    press("0")
    anna.page.wait_for_selector(".ask")
    assert anna.said[-1] == anna.state("state.view.nil.words")
    assert anna.page.evaluate("document.activeElement.textContent") == "Yes, nil"
    press("Escape")
    anna.page.wait_for_selector(".ask", state="detached")
    assert anna.focused_card == card
    press("a")
    anna.page.wait_for_selector(".bids .weight:not([hidden])")
    press("0")
    anna.page.wait_for_selector(".ask")
    press("Enter")
    anna.until("state.view.seats[0].bid === 0")
    moves = 0
    while anna.on_turn() != "end":
        moves += 1
        left = anna.page.locator(".hand button").count()
        press("ArrowRight")
        press(("s", "h", "c", "d")[moves % 4])
        press("l")
        for _ in range(left):
            if anna.focused_card in anna.legal:
                break
            press("ArrowRight")
        press("Enter")
        anna.until_page(f"document.querySelectorAll('.hand button').length < {left}")
        if moves == 4:
            take_back_by_keys(anna, left)
    assert moves == 14  # thirteen, and the one that was played again
    assert any(line.startswith("Your turn") for line in anna.said) or anna.state("state.view.outcome")
    anna.page.wait_for_selector("dialog.end")
    press("Escape")
    press("p")
    expect(anna.page.locator("dialog.scores")).to_have_count(1)
    press("Escape")
    press("?")
    assert "suit to suit" in anna.page.locator("dialog.help").inner_text()


def take_back_by_keys(anna, left):
    """The last trick is looked at; then the card comes back."""
    anna.on_turn()
    anna.until("!state.held")
    anna.page.keyboard.press("r")
    assert re.fullmatch(r"Hand 1 · trick \d+", anna.page.locator(".caption span").inner_text())
    assert re.fullmatch(r"Hand 1, trick \d+: [\w ]+ of \w+, led;( [\w ]+ of \w+;){3} [\w ]+ won\.", anna.said[-1])
    last = anna.said[-1]
    anna.page.keyboard.press("ArrowLeft")
    assert anna.said[-1].startswith("Hand 1, trick ")
    assert anna.said[-1] != last
    anna.page.keyboard.press("Escape")
    anna.page.keyboard.press("t")
    lies = anna.state("state.view.trick.cards.length")
    assert anna.said[-1].startswith(anna.state("state.view.prompt"))
    assert len(re.findall(r" of (?:spades|hearts|diamonds|clubs)", anna.said[-1])) == lies
    anna.page.keyboard.press("z")
    anna.until_page(f"document.querySelectorAll('.hand button').length >= {left}")
    assert anna.focused_card or anna.page.evaluate("document.activeElement !== document.body")


def test_the_focus_is_seen(anna):
    anna.play(moves=1)
    anna.on_turn()
    anna.page.keyboard.press("ArrowRight")
    outline = "getComputedStyle(document.activeElement.firstChild).outlineStyle"
    assert anna.page.evaluate(outline) == "solid"
    anna.page.keyboard.press("Tab")
    anna.page.keyboard.press("Tab")
    assert anna.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


@opened(phone=PHONE)
def test_a_game_on_a_phone(anna):
    """Two taps play a card, or one for who wants it; everything is large enough for a finger, and nothing scrolls."""
    for moves in range(MOVES):
        anna.on_turn()
        check_reach(anna)
        if moves == 0:
            anna.page.get_by_role("button", name="bid 2", exact=True).tap()
            anna.page.wait_for_selector(".bid", state="detached")
            continue
        if moves == 10:
            anna.set(taps="one")
        card, left = anna.legal[0], anna.page.locator(".hand button").count()
        anna.card(card).tap(position=CORNER)
        if moves < 10:
            anna.page.wait_for_selector(f'.lifted[data-card="{card}"]')
            assert anna.page.locator(".hand button").count() == left
            anna.card(card).tap(position=CORNER)
        anna.card(card).wait_for(state="detached")
    anna.page.wait_for_selector("dialog.end")


def check_reach(anna):
    """Nothing scrolls, and no button is smaller than a thumb, nor is the free part of a card in the fan."""
    assert anna.page.evaluate("document.scrollingElement.scrollHeight <= innerHeight")
    assert anna.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    boxes = [button.bounding_box() for button in anna.page.locator("nav button:visible, .bid").all()]
    assert all(min(box["width"], box["height"]) >= THUMB for box in boxes)
    rows: dict[float, list[dict]] = {}
    for card in anna.page.locator(".hand button").all():
        box = card.bounding_box()
        rows.setdefault(round(box["y"] / 20), []).append(box)
    assert len(rows) <= 2
    for row in rows.values():
        edges = sorted(box["x"] for box in row)
        assert all(right - left >= THUMB for left, right in pairwise(edges))
        assert edges[0] >= 0
        assert all(box["x"] + box["width"] <= 360 for box in row)

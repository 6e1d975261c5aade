"""The room: seats around the table in every window, themes, decks, bids in bubbles, dealing."""

from itertools import product

import pytest
from support.play.browsers import (
    SHORT,
    TWO_HANDS,
    USUAL_SIZES,
    Person,
    expect,
    needs_a_browser,
    overlaps,
    owner,
    serving,
)

needs_a_browser()

ROOMS = [(1920, 1080), (1440, 900), (1280, 720), (1024, 768), (820, 1180), (768, 1024), (900, 600)]
ROOMS += [(360, 740), (740, 360)]
FELTS = ("green", "teal", "blue", "night", "plum", "burgundy", "rust", "charcoal")
BACKS = ("lattice", "scales", "rays")
CONTRASTS = """() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (colour) => {
    const parts = rgba(colour).slice(0, 3).map((one) => one / 255)
      .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const ground = (node) => {
    const found = getComputedStyle(node).backgroundColor;
    return rgba(found)[3] > 250 || !node.parentElement ? found : ground(node.parentElement);
  };
  const probe = document.body.appendChild(document.createElement('p'));
  probe.textContent = 'on cloth';
  probe.style.cssText = 'position: fixed; background: var(--cloth); color: var(--on-cloth)';
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walk.nextNode()) {
    const node = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || node.closest('svg, .unseen, #notice, noscript')) continue;
    if (!node.checkVisibility()) continue;
    const two = [light(getComputedStyle(node).color), light(ground(node))].sort((a, b) => b - a);
    found.push([(two[0] + 0.05) / (two[1] + 0.05), walk.currentNode.data]);
  }
  probe.remove();
  return found;
}"""
RUNNING = """document.getAnimations().filter((one) => one.playState === 'running' && !(one instanceof CSSTransition)
  && one.effect.target.matches('.hand *'))"""


@pytest.fixture(scope="module")
def room(browser, tmp_path_factory):
    with serving(tmp_path_factory.mktemp("room")) as server:
        yield server


@pytest.fixture
def anna(browser, room):
    person = owner(browser, room)
    yield person
    person.leave()


def test_nobody_sits_on_the_cards(anna):
    """Faces, plates and bubbles keep clear of bids, trick, hand and each other, in every window."""
    anna.new(TWO_HANDS, bots=("tove", "milly", "noor", "kwame"))
    anna.on_turn()
    seats, prompt = ".face, .plate", (".prompt", ".hand .card, .seat .face, .plate")
    clear(anna, (f"{seats}, .bid-bubble", ".bids, .hand .card, .side"), prompt, (".prompt", ".bids"))
    anna.play(moves=3)
    anna.on_turn()
    beside = ".seat.west *, .seat.east *", ".seat.north .face, .seat.north .plate, .seat.south *"
    clear(anna, (seats, ".slot, .hand .card, .side"), prompt, (".prompt", ".slot"), beside)
    anna.skip(moves=12)
    anna.until("state.view.hand_number === 2 && !state.held")
    anna.on_turn()
    clear(anna, (f"{seats}, .bid-bubble", ".bids, .result, .hand .card"))


def clear(anna, *pairs):
    """Check in every window that the first of two groups of nodes keeps clear of the second."""
    for size in ROOMS:
        anna.resize(size)
        for some, others in pairs:
            assert overlaps(anna, some, others) == [], size


def test_faces_are_large_and_you_sit_above_your_cards(anna):
    for width, height in ((1440, 900), (1920, 1080), (820, 1180)):
        anna.page.set_viewport_size({"width": width, "height": height})
        anna.on_turn()
        for face in anna.page.locator(".seat .face").all():
            box = face.bounding_box()
            assert 90 <= box["width"] <= 110
            assert box["width"] == box["height"]
        own = anna.page.locator(".seat.south .face").bounding_box()
        assert own["x"] + own["width"] / 2 == pytest.approx(width / 2, abs=2)
        top = anna.page.locator(".hand").bounding_box()["y"]
        assert 0 <= top - own["y"] - own["height"] <= 30


def test_the_others_hold_as_many_cards_as_they_have(anna):
    anna.new(TWO_HANDS)
    anna.play(moves=3)
    anna.on_turn()
    shown = [fan.locator("i").count() for fan in anna.page.locator(".fan").all()]
    assert shown == anna.state("state.view.seats.map((seat) => seat.cards)")


def test_the_score_board_keeps_its_width(anna):
    anna.on_turn()
    widths = set()
    for score in (0, -1234):
        anna.state(f"(state.view.sides[0].score = {score}, 0)")
        anna.page.evaluate("async () => (await import('/page/state.js')).change()")
        anna.page.wait_for_timeout(50)
        widths.add(anna.page.locator(".side").first.bounding_box()["width"])
    assert len(widths) == 1


def test_nils_fit_into_the_score_board(anna):
    """Beside any of them the ten bags are in one row, the box is as wide as before, and what broke can be read."""
    anna.new(TWO_HANDS)
    anna.play(moves=3)
    anna.on_turn()
    box = anna.page.locator(".side").first
    sizes = [*USUAL_SIZES, (360, 740)]
    widths = {size: width_at(anna, size, box) for size in sizes}
    for kind, status in (("nil", "2 / 3 + nil ✗"), ("blind nil", "3 / 5 + blind nil ✗")):
        anna.page.evaluate(BROKEN_NIL, [kind, status])
        anna.until_page(f"document.querySelector('.side .status').textContent === '{status}'")
        for size in sizes:
            assert width_at(anna, size, box) == widths[size], size
            rows, smallest, too_wide = box.evaluate(MEASURED)
            assert rows == 1, size
            assert smallest >= 3.5, size
            assert too_wide <= 1, size
            assert anna.page.locator(".seat.north .nil.broken").evaluate(LOOK) == ["none", "none"], size
            assert [one for one in anna.page.evaluate(CONTRASTS) if one[0] < 4.5] == [], size


def width_at(anna, size, box):
    anna.resize(size)
    return box.bounding_box()["width"]


MEASURED = """(box) => {
  const pips = [...box.querySelectorAll('.bags i')].map((pip) => pip.getBoundingClientRect());
  const { scrollWidth, clientWidth } = box.querySelector('.status');
  const sides = pips.flatMap(({ width, height }) => [width, height]);
  return [new Set(pips.map(({ y }) => y)).size, Math.min(...sides), scrollWidth - clientWidth];
}"""
LOOK = "(node) => [getComputedStyle(node).clipPath, getComputedStyle(node).textDecorationLine]"


BROKEN_NIL = """async ([kind, status]) => {
  const { state, change } = await import('/page/state.js');
  state.view.sides[0].status = status;
  state.view.seats[2].nil = { kind, alive: false };
  change();
}"""


def test_bids_stand_in_bubbles_with_their_sum(anna):
    """No "0 / 5" before the first trick: a bubble for each bid, then "bid 5", then tricks and bid."""
    anna.new(f"{TWO_HANDS} first_dealer=south")
    anna.on_turn()
    bids = anna.state("state.view.seats.map((seat) => seat.bid)")
    so_far = [bid for bid in bids if bid is not None]
    assert so_far
    assert bubbles(anna) == [str(bid) for bid in so_far]
    assert anna.page.locator(".panel .bid-sum").inner_text() == f"Bid so far: {sum(so_far)} of 13"
    assert statuses(anna) == ["–" if bid is None else f"bid {bid}" for bid in bids]
    anna.play(moves=1, bid=2)
    anna.on_turn()
    if anna.state("state.view.trick.cards.length") == 0:
        assert bubbles(anna)[0] == "2"
    else:
        assert bubbles(anna) == []
    anna.card(anna.legal[0]).click()
    anna.until("state.view.tricks.length === 1 && !state.held")
    taken = anna.state("state.view.seats.map((seat) => [seat.tricks, seat.bid])")
    bids = [bid for _, bid in taken]
    assert statuses(anna) == [f"{tricks} / {bid}" for tricks, bid in taken]
    assert bubbles(anna) == []
    assert anna.page.locator(".sides .bid-sum").inner_text() == f"Bids: {sum(bids)} of 13"


def test_a_bid_is_no_score_before_the_first_trick_is_over(anna):
    anna.new(f"{TWO_HANDS} first_dealer=west")
    anna.play(moves=1, bid=3)
    anna.on_turn()
    anna.page.evaluate(ONE_CARD)
    anna.page.wait_for_timeout(50)
    assert statuses(anna)[0] == "bid 3"
    assert not any("/" in words for words in anna.page.locator(".side .status").all_inner_texts())


ONE_CARD = """async () => {
  const { state, change } = await import('/page/state.js');
  state.view.trick.cards = [{ seat: 3, card: 'AC' }];
  change();
}"""


def bubbles(anna: Person) -> list[str]:
    return anna.page.locator(".bid-bubble:visible").all_inner_texts()


def statuses(anna: Person) -> list[str]:
    return [node.text_content() for node in anna.page.locator(".seat .status").all()]


def test_table_backs_and_faces_are_chosen_and_kept(browser, room, anna):
    """In the settings, at once; after a reload and in another browser, too."""
    look = "({felt, back}) => [felt, back]"
    colour = "getComputedStyle(document.querySelector('.felt')).backgroundColor"
    cloth = anna.page.evaluate(colour)
    anna.menu("Settings")
    for words in ("Burgundy", "Rays", "Classic"):
        anna.page.get_by_label(words, exact=True).check()
    anna.page.keyboard.press("Escape")
    anna.until_page(f"{colour} !== '{cloth}'")
    anna.page.reload()
    bela = Person(browser, room.port, f"/?key={room.key}")
    for one in (anna, bela):
        one.on_turn()
        assert one.page.evaluate(f"({look})(document.documentElement.dataset)") == ["burgundy", "rays"]
        for card in one.page.locator(".hand button").all():
            name = card.get_attribute("data-card") or ""
            pips = card.locator("svg path").count()
            assert name[0] in "JQKA" or pips == (10 if name[0] == "T" else int(name[0])) + 2, name
    bela.leave()
    anna.hurry()


@pytest.mark.parametrize("faces", ["large", "classic"])
def test_no_index_touches_the_edge_of_its_card(anna, faces):
    anna.set(faces=faces, cardSize="large")
    spades = "TS TC TD TH QS QC QD QH AS 2S 3S 4S 5S"
    others = ("6S 7S 8S 9S JS KS 2C 3C 4C 5C 6C 7C 8C", "9C JC KC AC 2D 3D 4D 5D 6D 7D 8D 9D JD")
    rest = "KD AD 2H 3H 4H 5H 6H 7H 8H 9H JH KH AH"
    anna.new(seed=None, deal=" | ".join((spades, *others, rest)))
    anna.page.wait_for_selector(".hand [data-card]")
    for index in anna.page.locator(".hand .index").all():
        box = index.evaluate("(node) => { const { x, width } = node.getBBox(); return [x, x + width]; }")
        assert box[0] >= 2, index.text_content()
        assert box[1] <= 28


@pytest.mark.parametrize("moves", [0, 3])
def test_every_theme_can_be_read(anna, moves):
    """All words at the table have a contrast of 4.5 with what is behind them, bids and cards in turn."""
    for size in ((1440, 900), (360, 740)):
        anna.resize(size)
        anna.new(f"{TWO_HANDS} first_dealer=south")
        anna.play(moves=moves)
        anna.on_turn()
        for theme, felt in product(("light", "dark"), FELTS):
            anna.set(theme=theme, felt=felt)
            found = anna.page.evaluate(CONTRASTS)
            assert len(found) > 20, (theme, felt)
            assert [one for one in found if one[0] < 4.5] == [], (theme, felt)
            assert "on cloth" in [words for _, words in found]


# Dealing


def test_a_hand_is_dealt_and_the_dealing_can_be_skipped(anna):
    """Space or a click ends the dealing and does nothing else. The bids are on the table all along."""
    anna.set(motion="system")
    anna.page.evaluate(SLOWLY)
    for skip in ("space", "click"):
        anna.new(SHORT, seed=8)
        anna.until_page(f"{RUNNING}.length > 5")
        version = anna.state("state.view.version")
        if skip == "space":
            anna.page.keyboard.press("Space")
        else:
            anna.page.locator(".felt").click(position={"x": 60, "y": 60}, force=True)
        assert anna.page.evaluate(f"{RUNNING}.length") == 0
        assert anna.state("state.view.seats[0].bid") is None or anna.state("state.view.version") == version
        expect(anna.page.locator(".hand [data-card]")).to_have_count(13)


SLOWLY = """() => {
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    return animate.call(this, frames, { ...options, duration: 600_000 });
  };
}"""


def test_cards_are_dealt_under_the_bids(anna):
    """Wherever the cards from the dealer across are, each bid can be seen and clicked."""
    anna.set(motion="system")
    anna.page.evaluate(SLOWLY)
    for size in USUAL_SIZES:
        anna.resize(size)
        anna.new(f"{TWO_HANDS} first_dealer=north", seed=8)
        anna.until_page(f"{RUNNING}.length > 5")
        anna.page.wait_for_selector(".bid")
        assert [anna.page.evaluate(HIDDEN_BIDS, part) for part in (0.2, 0.3, 0.4, 0.5)] == [[]] * 4, size


HIDDEN_BIDS = """async (part) => {
  document.getAnimations().filter((one) => one.effect.target.matches('.hand *')).forEach((one) => {
    const { delay, duration } = one.effect.getTiming();
    one.currentTime = delay + part * duration;
  });
  await new Promise(requestAnimationFrame);
  return [...document.querySelectorAll('.bid')].filter((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return !node.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  }).map((node) => node.ariaLabel);
}"""


def test_nothing_is_dealt_when_the_page_opens(anna):
    anna.page.reload()
    anna.on_turn()
    assert anna.page.evaluate(f"{RUNNING}.length") == 0


@pytest.mark.parametrize("how", ["setting", "system"])
def test_dealing_is_switched_off(browser, room, how):
    bela = owner(browser, room, **({"reduced_motion": "reduce"} if how == "system" else {}))
    bela.set(motion="off" if how == "setting" else "system", botPause=0.2)
    bela.page.evaluate("""() => {
      window.begun = 0;
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (...given) { window.begun += 1; return animate.apply(this, given); };
    }""")
    bela.new(TWO_HANDS)
    bela.play(moves=2)
    assert bela.page.evaluate("window.begun") == 0
    assert bela.page.evaluate("document.getAnimations().filter(one => one.playState === 'running').length") == 0
    bela.set(motion="system")
    bela.new(TWO_HANDS)
    bela.on_turn()
    assert (bela.page.evaluate("window.begun") > 0) == (how == "setting")
    bela.leave()


# Menu and players


def test_the_menu_is_in_groups(anna):
    anna.button("More").click()
    assert anna.page.locator("dialog.menu h3").all_inner_texts() == ["This table", "Your games", "Settings and help"]
    assert "Settings" in anna.page.locator("dialog.menu section").last.inner_text()


def test_players_have_names(anna):
    """No string of an agent stands in the choice of players."""
    anna.button("New game").click()
    anna.page.wait_for_selector(".character")
    names = anna.page.locator(".character b").all_inner_texts()
    assert len(set(names)) == len(names) > 18
    assert [name for name in names if not name[0].isupper() or set(name) & set("/:+")] == []
    anna.page.keyboard.press("Escape")


def test_nil_looks_neither_chosen_nor_disabled(anna):
    """Its border and ground are those of any other bid."""
    anna.new(TWO_HANDS)
    anna.on_turn()
    look = "({border, backgroundColor, opacity}) => [border, backgroundColor, opacity].join()"
    for size in USUAL_SIZES:
        anna.resize(size)
        bids = anna.page.locator(".bid").all()
        assert len({bid.evaluate(f"(node) => ({look})(getComputedStyle(node))") for bid in bids}) == 1, size

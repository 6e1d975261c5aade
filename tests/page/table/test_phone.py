"""The table on a phone that is touched: nothing sticks, hides, or hangs over; what is small elsewhere is large."""

from itertools import pairwise, product

from support.play.browsers import (
    GERMAN,
    LOW,
    SHORT,
    SMALL,
    TALL,
    TWO_HANDS,
    USUAL_SIZES,
    expect,
    needs_a_browser,
    opened,
    overlaps,
)

needs_a_browser()

LYING = (740, 360)
WINDOWS = (SMALL, LYING)
PHONE = {"viewport": {"width": SMALL[0], "height": SMALL[1]}, "has_touch": True, "is_mobile": True}
UPRIGHT = opened(upright=PHONE)
IN_GERMAN = opened(german=PHONE | GERMAN)
FIVE_SPADES = "AS KS QS JS TS AH KH QH AC KC QC AD KD"
CORNER = {"x": 12, "y": 20}


@UPRIGHT
def test_a_bid_that_was_tapped_does_not_look_chosen(anna):
    """The pointer of a phone stays where the last tap was."""
    anna.new(TWO_HANDS)
    anna.on_turn()
    bids = anna.page.locator(".bid")
    for size in (SMALL, TALL):
        anna.resize(size)
        bids.nth(4).hover()
        assert len({bid.evaluate("(node) => getComputedStyle(node).border") for bid in bids.all()}) == 1


def test_faces_and_the_trick_are_large(anna):
    """Nothing lies over a face, and the cards of the trick are larger than those of the hand."""
    for width, height, face, card in ((390, 844, 60, 95), (360, 740, 48, 75), (740, 360, 50, 60)):
        anna.page.set_viewport_size({"width": width, "height": height})
        anna.new(TWO_HANDS)
        anna.play(moves=3)
        anna.on_turn()
        faces = anna.page.locator(".seat:is(.west, .east) .face")
        assert all(min(box["width"], box["height"]) >= face for box in map(box_of, faces.all()))
        assert overlaps(anna, ".seat:is(.west, .east) .face", ".plate, .slot") == []
        slots = list(map(box_of, anna.page.locator(".slot").all()))
        assert all(box["width"] >= card for box in slots)
        assert all(box["x"] >= 8 and box["x"] + box["width"] <= width - 8 for box in slots)


def box_of(node):
    return node.bounding_box()


def test_a_hint_covers_nothing(anna):
    """Not even a long one: neither a card nor a plate, and all of it is in the window."""
    anna.new(TWO_HANDS)
    anna.play(moves=3)
    anna.on_turn()
    anna.page.evaluate(HINT)
    anna.page.wait_for_selector(".advice:not([hidden])")
    for size in (*USUAL_SIZES, LYING):
        anna.resize(size)
        assert overlaps(anna, ".advice, .prompt", ".slot, .hand .card, .seat .face, .plate, .side") == [], size
        box = box_of(anna.page.locator(".advice"))
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]


@UPRIGHT
def test_a_hint_leaves_the_own_bid_in_sight(anna):
    """Before the first card it stands beside the face."""
    anna.new(f"{TWO_HANDS} first_dealer=west")
    anna.play(moves=1)
    anna.on_turn()
    anna.page.locator(".seat.south .bid-bubble").wait_for()
    anna.page.evaluate(HINT)
    anna.page.wait_for_selector(".advice:not([hidden])")
    assert overlaps(anna, ".prompt", ".seat.south :is(.face, .bid-bubble), .hand .card") == []


def test_a_hint_and_the_offer_of_sounds_do_not_meet(anna):
    """At 1440 × 900 a long hint reached under it."""
    anna.page.set_viewport_size({"width": 1440, "height": 900})
    anna.new(TWO_HANDS)
    anna.set(soundOffered=False)
    anna.play(moves=4)
    anna.on_turn()
    offer = anna.page.locator(".sound-offer")
    offer.wait_for()
    anna.page.evaluate(HINT)
    anna.page.wait_for_selector(".advice:not([hidden])")
    assert overlaps(anna, ".advice", ".sound-offer") == []
    anna.page.keyboard.press("Escape")
    offer.wait_for()


HINT = """async () => {
  const { state, change, positionOf } = await import('/page/state.js');
  change({ hint: {
    stamp: positionOf(state.view), best: 'Play the seven of diamonds.', heading: 'How likely Zofia is to choose each',
    reason: 'You need all of the tricks that are left, and a lower card would give the lead away: take this one.',
    words: 'Zofia is sure of it.', weighed: {},
  } });
}"""


def test_a_large_window_is_filled(anna):
    """The felt takes most of the width, and cards, faces and words grow with it."""
    sizes = []
    for width, height in ((1920, 1080), (2560, 1440)):
        anna.page.set_viewport_size({"width": width, "height": height})
        anna.new(TWO_HANDS)
        anna.play(moves=3)
        anna.on_turn()
        assert box_of(anna.page.locator(".felt"))["width"] >= 0.62 * width
        parts = (".hand .card", ".slot", ".seat .face", ".seat .status")
        sizes.append([box_of(anna.page.locator(part).first)["height"] for part in parts])
    assert all(large >= 1.25 * usual for usual, large in zip(*sizes, strict=True))


@UPRIGHT
def test_suits_stay_together(anna):
    """Each suit is in one of the two rows, where a thumb finds every card."""
    mine = FIVE_SPADES.split()
    rest = [rank + suit for suit in "SHCD" for rank in "AKQJT98765432" if rank + suit not in mine]
    anna.new(seed=None, deal=" | ".join([FIVE_SPADES, *(" ".join(rest[i::3]) for i in range(3))]))
    anna.page.wait_for_selector(".hand [data-card]")
    rows = {}
    for card in anna.page.locator(".hand [data-card]").all():
        rows.setdefault(box_of(card)["y"], []).append((card.get_attribute("data-card")[1], box_of(card)))
    assert sorted(len(row) for row in rows.values()) == [5, 8]
    suits = [{suit for suit, _ in row} for row in rows.values()]
    assert suits[0].isdisjoint(suits[1])
    for row in rows.values():
        edges = [box["x"] for _, box in row]
        assert all(right - left >= 44 for left, right in pairwise(edges))
        assert edges[0] >= 0
        assert row[-1][1]["x"] + row[-1][1]["width"] <= 390


@UPRIGHT
def test_a_hash_is_read_in_lines(anna):
    """Beside the words for it each of its letters stood in a line of its own."""
    anna.menu("Fairness")
    expect(anna.page.locator(".hashes code")).to_have_count(2)
    assert all(box["width"] >= 250 and box["height"] <= 120 for box in map(box_of, anna.page.locator("dd").all()))


@IN_GERMAN
def test_who_has_no_name_yet_is_called_du(anna):
    """Not “You”."""
    anna.on_turn()
    anna.ask("invite")
    anna.button("Mehr").click()
    anna.button("Deine Tische").click()
    expect(anna.page.locator(".sitting li").first).to_have_text("Du")
    anna.page.keyboard.press("Escape")
    anna.button("Mehr").click()
    anna.button("Einstellungen").click()
    expect(anna.page.get_by_label("Dein Name")).to_have_value("")


@UPRIGHT
def test_a_lifted_card_says_to_tap_again(anna):
    anna.new(TWO_HANDS)
    anna.play(moves=2)
    anna.on_turn()
    for size in (SMALL, TALL):
        anna.resize(size)
        anna.on_turn()
        card = anna.legal[0]
        anna.card(card).tap(position=CORNER)
        expect(anna.page.locator(".prompt")).to_have_text("Tap the card again.")
        anna.card(card).tap(position=CORNER)
        anna.card(card).wait_for(state="detached")


@UPRIGHT
def test_one_card_is_raised_at_a_time(anna):
    """The lifted one, though another has the focus."""
    anna.new(TWO_HANDS)
    anna.play(moves=1)
    anna.on_turn()
    anna.card(anna.legal[0]).tap(position=CORNER)
    anna.page.wait_for_selector(".hand .lifted")
    anna.page.keyboard.press("ArrowRight")
    assert anna.focused_card not in (None, anna.legal[0])
    anna.wait(lambda: anna.page.evaluate(RAISED) == [anna.legal[0]], "one card is raised")


RAISED = """() => [...document.querySelectorAll('.hand .card')]
  .filter((card) => new DOMMatrix(getComputedStyle(card).transform).f < 0).map((card) => card.dataset.card)"""


@UPRIGHT
def test_a_lesson_takes_two_taps_like_the_table(anna):
    anna.menu("Learn")
    anna.button("Start").click()
    card = anna.page.locator('.lesson-hand [data-card="KH"]')
    card.tap(position=CORNER)
    expect(anna.page.locator(".lesson-seat.south")).to_contain_text("Tap the card again.")
    anna.page.wait_for_timeout(300)
    expect(anna.page.locator(".lesson-reply")).to_be_hidden()
    card.tap(position=CORNER)
    expect(anna.page.locator(".lesson-reply")).to_be_visible()
    anna.set(taps="one")
    anna.page.locator(".dot").first.click()
    expect(anna.page.locator(".lesson-reply")).to_be_hidden()
    card.tap(position=CORNER)
    expect(anna.page.locator(".lesson-reply")).to_be_visible()


@UPRIGHT
def test_a_drill_keeps_the_hand_in_sight(anna):
    """While the answer is explained, wherever that is scrolled to."""
    for kind, answer in (("How many tricks?", "bid 3"), ("Nil or not?", "No nil")):
        anna.menu("Learn")
        anna.page.locator(f'section[aria-label="{kind}"] button').click()
        anna.page.locator("dialog.drill").get_by_role("button", name=answer, exact=True).click()
        anna.button("Next hand").wait_for()
        for size, scroll in product((SMALL, TALL, LOW), (0, 10_000)):
            anna.resize(size)
            anna.page.locator("dialog .body").evaluate("(node, to) => { node.scrollTop = to; }", scroll)
            assert anna.page.evaluate(COVERED_CARDS) == [], (kind, size, scroll)
        anna.resize(SMALL)
        anna.page.keyboard.press("Escape")


COVERED_CARDS = """() => [...document.querySelectorAll('.lesson-hand .card')].filter((node) => {
  const { x, y, width, height } = node.getBoundingClientRect();
  return !node.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}).map((node) => node.dataset.card)"""


@UPRIGHT
def test_words_cover_neither_the_others_nor_the_rail(anna):
    """A notice stands above the hand, a bubble on the felt beside who says it."""
    anna.let_words_stay()
    anna.new(TWO_HANDS)
    anna.play(moves=3)
    anna.on_turn()
    for size in (*USUAL_SIZES, LYING):
        anna.resize(size)
        anna.page.evaluate("async () => (await import('/page/speech.js')).notice('You have hearts: follow hearts')")
        anna.page.wait_for_selector("#notice.seen")
        assert overlaps(anna, "#notice", ".seat:not(.south) *, .laid, .hand .card") == [], size
    for size in WINDOWS:  # where the seats are on the felt
        anna.resize(size)
        felt = box_of(anna.page.locator(".felt"))
        for seat in (1, 3):
            anna.page.evaluate(PHRASE, seat)
            bubble = box_of(anna.page.locator(".bubble").last)
            assert bubble["x"] > felt["x"] + 3
            assert bubble["x"] + bubble["width"] < felt["x"] + felt["width"] - 3


@UPRIGHT
def test_words_leave_the_scores_in_sight(anna):
    """Even while the last hand and the bids are in the middle of the table."""
    anna.let_words_stay()
    anna.new(TWO_HANDS)
    anna.skip(moves=14)
    anna.on_turn()
    anna.page.locator(".scene").wait_for(state="detached")
    anna.page.evaluate(PHRASE, 3)
    assert overlaps(anna, ".bubble", ".side, .seat .face, .bid") == []


def test_words_that_grow_have_their_width(anna):
    """A bubble was measured while it was still small, so that a word too many broke into another line."""
    anna.let_words_stay()
    widths = []
    for motion in ("off", "on"):
        anna.set(motion=motion)
        anna.page.evaluate(PHRASE, 1)
        widths.append(anna.page.locator(".bubble").evaluate("(node) => node.offsetWidth"))
    assert widths[0] == widths[1]


def test_a_lost_connection_is_said_beside_the_table(anna):
    """The banner covers neither a card nor a button."""
    anna.new(TWO_HANDS)
    anna.on_turn()
    anna.page.context.set_offline(True)
    anna.page.wait_for_selector("#banner:visible")
    for size in (*WINDOWS, (1440, 900)):
        anna.resize(size)
        assert overlaps(anna, "#banner", ".hand .card, .action, .bid, .plate, .side, .seat .face, #bar > *") == [], size
    anna.page.context.set_offline(False)  # else it tries again, and fails, until the test is over
    anna.page.wait_for_selector("#banner", state="hidden")
    anna.forgive_lost_lines()


PHRASE = """async (seat) => {
  const { state } = await import('/page/state.js');
  const { showPhrase } = await import('/page/table/bubbles.js');
  showPhrase({ table: state.view.key, said: { seat, words: 'Well played! I did not see that coming at all.' } });
}"""


def test_an_earlier_trick_has_its_caption_beside_it(anna):
    anna.new(TWO_HANDS)
    anna.play(moves=3)
    anna.on_turn()
    anna.page.keyboard.press("r")
    anna.page.wait_for_selector(".caption:not([hidden])")
    for size in (*WINDOWS, (360, 640), LOW, (1440, 900)):
        anna.resize(size)
        assert overlaps(anna, ".caption", ".slot, .hand .card, .seat:not(.south) :is(.face, .plate)") == [], size


# German has longer words


@IN_GERMAN
def test_german_fits(anna):
    """The statistics, the buttons of a game in a row, and the longest prompt in three lines."""
    anna.new(SHORT, seed=None)
    anna.on_turn()
    anna.page.keyboard.press("3")
    anna.skip()
    anna.page.keyboard.press("Escape")
    open_entry(anna, "Statistik")
    for table in anna.page.locator(".statistics .scroll").all():
        assert table.evaluate("(node) => node.scrollWidth <= node.clientWidth")
    anna.page.keyboard.press("Escape")
    open_entry(anna, "Meine Spiele")
    buttons = anna.page.locator(".games li").first.locator("button").all()
    assert len(buttons) == 3
    assert len(set(map(top_of, buttons))) == 1
    anna.page.keyboard.press("Escape")
    anna.new(SHORT)
    anna.on_turn()
    anna.page.evaluate(LONG_PROMPT)
    anna.page.wait_for_selector(".prompt:has-text('ergeben')")
    line = "(node) => node.getBoundingClientRect().height / parseFloat(getComputedStyle(node).lineHeight)"
    assert anna.page.locator(".prompt").evaluate(line) < 3.5
    assert overlaps(anna, ".prompt", ".bids, .hand .card, .seat .face, .plate") == []


def open_entry(anna, name):
    anna.page.locator(".action.menu").click()
    anna.button(name).click()
    anna.page.wait_for_selector(f"dialog h2:text-is('{name}')")
    anna.page.wait_for_selector("dialog .figure, dialog .games li")


def top_of(node):
    return box_of(node)["y"]


LONG_PROMPT = """async () => {
  const { state, change } = await import('/page/state.js');
  state.view.prompt = 'Du bist dran: Sag 0 bis 13 Stiche an, aber nicht 5: Die vier Ansagen dürfen nicht 13 ergeben.';
  change();
}"""

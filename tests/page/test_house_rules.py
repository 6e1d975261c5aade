"""The house rules at the page: their form, a blind bid for both, a hand that bids itself, bids that are closed."""

from support.play.browsers import GERMAN, USUAL_SIZES, expect, needs_a_browser, opened, overlaps, violations

from spades_env import Rules

needs_a_browser()

WINDOWS = ((360, 640), (1280, 800))
BOTS = ("random",) * 4
ONE_HAND, SOUTH_BIDS = "target=off max_hands=1", "first_dealer=west"
BLIND = f"house first_hand=bid blind_bid_deficit=0 {ONE_HAND} {SOUTH_BIDS}"


def begin(person, rules: str, seed: int = 5) -> None:
    person.new(rules, seed, BOTS)
    person.on_turn()


def plate(person, place: str) -> str:
    return person.page.locator(f".seat.{place}").get_attribute("aria-label")


def test_a_blind_bid_for_both(anna):
    begin(anna, BLIND)
    panel = anna.page.locator(".panel")
    expect(panel).to_contain_text("before either of you sees a card?")
    anna.button("Blind for both").click()
    offered = anna.page.locator(".blind-bid > b").all_inner_texts()
    assert offered == ["6", "7", "8", "9", "10", "11", "12", "13"]
    for window in WINDOWS:
        anna.resize(window)
        assert overlaps(anna, ".ask", ".seat .plate, .prompt") == [], window
        assert violations(anna) == [], window
    anna.button("No").click()
    anna.page.keyboard.press("7")
    expect(anna.page.locator(".ask")).to_contain_text("+140 if you make it together, −140 if you don't.")
    anna.button("Yes, blind 7").click()
    anna.until("state.view.seats[0].bid === 7 && state.view.your_turn")
    assert "took 0, bid blind 7 for both partners" in plate(anna, "south")
    assert "took 0, no bid: the partner bid blind for both" in plate(anna, "north")
    expect(anna.page.locator(".seat.north .bid-bubble")).to_be_hidden()
    expect(anna.page.locator(".side.own .status")).to_have_text("7 ×2")
    anna.skip()
    anna.button("Scores").last.click()
    expect(anna.page.locator(".sheet")).to_contain_text("bid blind 7 (double), took ")


def test_a_hand_that_bids_itself(anna):
    begin(anna, f"house {ONE_HAND} {SOUTH_BIDS}")
    expect(anna.page.locator(".panel")).to_have_text("No bids in this hand: every trick scores 10 points.")
    assert "no bids in this hand" in plate(anna, "west")
    expect(anna.page.locator(".seat.south .status")).to_have_text("–")
    anna.skip()
    own, other = (side["score"] for side in anna.state("state.view.sides"))
    assert own + other == 130
    anna.button("Scores").last.click()
    expect(anna.page.locator(".sheet")).to_contain_text("no bids, took ")


def test_who_does_not_lead_hears_of_a_hand_without_bids(anna):
    """Another's card takes the place where it is said to the leader."""
    begin(anna, f"house {ONE_HAND} first_dealer=south")
    expect(anna.page.locator(".prompt")).to_contain_text("No bids in this hand: every trick scores 10 points.")
    assert "No bids in this hand: every trick scores 10 points." in anna.said
    for window in WINDOWS:
        anna.resize(window)
        assert overlaps(anna, ".prompt", ".slot, .hand .card, .seat .face, .plate") == [], window


def test_suicide_to_the_end(anna):
    begin(anna, f"suicide {ONE_HAND} {SOUTH_BIDS}")
    expect(anna.page.locator(".prompt")).to_have_text(
        "Your turn: bid nil, or bid 1 or more and your partner must bid nil."
    )
    anna.button("bid 4").click()
    anna.until("state.view.phase === 'play'")
    assert anna.state("state.view.seats[2].nil.kind") == "nil"
    anna.skip()


def test_a_closed_bid_says_why(anna):
    begin(anna, f"whiz {ONE_HAND} {SOUTH_BIDS}")
    expect(anna.page.locator(".panel .bid")).to_have_count(2)
    anna.page.keyboard.press("9")
    expect(anna.page.locator("#notice")).to_have_text(anna.state("state.view.prompt"))
    assert anna.state("state.view.seats[0].bid") is None


def test_a_nil_that_must_be_bid_asks_nothing(anna):
    seed = next(seed for seed in range(200) if begins_with_a_number(anna, seed))
    begin(anna, f"suicide {ONE_HAND} first_dealer=east", seed)
    assert "so bid nil." in anna.state("state.view.prompt")
    anna.button("bid nil").click()
    anna.until("state.view.seats[0].bid === 0")


def begins_with_a_number(person, seed: int) -> bool:
    """Does South's partner, who bids before, leave the nil to South?"""
    begin(person, f"suicide {ONE_HAND} first_dealer=east", seed)
    return person.state("state.view.legal.length") == 1


def test_the_form_of_the_house_rules(anna):
    anna.button("New game").click()
    anna.button("Rules").click()
    anna.page.get_by_label("House rules", exact=False).first.check()
    anna.page.wait_for_selector(".rules-in-words >> text=There is a board of 4")
    anna.page.locator("summary", has_text="Bidding").click()
    expect(anna.page.locator("#option-blind_nil_pass")).to_be_disabled()
    expect(anna.page.locator("#option-blind_bid_deficit")).to_be_enabled()
    anna.page.locator("#option-bidding").select_option("Mirror: the trumps you hold")
    anna.page.wait_for_selector(".rules-in-words >> text=Mirror: everyone bids")
    for name in ("least_bid", "total_not", "blind_bid", "blind_bid_deficit", "blind_nil_deficit"):
        expect(anna.page.locator(f"#option-{name}")).to_be_disabled()
    expect(anna.page.locator("#option-least_bid")).to_have_value("0")
    for window in WINDOWS:
        anna.resize(window)
        assert violations(anna) == [], window


def test_every_preset_has_a_name_and_a_line(anna):
    anna.button("New game").click()
    anna.button("Rules").click()
    anna.page.wait_for_selector("#ready-0")
    presets = anna.state("state.hello.presets.map((one) => one.name)")
    assert set(presets) == set(Rules.presets())
    for at, preset in enumerate(presets):
        name, about = anna.page.locator(f"label:has(#ready-{at}) > span > *").all_inner_texts()
        assert name[0].isupper(), preset
        assert len(about.split()) > 2, preset


@opened(english={}, german=GERMAN)
def test_no_choice_of_the_form_is_cut_short(anna):
    """Each can be read in its closed list, beside the arrow."""
    anna.page.evaluate("async () => (await import('/page/dialogs/game/new_game.js')).openNewGame()")
    anna.page.locator(".tabs button").nth(1).click()
    anna.page.wait_for_selector("#ready-0")
    anna.page.evaluate("document.querySelectorAll('.group').forEach((group) => { group.open = true; })")
    for size in USUAL_SIZES:
        anna.resize(size)
        assert anna.page.locator(".group select:visible").count() > 10
        assert anna.page.evaluate(CUT_SHORT, ARROW) == [], size


ARROW = 16  # pixels
CUT_SHORT = """(arrow) => [...document.querySelectorAll('.group select')].flatMap((node) => {
  const style = getComputedStyle(node), pen = document.createElement('canvas').getContext('2d');
  pen.font = style.font;
  const room = node.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
  return [...node.options].map((one) => one.text).filter((words) => pen.measureText(words).width > room);
})"""

"""Friends on the static page: they join, move and reconnect."""

import time

from support.play.sites import Friend, Visitor, invite, let_in

SOON = 5.0  # seconds from the link to the seat
EAST = 3
OPEN_ENDS = "ends.filter(({ channel }) => channel.readyState === 'open')"
TABLES = f"{OPEN_ENDS}.filter(({{ channel }}) => channel.label === 'table')"
BACK = f"{TABLES}.some((one) => !window.dead?.includes(one))"
HEARD_WAYS = "heard.some(([channel, data]) => channel === 'talk' && data.includes('\"ways\"'))"


def seated(browser, page, host: Visitor, name: str, seat: int) -> Friend:
    friend = come(browser, page, host)
    friend.ask("sit", seat=seat, name=name)
    friend.page.wait_for_selector(".table.lively")
    friend.hurry()
    return friend


def sat_down(browser, page, host: Visitor, name: str) -> Friend:
    """Seat a friend in a bot's place by hand, starting from the link, within SOON seconds."""
    link = invite(host)
    began = time.monotonic()
    friend = Friend(browser, page, link)
    let_in(host, friend)
    friend.page.get_by_label("Your name").fill(name)
    friend.button("Sit down: Rule book").first.click()
    friend.page.wait_for_selector(".hand .card")
    assert time.monotonic() - began < SOON, name
    friend.hurry()
    return friend


def come(browser, page, host: Visitor) -> Friend:
    """Open the page of a friend who has been let in but has no seat yet."""
    friend = Friend(browser, page, invite(host))
    let_in(host, friend)
    friend.page.wait_for_selector(".lobby, .table.lively")
    knows_the_way(friend)
    host.page.keyboard.press("Escape")
    return friend


def move(person: Visitor) -> str:
    """Make somebody's first legal move, and return it."""
    person.until("state.online && state.view?.your_turn && !state.busy")
    action, version = person.state("[state.view.legal[0], state.view.version]")
    person.ask("act", action=action, version=version)
    person.until(f"state.view.version > {version}")
    return action


def on_turn(*people: Visitor) -> Visitor:
    """Wait until one of these people is to move, and return them."""
    people[0].wait(lambda: any(one.state("state.view?.your_turn && !state.busy") for one in people), "somebody's turn")
    return next(one for one in people if one.state("state.view.your_turn"))


def is_back(friend: Friend) -> None:
    """Wait until a friend's page has another connection."""
    friend.wait(lambda: friend.page.evaluate(BACK) and friend.state("state.online"), "back at the table")
    knows_the_way(friend)


def knows_the_way(friend: Friend) -> None:
    """Wait until a friend's page has heard how it can come back."""
    friend.wait(lambda: friend.page.evaluate(HEARD_WAYS), "the ways back")

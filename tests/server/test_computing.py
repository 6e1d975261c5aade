"""What people ask the server to compute: whose turn it is, and that nobody else waits for it."""

import asyncio
import threading
import time

from support.play.servers import Page, guest, new_table, owner, running

from spades_env.play.server.computing import Computing, Place

UNWANTED = "This is no longer needed"


class Steps:
    """Steps that note when they begin, and go on until they are let go."""

    def __init__(self, most: int):
        self.computing, self.begun, self.go = Computing(most), [], {}

    def ask(self, person: str, place: Place, name: str) -> asyncio.Task:
        self.go[name] = threading.Event()

        def step() -> str:
            self.begun.append(name)
            self.go[name].wait()
            return name

        return asyncio.ensure_future(self.computing.run(step, person, place))

    async def until_begun(self, *names: str) -> None:
        """Wait until these steps have begun, in this order, and give others the time to begin as well."""
        while len(self.begun) < len(names):
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.02)
        assert self.begun == list(names)

    def finish(self) -> None:
        for go in self.go.values():
            go.set()


def test_the_owner_comes_first_and_guests_without_a_seat_last():
    async def run() -> None:
        steps = Steps(2)
        tasks = [steps.ask("a", Place.SEATED, "first"), steps.ask("b", Place.SEATED, "second")]
        await steps.until_begun("first", "second")
        for person, place in [("w", Place.OTHER), ("c", Place.SEATED), ("d", Place.SEATED), ("owner", Place.OWNER)]:
            tasks.append(steps.ask(person, place, person))
        steps.go["first"].set()
        await steps.until_begun("first", "second", "owner")
        for name, others in [("second", ["c"]), ("c", ["c", "d"]), ("d", ["c", "d"])]:
            steps.go[name].set()
            await steps.until_begun("first", "second", "owner", *others)
        steps.go["owner"].set()  # two threads are free: the last one is never a watcher's
        await steps.until_begun("first", "second", "owner", "c", "d", "w")
        steps.finish()
        assert await asyncio.gather(*tasks) == ["first", "second", "w", "c", "d", "owner"]

    asyncio.run(run())


def test_guests_without_a_seat_leave_a_thread_free():
    async def run() -> None:
        steps = Steps(2)
        tasks = [steps.ask(person, Place.OTHER, person) for person in "abc"]
        await steps.until_begun("a")
        tasks.append(steps.ask("owner", Place.OWNER, "owner"))
        await steps.until_begun("a", "owner")
        steps.finish()
        await asyncio.gather(*tasks)

    asyncio.run(run())


def test_nobody_computes_two_things_at_once():
    async def run() -> None:
        steps = Steps(4)
        tasks = [steps.ask("a", Place.OWNER, name) for name in ("one", "two")]
        tasks.append(steps.ask("b", Place.SEATED, "other"))
        await steps.until_begun("one", "other")
        steps.go["one"].set()
        await steps.until_begun("one", "other", "two")
        steps.finish()
        await asyncio.gather(*tasks)

    asyncio.run(run())


def test_a_step_that_nobody_wants_any_more_keeps_its_thread_until_it_ends():
    """Otherwise asking again and again would begin one after the other beside it."""

    async def run() -> None:
        steps = Steps(4)
        first, second = (steps.ask("a", Place.OWNER, name) for name in ("first", "second"))
        await steps.until_begun("first")
        for task in (first, second):
            task.cancel()
        third = steps.ask("a", Place.OWNER, "third")
        await steps.until_begun("first")
        steps.go["first"].set()
        await steps.until_begun("first", "third")
        assert [first.cancelled(), second.cancelled()] == [True, True]
        steps.finish()
        assert await third == "third"

    asyncio.run(run())


def test_steps_that_are_cancelled_at_any_moment_only_end(caplog):
    """The first one's turn may just have come when both are cancelled: the second one is not called any more."""

    async def run(ticks: int) -> None:
        steps = Steps(1)
        first = steps.ask("a", Place.OWNER, "first")
        await steps.until_begun("first")
        waiting = [steps.ask(person, Place.OWNER, person) for person in "bc"]
        await asyncio.sleep(0)
        steps.finish()
        time.sleep(0.01)  # the first step ends, but nobody hears of it yet
        for _ in range(ticks):
            await asyncio.sleep(0)
        for task in waiting:
            task.cancel()
        found = await asyncio.gather(*waiting, return_exceptions=True)
        assert {type(one) for one in found} <= {asyncio.CancelledError, str}
        assert await first == "first"
        assert await steps.computing.run(lambda: "last", "d", Place.OWNER) == "last"

    for ticks in range(8):
        asyncio.run(run(ticks))
    assert caplog.messages == []


def test_a_step_that_fails_makes_room():
    async def run() -> None:
        computing = Computing(1)
        for _ in range(3):
            try:
                await computing.run(lambda: 1 // 0, "a", Place.OWNER)
            except ZeroDivisionError:
                continue
        assert await computing.run(lambda: 7, "b", Place.OWNER) == 7

    asyncio.run(run())


# On a server


def further(page: Page, number: int) -> list[Page]:
    """Open more pages of the same person."""
    found = []
    for _ in range(number):
        other = Page.__new__(Page)
        other.__dict__ |= page.__dict__ | {"news": [], "heard": [], "told": {}, "_answers": {}, "_number": 0}
        other.connect()
        other.until(lambda other=other: other.is_at_table)
        found.append(other)
    return found


def test_guests_who_let_the_server_count_keep_nobody_waiting(tmp_path, monkeypatch):
    """Bots move, the owner gets a hint, and of a guest's pages only the last one counts."""
    go, begun = threading.Event(), []

    def counted(secret: str) -> dict:
        begun.append(secret)
        go.wait(30)
        return {"figures": []}

    monkeypatch.setattr("spades_env.play.server.requests.review.counted", counted)
    monkeypatch.setattr("os.cpu_count", lambda: 6)
    with running(tmp_path) as server:
        host = owner(server)
        new_table(host)
        link = host.done("invite")["path"]
        guests = [guest(server, link) for _ in range(3)]
        pages = [[page, *further(page, 3)] for page in guests]
        asked = [[page.ask_only("deals") for page in own] for own in pages]
        assert guests[0].done("stop")
        host.play(moves=2)
        host.until(host.to_move)
        assert host.done("hint", version=host.view["version"])["hint"]
        assert len(begun) == 1, "the guests without a seat take turns"
        go.set()
        for own, numbers in zip(pages, asked, strict=True):
            for page, number in zip(own, numbers, strict=True):
                page.until(lambda page=page, number=number: number in page._answers)
            answers = [page._answers[number] for page, number in zip(own, numbers, strict=True)]
            assert sorted(answer.get("error", "") for answer in answers) == ["", *[UNWANTED] * 3]

"""The static page in trouble: full or damaged storage, files that are no export, a newer version, no storage at all."""

import io
import shutil
import zipfile

import pytest
from support.paths import ROOT
from support.play.browsers import opened, violations
from support.play.firefox import firefox, needs_firefox
from support.play.sites import CACHED, Handler, Visitor, needs_the_site, served

from spades_env.play.texts import catalogue

needs_the_site()

ENGLISH, GERMAN = catalogue(), catalogue("de")
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "locale": "de-DE"}
DATABASE = """async (act) => {
  const opening = indexedDB.open("spades", 1);
  const db = await new Promise((done) => { opening.onsuccess = () => done(opening.result); });
  const transaction = db.transaction("files", "readwrite");
  const found = act(transaction.objectStore("files"));
  await new Promise((done) => { transaction.oncomplete = done; });
  db.close();
  return found.result && [...found.result];
}"""
DAMAGE = f"""({DATABASE})((files) => {{
  files.delete("spades.db-wal"); // which may have all pages
  return files.put(new Uint8Array(5000).fill(7), "spades.db");
}})"""
NAMES = f"({DATABASE})((files) => files.getAllKeys())"
STORED = f"({DATABASE})((files) => files.get('spades.db'))"
STRAY = f"""({DATABASE})((files) => {{
  files.put(new Uint8Array(9), "levels/mine.safetensors");
  for (const name of ["levels", "no/folder", "../up/x", "levels/..", 5]) files.put(new Uint8Array(9), name);
  return files.get(5);
}})"""
WEIGHTS = """async (version) => {
  const kept = await (await caches.open(`spades ${version}`)).keys();
  return kept.map(({ url }) => url.split("/weights/")[1]).filter(Boolean);
}"""
PUT = "IDBObjectStore.prototype.put"
FULL = "throw new DOMException('', 'QuotaExceededError')"
FAILING = {  # ways in which a file is not kept
    "no space": f"() => {{ {FULL}; }}",
    "aborted": "function (...given) { this.transaction.abort(); }",
    "the log alone": f"function (file, name) {{ if (/-wal/.test(name)) {FULL}; return usual.call(this, file, name); }}",
}
SAVED = "This could not be saved, so it was not done: "
GAME = "match target=off max_hands=3"


def fail(person, way):
    """Let the browser refuse files from now on, in this way."""
    [worker] = person.page.workers
    worker.evaluate(f"() => {{ self.usual ??= {PUT}; {PUT} = {FAILING[way]}; }}")


def succeed(person):
    person.page.workers[0].evaluate(f"() => {{ {PUT} = self.usual; }}")


def come_back(person, selector=".table.lively"):
    person.page.reload()
    person.page.wait_for_selector(selector)


def read_again(person):
    """Wait until the page is there again, with another table perhaps."""
    person.page.wait_for_selector(".table.lively")
    person.until("state.view")


def said(person, words):
    person.page.wait_for_selector(f'#notice.seen >> text="{words}"')


def test_a_move_that_cannot_be_kept_is_not_done(anna):
    """The page goes on answering, and plays on when there is space again."""
    key = anna.new(GAME, seed=8)
    anna.play(2)
    anna.on_turn()
    shown = anna.state("[state.view.version, state.view.hand, state.view.trick]")
    for way, why in (("no space", ENGLISH["site.full"]), ("aborted", "AbortError"), ("no space", ENGLISH["site.full"])):
        fail(anna, way)
        anna.card(anna.legal[0]).click()
        said(anna, SAVED + why)
        anna.until("!state.busy")
        assert anna.state("[state.view.version, state.view.hand, state.view.trick]") == shown
    with pytest.raises(Exception, match=SAVED):
        anna.ask("new", rules=GAME, bots=["rule"] * 4)
    assert key in [one["key"] for one in anna.ask("sittings")["sittings"]]
    succeed(anna)
    anna.play(2)
    anna.on_turn()
    shown = anna.state("[state.view.version, state.view.hand, state.view.trick]")
    come_back(anna)
    anna.until("state.view")
    assert anna.state("[state.view.version, state.view.hand, state.view.trick]") == shown


def test_damaged_games_leave_ways_out(anna):
    """Each by keyboard: try again, export, start afresh; and the old games come back, on the screen and in the menu."""
    anna.play(1)
    anna.on_turn()
    anna.page.evaluate(DAMAGE)
    for load in (anna.page.reload, lambda: anna.page.keyboard.press("Enter")):
        with anna.page.expect_navigation():
            load()
        anna.page.wait_for_selector("dialog.recovery")
        assert anna.page.evaluate("document.activeElement.textContent") == ENGLISH["site.try_again"]
        anna.page.evaluate("document.activeElement.blur()")
        anna.page.keyboard.press("Escape")
        anna.page.keyboard.press("Escape")
        anna.page.evaluate("document.querySelector('dialog.recovery').close()")  # as by a phone's gesture
        anna.page.locator("dialog.recovery").wait_for()
        assert "spades.db: file is not a database" in anna.page.locator("dialog.recovery").inner_text()
    assert violations(anna) == []
    with anna.page.expect_download() as download:
        anna.page.keyboard.press("Tab")
        anna.page.keyboard.press("Enter")
    with zipfile.ZipFile(download.value.path()) as exported:
        assert exported.read("spades.db") == bytes(anna.page.evaluate(STORED)) == b"\7" * 5000
    anna.page.keyboard.press("Tab")
    with anna.page.expect_navigation():
        anna.page.keyboard.press("Enter")
    read_again(anna)
    key = anna.state("state.key")
    with anna.page.expect_navigation():
        anna.menu(ENGLISH["site.back"])
    anna.page.wait_for_selector("dialog.recovery")
    with anna.page.expect_navigation():
        anna.button(ENGLISH["site.back"]).click()
    read_again(anna)
    assert anna.state("state.key") == key


@opened(phone=PHONE | {"service_workers": "block"})
def test_the_screen_on_a_phone_in_german(anna):
    """It's there even if Python can't be loaded; then nothing is wrong with the games."""
    anna.on_turn()
    anna.page.evaluate(DAMAGE)
    come_back(anna, "dialog.recovery")
    assert anna.page.locator("dialog.recovery h2").inner_text() == GERMAN["site.failed"]
    assert anna.page.get_by_text(GERMAN["site.damaged"]).is_visible()
    assert violations(anna) == []
    for name in ("try_again", "export", "fresh"):
        box = anna.button(GERMAN[f"site.{name}"]).bounding_box()
        assert box["height"] >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert box["y"] + box["height"] <= 844
    anna.page.route("**/*.wasm", lambda route: route.fulfill(status=500))
    come_back(anna, "dialog.recovery")
    names = anna.page.locator("dialog.recovery button").all_inner_texts()
    assert names == [GERMAN["site.try_again"], GERMAN["site.export"]]
    anna.errors.clear()  # the browser reports what was not loaded


class Cut(Handler):
    """Breaks off in the middle of Python."""

    def copyfile(self, source, outputfile):
        outputfile.write(source.read(1000 if self.path.endswith(".wasm") else -1))


def test_a_download_that_breaks_off_is_said(browser, site):
    with served(site, Cut) as page:
        context = browser.new_context()
        tab = context.new_page()
        tab.goto(f"http://127.0.0.1:{page.port}/")
        tab.wait_for_selector(f"dialog.recovery >> text={ENGLISH['site.failed']}")
        context.close()


def test_stray_files_are_passed_over(anna):
    key = anna.new(GAME, seed=3)
    anna.page.evaluate(STRAY)
    come_back(anna)
    anna.until(f"state.key === '{key}'")
    assert {"levels", "no/folder", "../up/x", "levels/..", 5} <= set(anna.page.evaluate(NAMES))


def choose(person, name, content):
    with person.page.expect_file_chooser() as chooser:
        person.menu(ENGLISH["site.replace"])
    chooser.value.set_files({"name": name, "mimeType": "application/zip", "buffer": content})


def packed(**files):
    """Return a zip file; the names lack their ending."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in files.items():
            archive.writestr(name.replace("_", "."), data)
    return content.getvalue()


def test_an_import_is_checked_whole_and_can_be_undone(anna):
    old = anna.new(GAME, seed=3)
    with anna.page.expect_download() as download:
        anna.menu(ENGLISH["site.save"])
    good = download.value.path().read_bytes()
    new = anna.new(GAME, seed=4)
    names = anna.page.evaluate(NAMES)
    with zipfile.ZipFile(io.BytesIO(good)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    assert set(files) == {"spades.db", "spades.db-wal"}
    bad_level = io.BytesIO()
    with zipfile.ZipFile(bad_level, "w") as archive:
        for name, data in (files | {"levels/mine.safetensors": b"no level"}).items():
            archive.writestr(name, data)
    for content, words in (
        (b"no zip", ENGLISH["site.no_export"]),
        (good[: len(good) // 2], ENGLISH["site.no_export"]),
        (packed(notes_txt=b"a file of another kind"), ENGLISH["site.no_export"]),
        (packed(spades_db=b""), ENGLISH["site.no_games"]),
        (packed(spades_db=b"\7" * 5000), ENGLISH["site.bad_file"].format(why="spades.db: file is not a database")),
        (
            bad_level.getvalue(),
            "This file can't be used, so nothing was changed: levels/mine.safetensors cannot be played",
        ),
    ):
        choose(anna, "spades.zip", content)
        anna.page.wait_for_selector(f"#notice.seen >> text={words}")
    fail(anna, "the log alone")
    choose(anna, "spades.zip", good)
    said(anna, SAVED + ENGLISH["site.full"])
    succeed(anna)
    anna.play(1)
    come_back(anna)
    anna.until(f"state.key === '{new}'")
    assert anna.page.evaluate(NAMES) == names
    for enter, key in (
        (lambda: choose(anna, "spades.zip", good), old),
        (lambda: anna.menu(ENGLISH["site.back"]), new),
        (lambda: anna.menu(ENGLISH["site.back"]), old),
    ):
        with anna.page.expect_navigation():
            enter()
        read_again(anna)
        anna.until(f"state.key === '{key}'")


def test_a_browser_that_keeps_nothing(browser, page):
    """The page says so, and can be played at."""
    anna = browser.new_context(service_workers="block")
    tab = anna.new_page()
    kept = (ROOT / "web" / "browser" / "kept.js").read_text(encoding="utf-8")
    refused = "IDBFactory.prototype.open = () => { throw new DOMException('', 'SecurityError'); };\n"
    tab.route("**/kept.js", lambda route: route.fulfill(body=refused + kept, content_type="text/javascript"))
    tab.goto(f"http://127.0.0.1:{page.port}/")
    tab.wait_for_selector(f"dialog.recovery >> text={ENGLISH['site.unkept']}")
    tab.get_by_role("button", name=ENGLISH["site.play_anyway"]).click()
    tab.wait_for_selector(".table.lively")
    tab.locator('.bid[data-bid="3"]').click()
    tab.wait_for_selector(".hand .legal")
    tab.get_by_role("button", name="More", exact=True).click()
    with tab.expect_download() as download:
        tab.get_by_role("button", name=ENGLISH["site.save"]).click()
    with zipfile.ZipFile(download.value.path()) as exported:
        assert "spades.db" in exported.namelist()
    anna.close()


def release(folder, old):
    """Put a newer version in place of the old one; return its name."""
    new = "v-123456789abc"
    (folder / old).rename(folder / new)
    for name in ("index.html", "service.js"):
        path = folder / name
        path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    return new


def test_an_old_tab_plays_on_and_gets_the_new_version(browser, site, tmp_path):
    """It can't fetch what only its own version had; a reload brings the new version with the same game."""
    folder = tmp_path / "play"
    shutil.copytree(site, folder)
    with served(folder) as page:
        anna = Visitor(browser, page)
        key = anna.new(GAME, seed=3, bots=("rule",) * 4)
        anna.wait(lambda: anna.page.evaluate(CACHED), "the service worker keeps everything")
        come_back(anna)
        anna.until(f"state.key === '{key}'")
        assert (had := set(anna.page.evaluate(WEIGHTS, page.version)))
        new = release(folder, page.version)
        with pytest.raises(Exception, match=ENGLISH["site.newer"]):
            anna.ask("new", rules=GAME, bots=["milly"] * 4)
        anna.hurry()
        anna.play(2)
        waiting = "async () => !!(await navigator.serviceWorker.getRegistration()).waiting"
        anna.wait(lambda: anna.page.evaluate(waiting), "the new version is here")
        anna.on_turn()
        version = anna.state("state.view.version")
        anna.page.reload()
        anna.page.wait_for_selector(f'script[src="{new}/door.js"]', state="attached")
        anna.modules = f"/{new}/page"
        read_again(anna)
        assert had <= set(anna.page.evaluate(WEIGHTS, new))
        anna.until(f"state.key === '{key}' && state.view.version >= {version}")
        anna.ask("new", rules=GAME, bots=["milly"] * 4)
        anna.errors = [error for error in anna.errors if "404" not in error]
        anna.leave()


def test_the_screen_in_firefox(page, tmp_path):
    needs_firefox()
    with firefox(tmp_path) as tab:
        tab.open(f"http://127.0.0.1:{page.port}/")
        tab.until("!!document.querySelector('.table.lively')")
        tab.open(f"http://127.0.0.1:{page.port}/icon.svg")  # so that no table writes after the damage
        tab.evaluate(DAMAGE)
        tab.open(f"http://127.0.0.1:{page.port}/")
        tab.until("!!document.querySelector('dialog.recovery')")
        assert tab.evaluate("document.activeElement.textContent") == ENGLISH["site.try_again"]
        tab.click("dialog.recovery li:nth-child(3) button")
        tab.until("!!document.querySelector('.table.lively')")
        assert "before/spades.db" in tab.evaluate(NAMES)
        assert [one for one in tab.errors if "favicon.ico" not in one] == []  # which Firefox wants for a picture

"""The table as a static page: built, compared with the native program, played in Chromium and Firefox."""

import ast
import re
import shutil
import subprocess
import sys

import pytest
from support.paths import ROOT
from support.play.browsers import GERMAN, PHONE, SHORT, opened, violations
from support.play.firefox import Player, firefox, needs_firefox
from support.play.servers import SECONDS
from support.play.sites import CACHED, NOTE_WORDS, Visitor, needs_the_site, served

from spades_env.play.lessons.tutorial_steps import steps
from spades_env.play.review.deals import counted
from spades_env.play.texts import catalogue, languages
from web.build import BROWSER, packed_sizes, sources

needs_the_site()

SITTINGS = 54  # some 3,000 moves
LIMIT = 6.5e6  # bytes before the first card


def test_the_same_moves_views_and_hints_as_the_native_program(site):
    done = subprocess.run(
        [sys.executable, "tests/web/equal_play.py", str(site), str(SITTINGS)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    [moves] = re.findall(r"([\d,]+) moves: 0 sittings differ", done.stdout)
    assert int(moves.replace(",", "")) >= 2800


def in_node(site, code):
    """Run Python under node, and return what it prints."""
    command = ["node", str(ROOT / "tests" / "web" / "node.mjs"), str(site), code]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout, done.stderr[-3000:]


def test_a_full_space_is_an_error_and_no_crash(site):
    code = (
        "from spades_env import Game, _jit, agents; game = Game('classic', seed=1)\n"
        "bot = agents.load('mc:30x30', seed=1); _jit.limit_space(64)\n"
        "try: bot.act(game.view(game.turn))\n"
        "except MemoryError as error: print('refused', error)\n"
        "_jit.limit_space(_jit.SPACE); print('plays', bot.act(game.view(game.turn)))"
    )
    printed, wrong = in_node(site, code)
    assert "no space left" in printed, printed + wrong
    assert "plays" in printed


def test_a_kernel_that_is_missing_never_runs_as_python(site):
    printed, wrong = in_node(site, "from spades_env.game.engine import mix; mix(3)")
    assert "spades_env.game.engine:mix isn't compiled for the page" in wrong, printed + wrong


def test_tables_are_made_by_the_build(site, capsys):
    """They are the native program's, to the bit, and no page makes them at its start."""
    code = (
        "from hashlib import sha256\n"
        "from spades_env.agents.network.forward import LISTS, NUMBERS\n"
        "from spades_env.agents.network.rows import CRITIC, PLACES, POLICY, SIGHT\n"
        "from spades_env.agents.rule.trick_worth import SWING\n"
        "for one in (LISTS, NUMBERS, CRITIC, PLACES, POLICY, SIGHT, SWING):\n"
        "    print(one.dtype.name, one.shape, sha256(one.tobytes()).hexdigest())"
    )
    exec(code, {})
    expected = capsys.readouterr().out
    assert in_node(site, code)[0] == expected
    _, wrong = in_node(site, "from spades_env.precomputed import precomputed; precomputed(print)")
    assert "KeyError" in wrong


def test_all_that_our_files_import_is_in_the_page(site):
    """Of Python's library the page has what web/library.txt lists, and nothing else."""
    wanted = set()
    for path in [*sources(), *BROWSER.glob("*.py")]:
        if path.suffix == ".py" and path.name != "imported.py":  # agents by their import path: a page has none
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom):
                    wanted.add(node.module)
                elif isinstance(node, ast.Import):
                    wanted |= {one.name for one in node.names}
    wanted = {name for name in wanted if name.partition(".")[0] in sys.stdlib_module_names}
    wanted -= {"fcntl", "msvcrt"}  # of systems: a page has no other processes
    assert {"asyncio", "sqlite3", "traceback"} <= wanted
    code = f"import importlib\nfor name in {sorted(wanted)}: importlib.import_module(name)\nprint('all')"
    printed, wrong = in_node(site, code)
    assert printed == "all\n", wrong


def test_the_server_in_the_page_knows_all_languages(site):
    """It sends the characters' lines in each."""
    code = "from spades_env.play.texts import *; print(languages(), in_language(text('your.bid'), 'de'))"
    printed, wrong = in_node(site, code)
    assert printed == f"{languages()} {catalogue('de')['your.bid']}\n", wrong


def test_errors_are_logged_with_where_they_happened(site):
    """The library's modules that a traceback needs are there, too."""
    code = (
        "import logging, sys, traceback\n"
        "from spades_env import Game\n"
        "for fails in (lambda: Game('no preset'), lambda: {}[1], lambda: absent, lambda: sys.absent):\n"
        "    try: fails()\n"
        "    except Exception: traceback.print_exc(); logging.exception('logged')\n"
        "import mailbox"
    )
    _, wrong = in_node(site, code)
    assert wrong.count("Traceback (most recent call last)") == 9, wrong
    for error in ("game.py", "KeyError: 1", "NameError: name 'absent'", "has no attribute 'absent'", "named 'mailbox'"):
        assert error in wrong, wrong


def test_ten_thousand_deals_are_counted_as_by_the_native_program(site):
    code = "from spades_env.play.review.deals import counted; print(counted('0' * 32)['words'])"
    printed, wrong = in_node(site, code)
    assert printed == f"{counted('0' * 32)['words']}\n", wrong


def test_little_comes_before_the_first_card(site):
    everything, weights = packed_sizes(site)
    assert everything < LIMIT
    assert weights > LIMIT


def test_the_start_says_what_it_does_and_asks_no_other_address(browser, page):
    """What comes is counted. Then Python starts, which takes as long, and nothing is left to count."""
    anna = browser.new_context()
    tab, asked = anna.new_page(), []
    tab.on("request", lambda request: asked.append(request.url))
    tab.add_init_script(NOTE_WORDS)
    tab.goto(f"http://127.0.0.1:{page.port}/")
    tab.wait_for_selector(".table.lively")
    assert tab.evaluate("shown").pop() == [catalogue()["site.starting"], None]
    assert asked
    assert all(url.startswith(f"http://127.0.0.1:{page.port}/") for url in asked)
    anna.close()


def test_a_game_to_its_end_by_mouse(anna):
    anna.new(SHORT, seed=None, bots=("zofia", "rule", "otto", "mc:30x30"))
    anna.play()
    assert anna.state("state.view.outcome.outcome") in ("win", "loss", "draw")
    anna.page.keyboard.press("Escape")
    anna.menu("Statistics")
    anna.page.wait_for_selector(".figure")
    assert anna.page.locator(".figure").first.inner_text().split() == ["1", "Games"]
    anna.page.keyboard.press("Escape")
    anna.button("More").click()
    words = anna.page.locator("dialog.menu li").all_inner_texts()
    assert "Play with others" in words
    assert "Sign out" not in words
    assert "Save all games to a file" in words


def open_again(person, page):
    """Open the page in a new tab."""
    person.page = person.context.new_page()
    person.page.set_default_timeout(1000 * SECONDS)
    person.page.goto(f"http://127.0.0.1:{page.port}/")
    person.page.wait_for_selector(".table.lively")


def test_a_kill_in_mid_trick_loses_nothing_that_was_shown(anna, page):
    """The page goes at once, in the middle of a trick; the next one shows the same cards and moves."""
    key = anna.new("classic", seed=8)
    anna.play(4)
    anna.on_turn()
    shown = anna.state("[state.key, state.view.version, state.view.hand, state.view.trick]")
    with pytest.raises(Exception, match="crash"):
        anna.page.goto("chrome://crash")
    anna.page.close()
    open_again(anna, page)
    anna.until("state.view")
    assert anna.state("[state.key, state.view.version, state.view.hand, state.view.trick]") == shown
    assert shown[0] == key
    anna.hurry()
    anna.play(2)


def test_a_cold_start_without_a_network(anna, page):
    """The second visit asks the server for nothing; without it, the table opens and is played on."""
    anna.play(2)
    anna.wait(lambda: anna.page.evaluate(CACHED), "the service worker keeps everything")
    anna.page.close()
    anna.context.set_offline(True)
    asked = len(page.asked)
    open_again(anna, page)
    anna.hurry()
    anna.play(3)
    assert set(page.asked[asked:]) <= {"/service.js"}  # Chromium looks for a newer one; Playwright lets it through


def test_a_second_tab_waits_for_the_first(anna, page):
    anna.play(1)
    version = anna.state("state.view.version")
    second = anna.context.new_page()
    second.set_default_timeout(1000 * SECONDS)
    second.goto(f"http://127.0.0.1:{page.port}/")
    second.wait_for_selector("#loading >> text=open in another tab")
    second.wait_for_selector("#banner:not([hidden])", state="attached")
    assert not second.locator("#banner").is_visible()
    anna.page.close()
    second.wait_for_selector(".table.lively")
    anna.page = second
    anna.until(f"state.view.version >= {version}")
    assert catalogue()["lost.back"] not in anna.said


def test_everything_is_saved_to_a_file_and_read_again(anna, browser, page, tmp_path):
    anna.new("solo", seed=3)
    anna.play(2)
    key = anna.state("state.key")
    with anna.page.expect_download() as download:
        anna.menu("Save all games to a file")
    saved = tmp_path / "spades.zip"
    download.value.save_as(saved)
    ben = Visitor(browser, page)
    choose(ben, "Replace all games from a file", saved)
    ben.until(f"state.key === '{key}'")
    ben.leave()


def choose(person, entry, path):
    """Choose a menu entry and a file; the page loads again."""
    with person.page.expect_file_chooser() as chooser:
        person.menu(entry)
    with person.page.expect_navigation():
        chooser.value.set_files(path)
    person.page.wait_for_selector(".table.lively")


def test_a_level_of_ones_own_plays(anna, tmp_path):
    own = tmp_path / "mine.safetensors"
    shutil.copy(ROOT / "agents" / "levels" / "milly.safetensors", own)
    choose(anna, "Add a bot of your own", own)
    anna.hurry()
    anna.new(SHORT, seed=2, bots=("./levels/mine.safetensors",) * 4)
    anna.skip()


@opened(german=GERMAN)
def test_the_daily_deal_and_a_lesson_in_german(anna):
    german = catalogue("de")
    anna.button(german["more"]).click()
    words = anna.page.locator("dialog.menu li").all_inner_texts()
    assert {german[key] for key in ("site.save", "site.replace", "site.level")} <= set(words)
    anna.button(german["daily.title"]).click()
    anna.button(german["daily.play"]).click()
    anna.until("state.view?.daily?.counted")
    anna.on_turn()
    assert anna.page.locator(".prompt").inner_text().startswith("Du bist dran: ")
    anna.page.locator('.bid[data-bid="3"]').click()
    assert anna.on_turn() == "card"
    anna.button(german["more"]).click()
    anna.button(german["lessons.menu"]).click()
    anna.button(german["lessons.begin"]).click()
    for asked in steps()[0].asked:
        anna.page.locator(f'.lesson-board [data-card="{next(iter(asked.right))}"]').click(force=True)
        anna.page.wait_for_selector(".lesson-reply.is-right:not([hidden])")
        anna.page.wait_for_selector(".lesson-board:not(.resting)")
    anna.button(german["lessons.next"]).wait_for()


@opened(phone=PHONE)
def test_on_a_phone(anna):
    anna.play(3)
    assert anna.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert violations(anna) == []


def test_a_game_in_firefox(site, tmp_path):
    """Play, load again in mid-trick, play to the end, and go on when there's no server any more."""
    needs_firefox()
    with firefox(tmp_path) as tab:
        with served(site) as found:
            anna = Player(tab, found)
            anna.come()
            anna.new(SHORT)
            anna.play(4)
            anna.comes_back()
            anna.play()
            assert anna.state("it.state.view.outcome.outcome") in ("win", "loss", "draw")
            anna.new(SHORT)
            anna.play(2)
            tab.until(f"({CACHED})()")
        anna.comes_back()
        anna.play(3)
        assert tab.errors == []
        with pytest.raises(AssertionError, match=catalogue()["site.offline"]):
            anna.new(SHORT, bots=("milly",) * 4)  # she was never here before
        anna.play(3)

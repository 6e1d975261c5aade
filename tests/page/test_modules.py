"""The page's modules import downwards: no missing file, no circle, no arrow from a lower floor to a higher one."""

import re
from pathlib import Path

import pytest
from support.paths import ROOT

PAGE = ROOT / "spades_env" / "play" / "page"
IMPORT = re.compile(r'^(?:import|export) (?:[^"()=]* from )?"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)', re.MULTILINE)
FLOORS = (  # from the lowest; a folder stands for all its modules
    ("texts.js",),
    ("dom.js", "state.js", "connection.js", "dialogs/records/packing.js"),
    ("art", "settings.js", "queue.js", "sound.js"),
    ("speech.js",),
    ("moves.js",),
    ("table",),
    ("dialogs/dialog.js",),
    ("learn",),
    ("dialogs",),
    ("keys.js",),
    ("app.js",),
)
Graph = dict[str, set[str]]


def imports(path: Path, page: Path = PAGE) -> set[str]:
    """Return the modules that a module imports, by their paths below the page."""
    found = {one or other for one, other in IMPORT.findall(path.read_text(encoding="utf-8"))}
    return {(path.parent / name).resolve().relative_to(page.resolve()).as_posix() for name in found}


def graph_of(page: Path = PAGE) -> Graph:
    return {path.relative_to(page).as_posix(): imports(path, page) for path in sorted(page.rglob("*.js"))}


def missing(graph: Graph) -> list[tuple[str, str]]:
    return [(name, other) for name, others in graph.items() for other in sorted(others) if other not in graph]


def circle(graph: Graph) -> list[str]:
    """Return the modules that lie on a circle or above one: those left when no more lowest module can be taken away."""
    left = {name: others & set(graph) for name, others in graph.items()}
    while lowest := {name for name, others in left.items() if not others & set(left)}:
        left = {name: others for name, others in left.items() if name not in lowest}
    return sorted(left)


def floor(name: str) -> int:
    """Return the floor of a module; one that is named itself stands there, not on the floor of its folder."""
    places = {place: number for number, places in enumerate(FLOORS) for place in places}
    return places[name] if name in places else places[name.split("/")[0]]


def arrows_up(graph: Graph) -> list[tuple[str, str]]:
    return [(name, other) for name, others in graph.items() for other in sorted(others) if floor(other) > floor(name)]


GRAPH = graph_of()


def test_every_import_is_there():
    assert missing(GRAPH) == []


def test_no_circle():
    assert circle(GRAPH) == []


def test_no_arrow_points_up():
    assert arrows_up(GRAPH) == []


def test_every_module_is_reached_from_the_app():
    reached, todo = set(), {"app.js"}
    while todo:
        reached |= todo
        todo = {other for name in todo for other in GRAPH[name]} - reached
    assert reached == set(GRAPH)


@pytest.mark.parametrize("name", GRAPH)
def test_every_name_that_is_imported_is_exported(name):
    """An import of a name that its module lacks stops the whole page."""
    path = PAGE / name
    for names, source in re.findall(
        r'^import \{([^}]*)\} from "([^"]+)";', path.read_text(encoding="utf-8"), re.MULTILINE
    ):
        other = (path.parent / source).resolve().read_text(encoding="utf-8")
        for one in filter(None, map(str.strip, names.split(","))):
            assert re.search(rf"^export (?:async )?(?:function|const|let) {re.escape(one)}\b", other, re.MULTILINE), one


def test_the_walk_would_notice(tmp_path):
    (tmp_path / "table").mkdir()
    (tmp_path / "dom.js").write_text('import { a } from "./state.js";\nconst late = import("./keys.js");\n')
    (tmp_path / "state.js").write_text('import {\n  b,\n} from "./dom.js";\n')
    (tmp_path / "table" / "hand.js").write_text('import "../nowhere.js";\nexport { c } from "../dom.js";\n')
    graph = graph_of(tmp_path)
    assert missing(graph) == [("dom.js", "keys.js"), ("table/hand.js", "nowhere.js")]
    assert circle(graph | {"keys.js": set()}) == ["dom.js", "state.js", "table/hand.js"]
    assert arrows_up(graph | {"table/hand.js": set()}) == [("dom.js", "keys.js")]

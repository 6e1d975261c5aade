"""Build the table as a static folder: python -m web.build [FOLDER], by default build/play.

    index.html, service.js, app.webmanifest, icon.svg     always under these names
    v-HASH/                                                all else, so that no two versions are ever mixed
        page/          the table's page, as the server sends it
        texts/         its texts and those of the folder texts/site, a file for each language
        pyodide/       Python, from npm
        app.zip        our packages, what stands in for libraries, the kernels
        weights/       of levels and beliefs; each file is fetched when a character that needs it sits down

The same checkout and tools make the same bytes.
"""

import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

from spades_env.play.texts import names, no_script
from web.wasm import GENERIC, BuildError

ROOT = Path(__file__).parent.parent
PLAY = ROOT / "spades_env" / "play"
BROWSER = ROOT / "web" / "browser"
WORK = ROOT / "build" / "web"
PINS = (
    "package.json",
    "package-lock.json",
)  # the versions of Pyodide and lean-qr, and the hashes of all that npm fetches
LIBRARY = "python_stdlib.zip"
LOCK = "pyodide-lock.json"
PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
NEEDED = ROOT / "web" / "library.txt"  # files of Python's library
FOLDERS = ("spades_env", "agents")
EXCLUDED = re.compile(  # a table in a page needs none of these
    r"spades_env/(training|envs|vector|xla|words|integrations)/|spades_env/play/(terminal|page|commands|texts/terminal)/|"
    r"spades_env/play/server/(net|qr|routes|table_command)|spades_env/agents/(arena|chat|command|cluster)/|"
    r"spades_env/show/(draw|pen|render)|spades_env/(__main__|spades_v0|openspiel|rollout|_jit|_kernel_|precomputed)|"
    r"agents/(bots|beliefs)/"
)
WEIGHTS = ("levels", "beliefs")  # in agents/
REPLACED = {"jit.py": "_jit.py", "precomputed.py": "precomputed.py"}  # web/browser's, in place of the package's
BUILT = ("kernels.so", "kernels.json", "tables.safetensors")  # by wasm.py
KERNEL_SOURCES = ("wasm.py", "memory.ll", "signatures.py", "kernels.json")
DATA = (".py", ".toml", ".json", ".safetensors")
WORKER_FILES = ("boot.js", "door.js", "kept.js", "recovery.js", "worker.js", "zip.js", "start.css")
OWN = ("web/__init__.py", *(f"web/browser/{name}.py" for name in ("__init__", "friends", "kept", "spades_page")))
COUNTED = ("app.zip", "weights.json", *(f"pyodide/{name}" for name in (LIBRARY, LOCK, PYODIDE_FILES[2])))  # in loading
AT_ROOT = ("service.js", "app.webmanifest")
LOADING = """    <div class="loading" id="loading" role="status">
      <p></p>
      <progress></progress>
    </div>
"""


def build(out: Path) -> Path:
    """Build the folder, and return it."""
    _kernels()
    part = out.with_name(out.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    inner = part / "inner"
    shutil.copytree(PLAY / "page", inner / "page", ignore=shutil.ignore_patterns("index.html"))
    _texts(inner / "texts")
    for kind in WEIGHTS:
        shutil.copytree(ROOT / "agents" / kind, inner / "weights" / kind, ignore=shutil.ignore_patterns("*.md"))
    _copy(_from_npm("pyodide"), PYODIDE_FILES, inner / "pyodide")
    _copy(BROWSER, WORKER_FILES, inner)
    shutil.copytree(BROWSER / "webrtc", inner / "webrtc")
    shutil.copy(_from_npm("lean-qr") / "nano.mjs", inner / "qr.js")
    weights = inner / "weights"
    sizes = {path.relative_to(weights).as_posix(): path.stat().st_size for path in _files(weights)}
    (inner / "weights.json").write_text(json.dumps(sizes))
    _pack(_library(), inner / "pyodide" / LIBRARY)
    _lock(inner / "pyodide" / LOCK)
    _pack(_packages(), inner / "app.zip")
    size = sum((inner / name).stat().st_size for name in COUNTED)
    start = (BROWSER / "start.js").read_text(encoding="utf-8")
    (inner / "start.js").write_text(start.replace("const SIZE = 1;", f"const SIZE = {size};"), encoding="utf-8")
    version = _version(inner)
    inner.rename(part / version)
    _index(part, version)
    shutil.rmtree(out, ignore_errors=True)
    part.rename(out)
    return out


def _kernels() -> None:
    """Compile the kernels, unless they are as the sources have them."""
    digest = hashlib.sha256()
    compiled = [path for path in sources() if path.suffix in (".py", ".safetensors") and PLAY not in path.parents]
    for path in [*compiled, *(ROOT / "web" / name for name in KERNEL_SOURCES)]:
        digest.update(path.read_bytes())
    mark = WORK / "kernels.of"
    if not (mark.is_file() and mark.read_text() == digest.hexdigest()):
        environment = os.environ | GENERIC | {"PYTHONPATH": str(ROOT)}
        done = subprocess.run([sys.executable, "-m", "web.wasm", str(WORK)], env=environment)
        if done.returncode:
            raise BuildError("the kernels were not compiled")
        mark.write_text(digest.hexdigest())


def sources() -> Iterator[Path]:
    """Return our files that the page needs."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix in DATA and "/levels/" not in name and not EXCLUDED.match(name):
                yield path


def _from_npm(name: str) -> Path:
    """Return the folder of an npm package; npm refuses one with another hash."""
    pins = b"".join((ROOT / "web" / name).read_bytes() for name in PINS)
    folder = WORK / f"npm-{hashlib.sha256(pins).hexdigest()[:16]}"
    if not (folder / "node_modules" / ".package-lock.json").is_file():  # npm writes it last
        _copy(ROOT / "web", PINS, folder)
        quiet = ("--ignore-scripts", "--no-audit", "--no-fund")
        subprocess.run(["npm", "ci", *quiet], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return folder / "node_modules" / name


def _copy(source: Path, names: tuple[str, ...], to: Path) -> None:
    to.mkdir(parents=True, exist_ok=True)
    for name in names:
        shutil.copy(source / name, to)


def _texts(to: Path) -> None:
    """Write the catalogues: the page's own words, those of a page without a server, and the list of languages."""
    to.mkdir()
    for path in sorted((PLAY / "texts" / "page").iterdir()):
        both = (json.loads(one.read_text(encoding="utf-8")) for one in (path, PLAY / "texts" / "site" / path.name))
        words = {key: sentence for one in both for key, sentence in one.items()}
        (to / path.name).write_text(json.dumps(words, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    (to / "languages.json").write_text(json.dumps(names(), ensure_ascii=False), encoding="utf-8")


def _library() -> dict[str, bytes]:
    """Return the files of Python's own library that a table needs."""
    with zipfile.ZipFile(_from_npm("pyodide") / LIBRARY) as archive:
        return {name: archive.read(name) for name in NEEDED.read_text(encoding="utf-8").split()}


def _lock(out: Path) -> None:
    """Write Pyodide's list of packages, without packages."""
    listed = json.loads((_from_npm("pyodide") / LOCK).read_text(encoding="utf-8"))
    out.write_text(json.dumps({"info": listed["info"], "packages": {}}), encoding="utf-8")


def _packages() -> dict[str, bytes]:
    """Return our files, and the stand-ins for libraries."""
    files = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in sources()}
    files |= {f"configs/variants/{path.name}": path.read_bytes() for path in (ROOT / "configs/variants").glob("*.toml")}
    files |= {name: (ROOT / name).read_bytes() for name in OWN}
    stand_ins = [BROWSER / "safetensors.py", *(BROWSER / "numpy").glob("*.py")]
    files |= {path.relative_to(BROWSER).as_posix(): path.read_bytes() for path in stand_ins}
    files |= {f"spades_env/{to}": (BROWSER / name).read_bytes() for name, to in REPLACED.items()}
    return files | {f"spades_env/{name}": (WORK / name).read_bytes() for name in BUILT}


def _pack(files: dict[str, bytes], archive: Path) -> None:
    """Write an archive of these files; Python files are compiled by the Python that will run them."""
    plain = WORK / "plain.zip"
    with zipfile.ZipFile(plain, "w") as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    done = subprocess.run(["node", str(ROOT / "web" / "pack.mjs"), _from_npm("pyodide"), plain, archive])
    if done.returncode:
        raise BuildError(f"{archive.name} was not packed")


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _version(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in _files(folder):
        digest.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return f"v-{digest.hexdigest()[:12]}"


def _index(folder: Path, version: str) -> None:
    """Write what has the same name in every version."""
    html = (PLAY / "page" / "index.html").read_text(encoding="utf-8")
    html = html.replace("<noscript></noscript>", f"<noscript>{no_script()}</noscript>")
    html = html.replace("/page/app.js", "/door.js").replace('"/page/', f'"{version}/page/')
    html = html.replace('"/door.js"', f'"{version}/door.js"')
    head = (BROWSER / "head.html").read_text(encoding="utf-8").replace("VERSION", version)
    html = html.replace("<title>", f"{head}    <title>").replace("  </body>", f"{LOADING}  </body>")
    (folder / "index.html").write_text(html, encoding="utf-8")
    shutil.copy(PLAY / "page" / "icon.svg", folder)
    kept = [path.relative_to(folder).as_posix() for path in _files(folder / version) if not _is_weight(path)]
    for name in AT_ROOT:
        text = (BROWSER / name).read_text(encoding="utf-8").replace("VERSION", version)
        (folder / name).write_text(text.replace("FILES", json.dumps(kept)), encoding="utf-8")


def packed_sizes(folder: Path) -> tuple[int, int]:
    """Return the compressed bytes of all but the weights, and of the weights."""
    packed = {path: len(gzip.compress(path.read_bytes(), 9, mtime=0)) for path in _files(folder)}
    weights = sum(size for path, size in packed.items() if _is_weight(path))
    return sum(packed.values()) - weights, weights


def _is_weight(path: Path) -> bool:
    return path.parent.parent.name == "weights"


if __name__ == "__main__":
    try:
        site = build(Path(sys.argv[1]) if sys.argv[1:] else ROOT / "build" / "play")
    except (BuildError, FileNotFoundError, subprocess.CalledProcessError) as error:
        sys.exit(f"web.build: {error}")
    own, weights = packed_sizes(site)
    print(f"{site}: {own / 1e6:.2f} MB compressed, and {weights / 1e6:.1f} MB of weights")

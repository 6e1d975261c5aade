"""Execute the notebooks of docs/notebooks and store their outputs: `python docs/tools/notebooks.py [NOTEBOOK …]`.

    --out FOLDER        write there instead of back
    --set NAME=VALUE    replace a value of the cell tagged `parameters`, if the notebook has that name

A notebook runs in an empty folder, so that paths in its outputs are relative. The first error ends its execution and
the command. What differs between machines is left out: the times of execution, the kernel's version, warnings.
"""

import argparse
import os
import re
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "notebooks"
TIMEOUT_S = 900  # of a cell
sys.path.insert(0, str(ROOT))

from spades_env.agents.atomic_files import write_whole  # noqa: E402


def execute(path: Path, given: dict[str, str]) -> nbformat.NotebookNode:
    """Return the notebook with the outputs of a fresh run."""
    book = nbformat.read(path, as_version=4)
    for cell in book.cells:
        if "parameters" in cell.metadata.get("tags", ()):
            cell.source = with_values(cell.source, given)
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), *([before] if before else [])])
    with tempfile.TemporaryDirectory() as folder:
        where = {"metadata": {"path": folder}}
        NotebookClient(book, timeout=TIMEOUT_S, kernel_name="python3", resources=where).execute()
    return tidy(book)


def with_values(source: str, given: dict[str, str]) -> str:
    """Return the parameters with other values; their comments stay."""
    for name, value in given.items():
        source = re.sub(rf"^{re.escape(name)} = [^#\n]*?(\s*#.*)?$", rf"{name} = {value}\1", source, flags=re.MULTILINE)
    return source


def tidy(book: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Keep what a reader sees, with the same names for the same things at every run."""
    book.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for number, cell in enumerate(book.cells, 1):
        cell.id = f"cell-{number}"
        cell.metadata = {key: value for key, value in cell.metadata.items() if key == "tags"}
        if cell.cell_type == "code":
            cell.outputs = [one for one in merged(cell.outputs) if one.get("name") != "stderr"]
    return book


def merged(outputs: list) -> list:
    """Join what was printed in several pieces."""
    found: list = []
    for one in outputs:
        if found and one.output_type == "stream" and found[-1].get("name") == one.name:
            found[-1].text += one.text
        else:
            found.append(one)
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebooks", nargs="*", type=Path, default=sorted(FOLDER.glob("*.ipynb")))
    parser.add_argument("--out", type=Path)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    asked = parser.parse_args(arguments)
    given = dict(one.split("=", 1) for one in asked.set)
    for path in asked.notebooks:
        try:
            book = execute(path, given)
        except CellExecutionError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            return 1
        write_whole((asked.out or path.parent) / path.name, nbformat.writes(book) + "\n")
        print(f"{path.name}: {sum(cell.cell_type == 'code' for cell in book.cells)} cells ran")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The croissant.json of a dataset: its files, tables and columns in MLCommons' Croissant 1.0.

It follows from the manifest and the columns alone, so the same plan writes the same file. It names no address, since a
dataset doesn't know where it will be published; paths are those within its folder.
"""

import json
from typing import Any

CROISSANT = "croissant.json"
CONFORMS = "http://mlcommons.org/croissant/1.0"
TERMS = (  # of the specification's context that only take the prefix
    *("citeAs", "column", "extract", "field", "fileProperty", "fileObject", "fileSet", "format"),
    *("includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet", "references", "regex"),
    *("repeated", "replace", "samplingRate", "separator", "source", "subField", "transform", "equivalentProperty"),
)
CONTEXT = {  # as the specification has it
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "sc": "https://schema.org/",
    **{term: f"cr:{term}" for term in TERMS},
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
}
KINDS = {"string": "sc:Text", "float": "sc:Float", "binary": "sc:Text"}  # by type in a file; others are whole numbers
KEYS = {"decisions": ("hand_id", "step"), "hands": ("hand_id",), "hidden_deals": ("hand_id",)}
JOINED = "hand_id"  # of every table, a hand of `hands`
AUTHORS = "The spades-env authors"


def croissant(manifest: dict[str, Any], tables: dict[str, dict[str, tuple[str, str]]]) -> str:
    """Return the metadata of a dataset as JSON. tables: its columns, as in MEANINGS."""
    players = ", ".join(dict.fromkeys(manifest["agents"]))
    found = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS,
        "name": "spades",
        "description": f"{manifest['hands']:,} hands of Spades, played by {players} under {manifest['rules']}.",
        "license": "https://spdx.org/licenses/MIT.html",
        "creator": {"@type": "sc:Organization", "name": AUTHORS},
        "version": manifest["version"],
        "citeAs": f"{AUTHORS}: spades-env {manifest['version']}",
        "isLiveDataset": False,
        "distribution": [_files(table) for table in tables],
        "recordSet": [_records(table, columns) for table, columns in tables.items()],
    }
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def _files(table: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileSet",
        "@id": f"{table}-files",
        "name": f"{table}-files",
        "encodingFormat": "application/x-parquet",
        "includes": f"{table}/*.parquet",
    }


def _records(table: str, columns: dict[str, tuple[str, str]]) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": table,
        "name": table,
        "key": [{"@id": f"{table}/{name}"} for name in KEYS[table]],
        "field": [_field(table, name, kind, meaning) for name, (kind, meaning) in columns.items()],
    }


def _field(table: str, name: str, kind: str, meaning: str) -> dict[str, Any]:
    word, _, width = kind.partition("[")
    found = {
        "@type": "cr:Field",
        "@id": f"{table}/{name}",
        "name": name,
        "description": meaning,
        "dataType": KINDS.get(word, "sc:Integer"),
        "source": {"fileSet": {"@id": f"{table}-files"}, "extract": {"column": name}},
    }
    if width and word != "binary":
        found["repeated"] = True
    if name == JOINED and table != "hands":
        found["references"] = {"field": {"@id": f"hands/{JOINED}"}}
    return found

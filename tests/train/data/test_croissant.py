"""croissant.json: it describes the files that `spades generate` wrote, column by column."""

import json
from pathlib import Path

import pytest

from spades_env.play.commands.cli import main

pa = pytest.importorskip("pyarrow", reason="datasets need pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "set"
    given = ["--agent", "random", "--hands", "3", "--shard-hands", "2", "--rules", "classic target=off max_hands=1"]
    assert main(["generate", *given, "--out", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def croissant(folder) -> dict:
    return json.loads((folder / "croissant.json").read_text(encoding="utf-8"))


def test_its_globs_name_every_parquet_file_once(folder, croissant):
    named = [path for files in croissant["distribution"] for path in folder.glob(files["includes"])]
    assert sorted(named) == sorted(folder.rglob("*.parquet"))


def test_fields_are_the_columns_of_the_files_and_of_their_types(folder, croissant):
    files = {files["@id"]: next(folder.glob(files["includes"])) for files in croissant["distribution"]}
    for records in croissant["recordSet"]:
        (source,) = {field["source"]["fileSet"]["@id"] for field in records["field"]}
        schema = pq.read_schema(files[source])
        assert [field["source"]["extract"]["column"] for field in records["field"]] == schema.names
        for field, column in zip(records["field"], schema, strict=True):
            assert field.get("repeated", False) == pa.types.is_fixed_size_list(column.type)
            assert field["dataType"] == kind(column.type), field["@id"]


def kind(column) -> str:
    column = column.value_type if pa.types.is_fixed_size_list(column) else column
    whole, fraction = pa.types.is_integer(column), pa.types.is_floating(column)
    return "sc:Integer" if whole else "sc:Float" if fraction else "sc:Text"


def test_keys_are_unique_and_references_lead_to_fields(folder, croissant):
    fields = {field["@id"]: field for records in croissant["recordSet"] for field in records["field"]}
    assert len(fields) == sum(len(records["field"]) for records in croissant["recordSet"])
    joined = {name: field["references"]["field"]["@id"] for name, field in fields.items() if "references" in field}
    assert joined == dict.fromkeys(["decisions/hand_id", "hidden_deals/hand_id"], "hands/hand_id")
    for records in croissant["recordSet"]:
        columns = [fields[key["@id"]]["source"]["extract"]["column"] for key in records["key"]]
        rows = pq.read_table(folder / records["name"], columns=columns).to_pylist()
        assert len({tuple(row.values()) for row in rows}) == len(rows)


def test_it_says_who_played_and_what_it_conforms_to(croissant):
    assert croissant["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert croissant["description"] == "3 hands of Spades, played by random under classic target=off max_hands=1."

"""Croissant 1.1 metadata of games in Parquet files: `croissant.json`, for tools for data sets.

It lists every file with its size and SHA-256, and describes every column that has a Croissant type.
Columns of bytes have none; `README.md` beside the data describes them.
"""

import json
from pathlib import Path
from typing import Any, Final

from impulse_env._version import __version__
from impulse_env.dataset.parquet import column_types, parts_in
from impulse_env.files import sha256_of, write_atomically

FILE: Final = "croissant.json"
LICENCE: Final = "https://creativecommons.org/publicdomain/zero/1.0/"

_PARQUET: Final = "application/x-parquet"
_CONTEXT: Final = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "arrayShape": "cr:arrayShape",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "description": {"@container": "@language"},
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "name": {"@container": "@language"},
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The context that the Croissant 1.1 specification asks for."""
_TYPES: Final = {
    "int8": "cr:Int8",
    "int16": "cr:Int16",
    "int32": "cr:Int32",
    "int64": "cr:Int64",
    "uint8": "cr:UInt8",
    "uint64": "cr:UInt64",
    "float": "cr:Float32",
    "string": "sc:Text",
}
"""Croissant's types of the data, by Arrow's names."""


def write(folder: Path, name: str, description: str) -> Path:
    """Write the metadata of a folder of games and return the path.

    Args:
        folder: The folder that `impulse_env.dataset.parquet.write_part` filled.
        name: The name of the data set.
        description: What the data are and how they were made, in plain text.

    Raises:
        DatasetError: A file is missing or damaged.
        OSError: The file cannot be written.
    """
    path = folder / FILE
    found = metadata(folder, name, description)
    write_atomically(path, json.dumps(found, indent=2, ensure_ascii=False) + "\n")
    return path


def metadata(folder: Path, name: str, description: str) -> dict[str, Any]:
    """Return the metadata as JSON-LD; see `write`."""
    parts = parts_in(folder)
    tables = ("games", "decisions")
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": name,
        "description": description,
        "version": __version__,
        "license": LICENCE,
        "keywords": ["reinforcement learning", "offline RL", "imitation learning", "board game"],
        "distribution": [
            *(_file(folder / f"{table}-{part:05d}.parquet") for table in tables for part in parts),
            *(_file_set(table) for table in tables),
        ],
        "recordSet": [_record_set(folder, table, parts[0]) for table in tables if parts],
    }


def _file(path: Path) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": path.name,
        "name": path.name,
        "contentUrl": path.name,
        "contentSize": f"{path.stat().st_size} B",
        "encodingFormat": _PARQUET,
        "sha256": sha256_of(path),
    }


def _file_set(table: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileSet",
        "@id": f"{table}-files",
        "name": f"{table}-files",
        "encodingFormat": _PARQUET,
        "includes": f"{table}-*.parquet",
    }


def _record_set(folder: Path, table: str, part: int) -> dict[str, Any]:
    """Return the columns of a table, by those of one part; all parts have the same."""
    keys = {"games": ["game"], "decisions": ["game", "number"]}[table]
    row = {"games": "A finished game.", "decisions": "A decision of a game."}[table]
    return {
        "@type": "cr:RecordSet",
        "@id": table,
        "name": table,
        "description": f"{row} One row each.",
        "key": [{"@id": f"{table}/{key}"} for key in keys],
        "field": [
            _field(table, *column)
            for column in column_types(folder, table, part)
            if column[1].removeprefix("list of ") in _TYPES
        ],
    }


def _field(table: str, column: str, kind: str, meaning: str) -> dict[str, Any]:
    field: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"{table}/{column}",
        "name": column,
        "description": meaning,
        "dataType": _TYPES[kind.removeprefix("list of ")],
        "source": {"fileSet": {"@id": f"{table}-files"}, "extract": {"column": column}},
    }
    if kind.startswith("list of "):
        field |= {"isArray": True, "arrayShape": "-1"}
    if table == "decisions" and column == "game":
        field["references"] = {"field": {"@id": "games/game"}}
    return field

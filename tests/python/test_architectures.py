# SPDX-License-Identifier: Apache-2.0
"""Every file of architectures/ has the form that schema/architecture.schema.json describes."""
import copy
import glob
import json
import os
import re

import pytest
from judge import ROOT

FILES = sorted(glob.glob(os.path.join(ROOT, "architectures", "*.json")))
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float),
         "boolean": bool}


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


SCHEMA = read(os.path.join(ROOT, "schema", "architecture.schema.json"))
KNOWN = {"$schema", "$defs", "title", "description", "type", "required", "additionalProperties", "properties", "items",
         "oneOf", "anyOf", "const", "pattern", "minItems", "maxItems", "minProperties", "$ref"}


def faults(value, schema, path=""):
    """What is wrong with a value, by the keywords of JSON Schema that the file uses."""
    assert set(schema) <= KNOWN, set(schema) - KNOWN
    if "$ref" in schema:
        yield from faults(value, SCHEMA["$defs"][schema["$ref"].rsplit("/", 1)[1]], path)
    kind = schema.get("type")
    if kind and (not isinstance(value, TYPES[kind]) or kind in ("integer", "number") and isinstance(value, bool)):
        yield f"{path}: no {kind}"
        return
    if "const" in schema and value != schema["const"]:
        yield f"{path}: not {schema['const']}"
    for word, fits in (("oneOf", lambda n: n == 1), ("anyOf", lambda n: n >= 1)):
        if word in schema and not fits(sum(not list(faults(value, one, path)) for one in schema[word])):
            yield f"{path}: {word}"
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{path}: {schema['pattern']}"
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield f"{path}: {len(value)} items"
        for i, one in enumerate(value):
            yield from faults(one, schema.get("items", {}), f"{path}/{i}")
    if isinstance(value, dict):
        if len(value) < schema.get("minProperties", 0):
            yield f"{path}: empty"
        yield from (f"{path}: no {name}" for name in schema.get("required", []) if name not in value)
        for name, one in value.items():
            if name in schema.get("properties", {}):
                yield from faults(one, schema["properties"][name], f"{path}/{name}")
            elif schema.get("additionalProperties") is False:
                yield f"{path}: {name}"


@pytest.mark.parametrize("path", FILES, ids=os.path.basename)
def test_it_has_the_form_of_the_schema(path):
    family = read(path)
    assert list(faults(family, SCHEMA)) == []
    assert family["id"] + ".json" == os.path.basename(path)


@pytest.mark.parametrize("spoil", [
    lambda f: f.pop("sizes"), lambda f: f.update(extra=1), lambda f: f["sizes"][0].pop("says"),
    lambda f: f["recognise"]["tensors"].clear(), lambda f: f["parameters"].append({"to": "x"}),
    lambda f: f["parameters"].append({"to": "x", "from": "y", "layout": {"turn": 1}}),
    lambda f: f.update(id="No id")])
def test_the_schema_refuses_what_is_wrong(spoil):
    family = copy.deepcopy(read(FILES[0]))
    spoil(family)
    assert list(faults(family, SCHEMA)) != []

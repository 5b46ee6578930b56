# SPDX-License-Identifier: Apache-2.0
"""The systems that open trained: their first steps are taken again, what ships is measured again, and the share of rows
that the page reports is counted here from the maps, without a look at tools/train_gallery."""
import json
import os
import struct
import subprocess

import numpy as np
import pytest
from judge import ROOT

TOOL = os.path.join(ROOT, "build", "bin", "attend")
FOLDER = os.path.join(ROOT, "examples", "trained", "systems")
LARGEST, ALL_TOGETHER = 60_000, 4_000_000
CHOSEN_BY, REPORTED = 50, 250

with open(os.path.join(ROOT, "data", "learned.json"), encoding="utf-8") as record_file:
    RECORD = json.load(record_file)
SHIPPED = sorted(name for name, one in RECORD.items() if not one.get("left"))


def path(name, ending):
    return os.path.join(FOLDER, f"{name}.{ending}")


def attend(*arguments, text=None):
    done = subprocess.run([TOOL, *arguments], input=text, capture_output=True, text=True, timeout=300, cwd=FOLDER)
    return done.returncode, done.stdout + done.stderr


def lines(*arguments, text=None):
    status, out = attend(*arguments, text=text)
    assert status == 0, out
    return [json.loads(line) for line in out.splitlines()]


def runs(documents):
    """The results of many documents, by one process."""
    return lines("run", "--lines", "-", text="\n".join(map(json.dumps, documents)))


def header(name):
    with open(path(name, "safetensors"), "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        return json.loads(file.read(length))


def document(name, **more):
    return {**json.loads(header(name)["__metadata__"]["document"]), **more}


def with_weights(name):
    return document(name, parameters={"from": f"{name}.safetensors"})


def test_all_are_small():
    sizes = [os.path.getsize(path(name, "safetensors")) for name in SHIPPED]
    assert len(sizes) >= 60
    assert max(sizes) <= LARGEST and sum(sizes) <= ALL_TOGETHER


def test_there_are_no_other_documents_and_no_other_weights():
    files = {ending: sorted(name.rsplit(".", 1)[0] for name in os.listdir(FOLDER) if name.endswith(ending))
             for ending in (".json", ".safetensors")}
    assert files[".json"] == sorted(RECORD) and files[".safetensors"] == SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_matrices_are_bytes_by_column(name):
    tensors = {key: one for key, one in header(name).items() if key != "__metadata__"}
    for key, one in tensors.items():
        if one["dtype"] == "I8":
            *before, _, columns = one["shape"]
            assert tensors[f"{key}.scale"]["shape"] == [*before, 1, columns]
        else:
            assert one["dtype"] == "F32"
            assert key.endswith(".scale") or len(one["shape"]) < 2 or one["shape"][-2] < 4, key


@pytest.mark.parametrize("name", sorted(RECORD))
def test_the_first_steps_are_what_was_recorded(name):
    taken = [line["loss"] for line in lines("train", path(name, "json"), "--steps", "6", "--every", "1",
                                                "--portable")]
    np.testing.assert_allclose(taken, RECORD[name]["losses"], rtol=1e-3)


@pytest.mark.parametrize("name", SHIPPED)
def test_what_ships_does_what_is_said(name):
    found = lines("train", path(name, "json"), "--from", path(name, "safetensors"), "--measure")[0]
    said = RECORD[name]["measured"]
    for measure in ("accuracy", "exact"):
        assert abs(found[measure] - said[measure]) <= .004, measure
        # Bytes in place of floats lose next to nothing.
        assert said[measure] >= RECORD[name]["whole"][measure] - .02, measure
    if "alignment" in said:
        assert abs(found["alignment"] - said["alignment"]) <= .01


@pytest.mark.parametrize("name", SHIPPED)
def test_it_is_the_system_in_the_same_place_of_the_taxonomy(name):
    with open(os.path.join(ROOT, "systems", f"{name}.json"), encoding="utf-8") as file:
        assert document(name)["title"] == json.load(file)["document"]["title"]
    exactly = lines("catalogue", "--of", path(name, "json"))[0]["systems"]
    assert name in [one["id"] for one in exactly]


def shares(row):
    sizes = np.abs(row)
    return sizes / max(sizes.sum(), 1e-300)


def answering_rows(weights, told):
    """[rows of the answer, columns] of one head."""
    if told.get("features"):
        weights = weights.mean(-1)
    own = weights.reshape(-1, *weights.shape[-2:])[told["head"]]
    if told["reading"] == "mean":
        return np.mean([shares(row) for row in own], axis=0)[None]
    if told["reading"] == "row":
        return own[told["query"]][None]
    return own[-1:] if told["reading"] == "last" else own


@pytest.mark.parametrize("name", ["luong-dot", "memn2n", "rwkv-7", "attention-sum-reader", "gaan", "disan",
                                  "decomposable-nli", "rocktaschel-entail", "bert", "bert4rec"])
def test_the_share_of_rows_is_what_the_maps_hold(name):
    told = RECORD[name]["map"]
    count = str(CHOSEN_BY + REPORTED)
    examples = lines("examples", "-", "--held-out", "--count", count, text=json.dumps(document(name)))[CHOSEN_BY:]
    assert len(examples) == told["examples"] == REPORTED
    found = rows = 0
    trained = {**with_weights(name), "outputs": [told["map"]]}
    asked = [{**trained, "inputs": {key: {**trained["inputs"][key], "tokens": one["tokens"]}
                                    for key, one in example["inputs"].items()}} for example in examples]
    for example, result in zip(examples, runs(asked), strict=True):
        tensor = result["outputs"][told["map"]]
        weights = np.array(tensor["data"]).reshape(tensor["shape"])
        for at, row in enumerate(answering_rows(weights, told)):
            means = ([column for r, column in example["matches"] if r == at] if told["reading"] == "compared" else
                     [column for r, column, kind in example["links"] if r == at and kind == "means"])
            if means:
                rows += 1
                found += int(np.argmax(np.abs(row)) in means)
    assert abs(found / rows - told["share"]) < .005
    assert told["share"] > told["untrained"]


def test_each_hop_reads_the_fact_that_is_said():
    told, name = RECORD["memn2n"]["hops"], "memn2n"
    count = str(CHOSEN_BY + REPORTED)
    examples = lines("examples", "-", "--held-out", "--count", count, text=json.dumps(document(name)))[CHOSEN_BY:]
    trained = {**with_weights(name), "outputs": [one["map"] for one in told["each"]]}
    results = runs([{**trained, "inputs": {key: {"tokens": one["tokens"]} for key, one in example["inputs"].items()}}
                    for example in examples])
    found, asked = np.zeros((2, 2)), 0
    for example, result in zip(examples, results, strict=True):
        words = example["inputs"]["source"]["tokens"]
        sentence = np.cumsum([0] + [word == "." for word in words])
        # A question about a thing names it after "the": who took it is told in the first fact.
        thing = example["inputs"]["question"]["tokens"][-1]
        if thing[0].isupper():
            continue
        asked += 1
        taken = max(k for k, word in enumerate(words) if word == thing)
        (place,) = [column for _, column, kind in example["links"] if kind == "means"]
        for hop, key in enumerate(trained["outputs"]):
            at = sentence[int(np.argmax(result["outputs"][key]["data"]))]
            found[hop] += [at == sentence[taken], at == sentence[place]]
    assert asked == told["examples"]
    np.testing.assert_allclose(found / asked, [[one["first"], one["second"]] for one in told["each"]], atol=.02)


def refusal(*arguments, text=None):
    status, out = attend(*arguments, text=text)
    assert status != 0, out
    return out


def test_weights_of_another_system_are_refused_by_name():
    said = refusal("run", "-", text=json.dumps(document("llama", parameters={"from": "memn2n.safetensors"})))
    assert "/parameters/word.E" in said and "25" in said and "found [32 24]" in said, said


def test_weights_of_other_shapes_are_refused_with_both_shapes():
    wide = document("memn2n", parameters={"from": "memn2n.safetensors"})
    wide["model"][0]["dim"] = 20
    said = refusal("run", "-", text=json.dumps(wide))
    assert "20" in said and "24" in said, said


def test_a_file_that_was_cut_short_is_refused(tmp_path):
    with open(path("memn2n", "safetensors"), "rb") as file:
        whole = file.read()
    for length, says in ((len(whole) - 9, "cut short"), (100, "header")):
        cut = tmp_path / "cut.safetensors"
        cut.write_bytes(whole[:length])
        said = refusal("train", path("memn2n", "json"), "--from", str(cut), "--measure")
        assert says in said, said


def test_weights_for_another_task_are_refused():
    other = document("memn2n")
    other["training"]["task"] = "task-copy"
    said = refusal("train", "-", "--from", path("memn2n", "safetensors"), "--measure", text=json.dumps(other))
    assert "/training" in said or "/inputs" in said or "/model" in said, said

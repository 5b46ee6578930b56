# SPDX-License-Identifier: Apache-2.0
"""What is wrong in a system is refused at the field that is wrong; images of every size are taken, or refused there."""
import json
import subprocess

import pytest
from test_systems import outputs_of
from torch_parts import TOOL, run, system


def changed(name, *path, to):
    """A system's document with one member replaced; without `to`, taken away."""
    document = system(name)
    place = document
    for step in path[:-1]:
        place = place[step]
    if to is None:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return document


def with_image(name, height, width, channels=1):
    data = [0.5] * (height * width * channels)
    return changed(name, "inputs", "image", to={"shape": [height, width, channels], "data": data})


WRONG = {
    "spans that overlap": (changed("han", "model", 0, "spans", to=[[0, 6], [5, 16]]), "/model/0/spans/1", "5"),
    "spans that leave a gap": (changed("han", "model", 0, "spans", to=[[0, 5], [6, 16]]), "/model/0/spans/1", "5"),
    "spans that pass the end": (changed("han", "model", 0, "spans", to=[[0, 5], [5, 17]]), "/model/0/spans/1", "16"),
    "spans that stop early": (changed("han", "model", 0, "spans", to=[[0, 5], [5, 15]]), "/model/0/spans", "16"),
    "documents that pass the end": (changed("three-tier-rec", "model", 0, "documents", to=[[0, 2], [2, 9]]),
                                    "/model/0/documents/1", "4"),
    "a source that is missing": (changed("ian", "inputs", "target", to=None), "/model/1/inputs/x", "target"),
    "a representation of another length": (
        changed("dme-system", "inputs", "x2", "tokens", to=["one", "two"]), "/inputs/x2", "7"),
    "sides of unfitting width": (changed("bidaf", "model", 1, "hidden", to=5), "/model/2/inputs/key2", "10"),
    "a patch larger than the image": (with_image("vit", 3, 3), "/model/0/P", "4"),
    "a patch that does not tile": (with_image("vit", 8, 6), "/model/0/P", "4"),
    "an image of too many places": (with_image("sagan-system", 250, 250), "/mechanism", "sagan"),
    "an image with too few numbers": (
        changed("vit", "inputs", "image", to={"shape": [8, 8, 1], "data": [0.5] * 63}), "/inputs/image", "63"),
    "an image with a broken number": (
        changed("vit", "inputs", "image", to={"shape": [2, 2, 1], "data": [0.5, "x", 0.5, 0.5]}), "/inputs/image", "x"),
    "an image of nothing": (changed("sagan-system", "inputs", "image", to={"shape": [0, 4, 1], "data": []}),
                            "/inputs/image", "0"),
    "weights of another text": (
        changed("aoa-reader", "model", 3, "inputs", "key", to="question"), "/inputs/question", "10"),
    "an unknown module": (changed("rnnsearch", "model", 1, "type", to="fm-tree"), "/model/1/type", "fm-tree"),
    "an unknown score": (changed("han", "model", 0, "word", "score", "type", to="guess"), "/model/0/word/score/type",
                         "guess"),
    "a wire to nowhere": (changed("luong", "model", 1, "inputs", "x", to="embeding"), "/model/1/inputs/x", "embeding"),
    "a tie of two shapes": (changed("gat", "tie", "map-1.W", to="last.score.W"), "/tie", "last.score.W"),
    "hops that are none": (changed("lcr-rot-hop", "model", 3, "hops", to=-1), "/model/3/hops", "-1"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_refused_where_it_is_wrong(what):
    document, path, word = WRONG[what]
    answer = run(document)
    assert "error" in answer, what
    assert answer["error"]["path"].startswith(path), answer
    assert word in answer["error"]["message"] + answer["error"]["path"], answer


def test_an_image_of_4000_by_4000_is_refused_where_it_stands():
    """Too long to be read at all: the text is looked through for what is so long."""
    document = changed("sagan-system", "inputs", "image", to={"shape": [4000, 4000, 1], "data": "HERE"})
    text = json.dumps(document).replace('"HERE"', "[" + "0," * (4000 * 4000 - 1) + "0]")
    done = subprocess.run([TOOL, "run", "-"], input=text, capture_output=True, text=True, timeout=60)
    error = json.loads(done.stderr or done.stdout)["error"]
    assert error["path"] == "/inputs/image"
    assert "at most 8388608 bytes" in error["message"] and str(len(text)) in error["message"]


def test_an_image_of_one_place_is_an_image():
    for name in ("ram", "sagan-system"):
        channels = system(name)["inputs"]["image"]["shape"][2:]
        document = with_image(name, 1, 1, *channels)
        if not channels:
            document["inputs"]["image"]["shape"] = [1, 1]
        assert all(x.isfinite().all() for x in outputs_of(document).values())

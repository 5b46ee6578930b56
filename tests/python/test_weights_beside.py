# SPDX-License-Identifier: Apache-2.0
"""`parameters.from`: a file of weights in the document's folder or below it, and nothing else."""
import json
import os
import struct
import subprocess

import pytest
from judge import ROOT

TOOL = os.path.join(ROOT, "build", "bin", "attend")


def weights():
    numbers = [1.0, 0.0, 0.0, 1.0]
    header = json.dumps({"query.W_Q": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}}).encode()
    return struct.pack("<Q", len(header)) + header + struct.pack("<4f", *numbers)


def run(folder, name):
    document = {
        "schema": "attention-playground/1",
        "inputs": {"x": {"matrix": [[1, 0], [0, 1]]}},
        "mechanism": {"query": "self-attention"},
        "parameters": {"from": name},
    }
    (folder / "document.json").write_text(json.dumps(document))
    return subprocess.run([TOOL, "run", folder / "document.json"], capture_output=True, text=True, timeout=120)


def refused(done, says):
    assert done.returncode == 2
    error = json.loads(done.stderr)["error"]
    assert error["path"] == "/parameters/from", error
    assert says in error["message"], error
    return error["message"]


@pytest.fixture
def folders(tmp_path):
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    (inside / "below").mkdir(parents=True)
    outside.mkdir()
    for place in (inside / "own", inside / "below" / "own", outside / "other"):
        place.write_bytes(weights())
    (outside / "secret").write_text("PASSWORD=swordfish\n")
    return inside, outside


def test_a_file_beside_the_document_or_below_it_is_read(folders):
    inside, _ = folders
    for name in ("own", "below/own"):
        assert run(inside, name).returncode == 0


def test_a_link_that_stays_in_the_folder_is_followed(folders):
    inside, _ = folders
    (inside / "link").symlink_to(inside / "below" / "own")
    assert run(inside, "link").returncode == 0


def test_no_link_leads_out_of_the_folder(folders):
    inside, outside = folders
    (inside / "file").symlink_to(outside / "other")
    (inside / "folder").symlink_to(outside)
    (inside / "secret").symlink_to(outside / "secret")
    for name in ("file", "folder/other", "secret"):
        message = refused(run(inside, name), "leads out of the document's folder")
        assert str(struct.unpack("<Q", b"PASSWORD")[0]) not in message


def test_a_folder_that_is_itself_reached_by_a_link_serves(folders):
    inside, _ = folders
    linked = inside.parent / "linked"
    linked.symlink_to(inside)
    assert run(linked, "own").returncode == 0


@pytest.mark.parametrize("name", ["a" * 300, "own\0", "below", "nothing"], ids=["long", "nul", "folder", "none"])
def test_a_name_that_is_no_file_is_told_at_its_place(folders, name):
    refused(run(folders[0], name), "control characters" if "\0" in name else "there is no file")


def test_a_document_with_a_name_that_no_file_can_have_is_an_error(tmp_path):
    done = subprocess.run([TOOL, "run", "a" * 300], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert "cannot read the file" in json.loads(done.stderr)["error"]["message"]

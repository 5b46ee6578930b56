# SPDX-License-Identifier: Apache-2.0
"""`attend import`: torch.save before 1.6, models inside others, and the rows that make a sentence."""
import io
import json
import pickle
import pickletools
import re
import struct
from collections import OrderedDict

import numpy as np
import pytest
import torch
from checkpoints import write_safetensors
from family_cases import BERT as NAMES
from forward import gpt2
from import_cases import GPT2, HEADS, IDS, attend, bert_tensors, compare, config, gpt2_tensors, imported, llama_tensors
from test_import_readers import by_torch

def save_old(path, content, **more):
    torch.save(content, path, _use_new_zipfile_serialization=False, **more)


@pytest.mark.parametrize("dtype, close", [("float32", 1e-5), ("float64", 1e-5), ("float16", 5e-3), ("bfloat16", 5e-2)])
@pytest.mark.parametrize("protocol", [2, 4])
def test_files_of_torch_before_1_6(tmp_path, dtype, close, protocol):
    stored, exact = gpt2_tensors(31, prefix="transformer.")
    tensors = {name: torch.from_numpy(array.copy()).to(getattr(torch, dtype)) for name, array in stored.items()}
    tensors["transformer.h.0.attn.masked_bias"] = torch.tensor(-1e4)
    # Transposed twice and cut from a larger table: strides and offsets that no new tensor has.
    table = torch.cat([torch.ones(3, stored["transformer.wte.weight"].shape[1], dtype=getattr(torch, dtype)),
                       tensors["transformer.wte.weight"]])
    tensors["transformer.wte.weight"] = table[3:]
    name = "transformer.h.0.mlp.c_fc.weight"
    tensors[name] = tensors[name].t().contiguous().t()
    state = {"epoch": 3, "optimizer": {"state": {0: {"step": 7, "exp_avg": torch.zeros(5, dtype=torch.int64)}}}}
    save_old(tmp_path / "pytorch_model.bin", {"state_dict": tensors, **state}, pickle_protocol=protocol)
    report, found = imported(tmp_path, [tmp_path / "pytorch_model.bin", config(tmp_path, **GPT2)], IDS)
    assert report["format"] == "pickle"
    compare(found, gpt2(exact, IDS, HEADS), close)


@pytest.mark.parametrize("change, words", [
    (lambda data: data[:-5], "the file is cut short"),
    (lambda data: re.sub(rb"(little_endianq.)\x88", b"\\1\x89", data), "big-endian"),
    (lambda data: data.replace(b"FloatStorage", b"QUIntStorage"), "unknown type"),
    (lambda data: data[:200], "pytorch_model.bin"),
    (lambda data: data.replace(b"_rebuild_tensor_v2", b"_rebuild_tensor_v9"), "not needed for weights"),
])
def test_damaged_files_of_torch_before_1_6_are_refused(tmp_path, change, words):
    path = tmp_path / "pytorch_model.bin"
    stored, _ = gpt2_tensors(32)
    save_old(path, {name: torch.from_numpy(array.copy()) for name, array in stored.items()})
    before = path.read_bytes()
    path.write_bytes(change(before))
    assert path.read_bytes() != before
    message = attend("import", path, config(tmp_path, **GPT2), "--to", tmp_path / "d.json", refused=True)
    assert words in message and not (tmp_path / "d.json").exists()


def pickles_and_storages(data):
    """The five pickles of an old file, and what follows them."""
    file, parts = io.BytesIO(data), []
    for _ in range(5):
        begin = file.tell()
        list(pickletools.genops(file))
        parts.append(data[begin:file.tell()])
    return parts, data[file.tell():]


def test_texts_of_python_2(tmp_path):
    stored, exact = gpt2_tensors(39)
    path = tmp_path / "pytorch_model.bin"
    save_old(path, {"café": 1, **{name: torch.from_numpy(array.copy()) for name, array in stored.items()}})

    def as_python_2(part):
        ops = [*pickletools.genops(part)]
        ends = [at for _, _, at in ops[1:]] + [len(part)]
        for k, ((op, value, at), end) in enumerate(zip(ops, ends, strict=True)):
            if op.name != "BINUNICODE":
                yield part[at:end]
                continue
            text = value.encode("latin1")
            yield (b"U" + bytes([len(text)]) if k % 2 else b"T" + struct.pack("<I", len(text))) + text

    parts, numbers = pickles_and_storages(path.read_bytes())
    path.write_bytes(b"".join(b"".join(as_python_2(part)) for part in parts) + numbers)
    assert "café" in torch.load(path, encoding="latin1", weights_only=False)
    _, found = imported(tmp_path, [path, config(tmp_path, **GPT2)], IDS)
    compare(found, gpt2(exact, IDS, HEADS), 1e-5)


class Call:
    """A call that a pickle describes: of the function that rebuilds a tensor."""

    def __init__(self, *arguments):
        self.arguments = arguments

    def __reduce__(self):
        return torch._utils._rebuild_tensor_v2, self.arguments


def old_file(path, tensors, views):
    """As PyTorch 0.3 wrote it: all tensors are in one storage, of which each has a view (or an offset)."""
    class Pickler(pickle.Pickler):
        def persistent_id(self, one):
            return one if isinstance(one, tuple) and one[:1] == ("storage",) else None

    flat = np.concatenate([array.ravel() for array in tensors.values()]).astype(np.float32)
    state, first = OrderedDict(), 0
    for name, array in tensors.items():
        view = (f"view of {name}", first, array.size) if views else None
        strides = tuple(step // array.itemsize for step in array.strides)
        state[name] = Call(("storage", torch.FloatStorage, "0", "cpu", flat.size, view), 0 if views else first,
                           array.shape, strides, False, OrderedDict())
        first += array.size
    with open(path, "wb") as file:
        for part in (0x1950a86a20f9469cfc6c, 1001, {"little_endian": True}):
            pickle.dump(part, file, protocol=2)
        Pickler(file, protocol=2).dump(state)
        pickle.dump(["0"], file, protocol=2)
        file.write(struct.pack("<Q", flat.size) + flat.tobytes())


@pytest.mark.parametrize("views", [True, False])
def test_views_of_a_storage(tmp_path, views):
    stored, exact = gpt2_tensors(40)
    path = tmp_path / "pytorch_model.bin"
    old_file(path, {name: np.ascontiguousarray(array) for name, array in stored.items()}, views)
    assert torch.equal(torch.load(path, weights_only=False)["wpe.weight"], torch.from_numpy(stored["wpe.weight"]))
    _, found = imported(tmp_path, [path, config(tmp_path, **GPT2)], IDS)
    compare(found, gpt2(exact, IDS, HEADS), 1e-5)


def test_storages_are_listed_once(tmp_path):
    path = tmp_path / "pytorch_model.bin"
    save_old(path, {"wte.weight": torch.ones(2, 3, dtype=torch.float32)})
    parts, numbers = pickles_and_storages(path.read_bytes())
    key = pickle.loads(parts[4])[0]
    path.write_bytes(b"".join(parts[:4]) + pickle.dumps([key] * 3, protocol=2) + numbers * 3)
    message = attend("import", path, config(tmp_path, **GPT2), "--to", tmp_path / "d.json", refused=True)
    assert f'lists the storage "{key}" twice' in message
    path.write_bytes(b"".join(parts[:4]) + pickle.dumps([], protocol=2))
    message = attend("import", path, config(tmp_path, **GPT2), "--to", tmp_path / "d.json", refused=True)
    assert f'there is no "{key}"' in message


def test_a_storage_that_claims_too_much_is_refused(tmp_path):
    path = tmp_path / "pytorch_model.bin"
    save_old(path, {"wte.weight": torch.ones(2, 3, dtype=torch.float32)})
    data = path.read_bytes()
    path.write_bytes(data[:-32] + struct.pack("<Q", 1 << 61) + data[-24:])
    message = attend("import", path, config(tmp_path, **GPT2), "--to", tmp_path / "d.json", refused=True)
    assert "2305843009213693952 more numbers" in message


@pytest.mark.parametrize("front", ["model.", "net.module.", "base_model.model.", "student.encoder.inner."])
def test_a_model_inside_others(tmp_path, front):
    stored, exact = gpt2_tensors(33, prefix="transformer.")
    write_safetensors(tmp_path / "model.safetensors", {front + name: array for name, array in stored.items()})
    _, found = imported(tmp_path, [tmp_path / "model.safetensors", config(tmp_path, **GPT2)], IDS)
    compare(found, gpt2(exact, IDS, HEADS), 1e-5)


@pytest.mark.parametrize("parts", [8, 9])
def test_the_parts_in_front_of_a_name_are_limited(tmp_path, parts):
    stored, exact = gpt2_tensors(33)
    write_safetensors(tmp_path / "model.safetensors", {"a." * parts + name: array for name, array in stored.items()})
    files = [tmp_path / "model.safetensors", config(tmp_path, **GPT2)]
    if parts == 8:
        compare(imported(tmp_path, files, IDS)[1], gpt2(exact, IDS, HEADS), 1e-5)
    else:
        message = attend("import", *files, "--to", tmp_path / "d.json", refused=True)
        assert "no known family has tensors" in message


def test_names_beyond_any_use_are_refused(tmp_path):
    write_safetensors(tmp_path / "model.safetensors", {"a." * 20000 + "wte.weight": np.ones((2, 2), np.float32)})
    message = attend("import", tmp_path / "model.safetensors", "--to", tmp_path / "d.json", refused=True)
    assert "the name of a tensor has 40010 bytes; at most 4096 are read" in message


def test_a_front_that_not_all_tensors_have_is_no_front(tmp_path):
    stored, _ = gpt2_tensors(34)
    write_safetensors(tmp_path / "model.safetensors",
                      {**{"net." + name: array for name, array in stored.items()}, "scale": np.ones(2, np.float32)})
    message = attend("import", tmp_path / "model.safetensors", config(tmp_path, **GPT2), "--to", tmp_path / "d.json",
                     refused=True)
    assert "no known family has tensors of these names" in message


def bert_rows(folder, seed=35):
    m = bert_tensors(seed, NAMES, "encoder.layer.")
    write_safetensors(folder / "model.safetensors", m.tensors)
    config(folder, model_type="bert", num_attention_heads=HEADS)
    return by_torch.reader(m.exact(), IDS, HEADS, NAMES, "encoder.layer.{}.", 0, 1e-12)


def pooled_by(folder, **modes):
    (folder / "1_Pooling").mkdir(exist_ok=True)
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"word_embedding_dimension": 24, **modes}))


@pytest.mark.parametrize("mode, pool", [
    ("mean_tokens", lambda rows: rows.mean(0)), ("cls_token", lambda rows: rows[0]),
    ("max_tokens", lambda rows: rows.max(0)), ("lasttoken", lambda rows: rows[-1])])
def test_the_rows_that_make_a_sentence(tmp_path, mode, pool):
    rows = bert_rows(tmp_path)
    modes = {f"pooling_mode_{one}": one == mode for one in ("mean_tokens", "cls_token", "max_tokens", "lasttoken")}
    pooled_by(tmp_path, **modes)
    _, found = imported(tmp_path, [tmp_path], IDS, output="sentence.output")
    compare(found, pool(np.asarray(rows))[None], 1e-5)


def modules(folder, *kinds):
    (folder / "modules.json").write_text(json.dumps([
        {"idx": k, "name": str(k), "path": f"{k}_{kind}", "type": f"sentence_transformers.models.{kind}"}
        for k, kind in enumerate(("Transformer", "Pooling", *kinds))]))


@pytest.mark.parametrize("kinds, unit, left", [
    (["Normalize"], True, []), ([], False, []), (["Dense"], False, ["2_Dense"]),
    (["Dense", "Normalize"], False, ["2_Dense", "3_Normalize"]), (["Normalize", "Dense"], True, ["3_Dense"])])
def test_a_sentence_is_divided_by_its_length_where_its_modules_do_so(tmp_path, kinds, unit, left):
    rows = np.asarray(bert_rows(tmp_path))
    pooled_by(tmp_path, pooling_mode_mean_tokens=True)
    modules(tmp_path, *kinds)
    report, found = imported(tmp_path, [tmp_path], IDS, output="sentence.output")
    assert report["left"] == left
    expected = rows.mean(0)[None]
    compare(found, expected / np.linalg.norm(expected) if unit else expected, 1e-5)


def test_a_decoder_opens_without_a_sentence_where_its_rows_cannot_be_computed(tmp_path):
    write_safetensors(tmp_path / "model.safetensors", llama_tensors(42, 2).tensors)
    config(tmp_path, model_type="llama", num_attention_heads=HEADS, num_key_value_heads=2)
    pooled_by(tmp_path, pooling_mode_weightedmean_tokens=True)
    report = attend("import", tmp_path, "--to", tmp_path / "d.json")
    assert report["left"] == ["1_Pooling/config.json"]
    assert "sentence" not in [one["name"] for one in json.loads((tmp_path / "d.json").read_text())["model"]]
    pooled_by(tmp_path, pooling_mode_lasttoken=True)
    assert attend("import", tmp_path, "--to", tmp_path / "d.json")["left"] == []
    assert "sentence" in [one["name"] for one in json.loads((tmp_path / "d.json").read_text())["model"]]


@pytest.mark.parametrize("modes, words", [
    ({"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": True},
     "pooling_mode_cls_token, pooling_mode_mean_tokens"),
    ({"pooling_mode_mean_tokens": False, "pooling_mode_mean_sqrt_len_tokens": True}, "mean_sqrt_len_tokens"),
    ({"pooling_mode_mean_tokens": False}, "none of its modes")])
def test_other_rows_of_a_sentence_are_refused(tmp_path, modes, words):
    bert_rows(tmp_path)
    pooled_by(tmp_path, **modes)
    message = attend("import", tmp_path, "--to", tmp_path / "d.json", refused=True)
    assert '"1_Pooling/config.json": it makes a sentence' in message, message
    assert words in message and "Leave the file out" in message


@pytest.mark.parametrize("modes", [{"mean_tokens": False, "weightedmean_tokens": True}, {"mean_tokens": True}])
def test_a_family_without_a_sentence_leaves_the_rows_of_one(tmp_path, modes):
    write_safetensors(tmp_path / "model.safetensors", gpt2_tensors(41)[0])
    config(tmp_path, **GPT2)
    pooled_by(tmp_path, **{f"pooling_mode_{name}": value for name, value in modes.items()})
    report = attend("import", tmp_path, "--to", tmp_path / "d.json")
    assert report["left"] == ["1_Pooling/config.json"]
    assert sorted(report["files"]) == ["1_Pooling/config.json", "config.json", "model.safetensors"]

# SPDX-License-Identifier: Apache-2.0
"""`attend import`: checkpoints of every family, made here by the names and layouts of the published models, give the
numbers that the forward passes of forward.py give."""
import json

import numpy as np
import pytest
from checkpoints import (bfloat16, from_blocks, write_gguf, write_llama2c, write_npz, write_safetensors, write_torch)
from forward import BERT, DISTILBERT, bert, gpt2, gpt_neo, llama, llama2c, neox, vit, vit_timm
from import_cases import (GPT2, HEADS, HIDDEN, IDS, LAYERS, SIZES, WIDTH, WORDS, Maker, as_gguf, attend,
                          bert_tensors, compare, config, gpt2_tensors, imported, llama2c_tensors, llama_tensors,
                          neo_tensors, neox_tensors, timm_tensors)


@pytest.mark.parametrize("prefix", ["", "transformer."])
@pytest.mark.parametrize("save", [write_safetensors, write_torch, write_npz])
def test_gpt2(tmp_path, save, prefix):
    stored, exact = gpt2_tensors(1, prefix=prefix)
    file = tmp_path / {write_safetensors: "model.safetensors", write_torch: "pytorch_model.bin",
                       write_npz: "model.npz"}[save]
    save(file, stored)
    report, found = imported(tmp_path, [file, config(tmp_path, **GPT2)], IDS)
    assert report["architecture"] == "gpt2" and report["left"] == [] and report["tied"] == ["predict.W_c"]
    compare(found, gpt2(exact, IDS, HEADS))


def test_mingpt(tmp_path):
    stored, exact = gpt2_tensors(2, linear=True, prefix="transformer.")
    write_torch(tmp_path / "model.bin", stored)
    report, found = imported(tmp_path, [tmp_path / "model.bin", config(tmp_path, n_head=HEADS)], IDS)
    assert report["tied"] == []
    compare(found, gpt2(exact, IDS, HEADS, linear=True))


def test_several_files_and_their_index(tmp_path):
    stored, exact = gpt2_tensors(3)
    names = list(stored)
    parts = {"a.safetensors": names[::2], "b.safetensors": names[1::2]}
    for file, own in parts.items():
        write_safetensors(tmp_path / file, {name: stored[name] for name in own})
    index = {"weight_map": {name: file for file, own in parts.items() for name in own}}
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index))
    config(tmp_path, **GPT2)
    compare(imported(tmp_path, [tmp_path], IDS)[1], gpt2(exact, IDS, HEADS))
    message = attend("import", tmp_path / "a.safetensors", tmp_path / "model.safetensors.index.json",
                     "--to", tmp_path / "x.json", refused=True)
    assert "b.safetensors" in message and "model.safetensors.index.json" in message


def test_gpt_neo(tmp_path):
    m = neo_tensors(4)
    write_safetensors(tmp_path / "model.safetensors", {"transformer." + n: a for n, a in m.tensors.items()})
    settings = config(tmp_path, model_type="gpt_neo", num_heads=HEADS, num_layers=LAYERS, hidden_size=WIDTH,
                      window_size=3, attention_types=[[["global", "local"], 1]])
    found = imported(tmp_path, [tmp_path / "model.safetensors", settings], IDS)[1]
    compare(found, gpt_neo(m.exact(), IDS, HEADS, ["global", "local"], 3))


@pytest.mark.parametrize("parallel", [True, False])
def test_neox(tmp_path, parallel):
    m = neox_tensors(5)
    stored = {("" if n.startswith("embed_out") else "gpt_neox.") + n: a for n, a in m.tensors.items()}
    write_safetensors(tmp_path / "model.safetensors", stored)
    # Heads are 6 wide: a third of one is a pair.
    settings = config(tmp_path, model_type="gpt_neox", num_attention_heads=HEADS, rotary_pct=1 / 3,
                      use_parallel_residual=parallel)
    found = imported(tmp_path, [tmp_path / "model.safetensors", settings], IDS)[1]
    compare(found, neox(m.exact(), IDS, HEADS, 1 / 3 + 1e-9, parallel))


@pytest.mark.parametrize("kind, groups, bias, norms, head", [
    ("llama", 2, False, False, None), ("llama", HEADS, False, False, 8), ("qwen2", 1, True, False, None),
    ("qwen3", 2, False, True, 8)])
def test_llama(tmp_path, kind, groups, bias, norms, head):
    m = llama_tensors(6, groups, bias, norms, head=head)
    write_safetensors(tmp_path / "model.safetensors", {"model." + n: a for n, a in m.tensors.items()})
    settings = config(tmp_path, model_type=kind, num_attention_heads=HEADS, num_key_value_heads=groups,
                      rope_theta=500.0, rms_norm_eps=1e-5, head_dim=head or WIDTH // HEADS)
    report, found = imported(tmp_path, [tmp_path / "model.safetensors", settings], IDS)
    assert report["left"] == []
    compare(found, llama(m.exact(), IDS, HEADS, groups, 1e-5, 500.0))


@pytest.mark.parametrize("dtype, close", [("F32", 1e-4), ("F16", 1e-4), ("BF16", 1e-4), ("Q8_0", 1e-4)])
def test_gguf(tmp_path, dtype, close):
    width, groups, head = 32, 2, 8
    m = llama_tensors(7, groups, width=width, hidden=64)
    stored = as_gguf(m.tensors, groups, head)
    settings = {"general.architecture": "llama", "general.alignment": 32, "llama.embedding_length": width,
                "llama.block_count": LAYERS, "llama.attention.head_count": HEADS, "llama.context_length": 64,
                "llama.attention.head_count_kv": groups, "llama.feed_forward_length": 64,
                "llama.attention.layer_norm_rms_epsilon": 1e-5, "llama.rope.freq_base": 10000.0}
    write_gguf(tmp_path / "model.gguf", settings, stored, dtype)
    # What is compared is the model with the numbers that the file can hold.
    kept = {"F32": lambda a: a, "F16": lambda a: a.astype(np.float16).astype(np.float32), "Q8_0": from_blocks,
            "BF16": lambda a: (bfloat16(a).astype(np.uint32) << 16).view(np.float32)}[dtype]
    exact = {n: (kept(a) if a.ndim > 1 else a).astype(np.float64) for n, a in m.tensors.items()}
    report, found = imported(tmp_path, [tmp_path / "model.gguf"], IDS)
    assert report["format"] == "gguf"
    compare(found, llama(exact, IDS, HEADS, groups, 1e-5), close)


def llama3_factors(base, width, factor, length, low, high):
    """By how much llama.cpp's converter says that each pair is slowed, after the published code of Llama 3.1."""
    factors = []
    for frequency in 1 / base ** (np.arange(0, width, 2) / width):
        wave = 2 * np.pi / frequency
        if wave < length / high:
            factors.append(1)
        elif wave > length / low:
            factors.append(factor)
        else:
            smooth = (length / wave - low) / (high - low)
            factors.append(1 / ((1 - smooth) / factor + smooth))
    return np.array(factors, np.float32)


def gguf_with_freqs(folder, factors, base, head=16, **more):
    width, groups = 64, 2
    m = llama_tensors(9, groups, width=width, hidden=64)
    stored = {**as_gguf(m.tensors, groups, head), "rope_freqs.weight": factors}
    settings = {"general.architecture": "llama", "llama.embedding_length": width, "llama.block_count": LAYERS,
                "llama.attention.head_count": HEADS, "llama.attention.head_count_kv": groups,
                "llama.feed_forward_length": 64, "llama.attention.layer_norm_rms_epsilon": 1e-5,
                "llama.rope.freq_base": base, **more}
    write_gguf(folder / "model.gguf", settings, stored)
    return m.exact(), groups


@pytest.mark.parametrize("base, factor, length, low, high", [
    (10000.0, 8.0, 8192, 1.0, 4.0), (500.0, 32.0, 100, 1.0, 4.0), (50.0, 4.0, 40, 0.5, 6.0), (30.0, 4.0, 60, 2.0, 2.6),
    (500.0, 1.0, 100, 1.0, 4.0), (20.0, 3.0, 10, 100.0, 200.0)])
def test_slowed_rotation_of_gguf(tmp_path, base, factor, length, low, high):
    factors = llama3_factors(base, 16, factor, length, low, high)
    exact, groups = gguf_with_freqs(tmp_path, factors, base, **{"llama.rope.scaling.original_context_length": length})
    report, found = imported(tmp_path, [tmp_path / "model.gguf"], IDS)
    assert report["left"] == []
    expected = llama(exact, IDS, HEADS, groups, 1e-5, base, factors.astype(np.float64))
    compare(found, expected)
    if factor > 1:  # so that the factors matter
        assert np.abs(expected - llama(exact, IDS, HEADS, groups, 1e-5, base)).max() > 1e-2


def test_rotations_that_are_not_known(tmp_path):
    factors = np.array([1, 5, 2, 7, 1, 3, 2, 9], np.float32)
    gguf_with_freqs(tmp_path, factors, 10000.0)
    message = attend("import", tmp_path / "model.gguf", "--to", tmp_path / "x.json", refused=True)
    assert "model.gguf" in message and "rope_freqs.weight" in message and "config.json" in message
    # A config beside it says what is right.
    exact, groups = gguf_with_freqs(tmp_path, factors, 10000.0)
    settings = config(tmp_path, model_type="llama", num_attention_heads=HEADS, num_key_value_heads=groups,
                      rms_norm_eps=1e-5, rope_scaling={"rope_type": "linear", "factor": 2.0})
    found = imported(tmp_path, [tmp_path / "model.gguf", settings], IDS)[1]
    compare(found, llama(exact, IDS, HEADS, groups, 1e-5, 10000.0, np.full(8, 2.0)))


@pytest.mark.parametrize("own", [False, True])
def test_llama2c(tmp_path, own):
    m = llama2c_tensors(8, own)
    write_llama2c(tmp_path / "model.bin", SIZES, m.tensors, own)
    report, found = imported(tmp_path, [tmp_path / "model.bin"], IDS)
    assert report["architecture"] == "llama2c" and report["tied"] == ([] if own else ["predict.W_c"])
    compare(found, llama2c(m.exact(), IDS, SIZES["heads"], SIZES["kv_heads"]))


@pytest.mark.parametrize("prefix, old", [("", False), ("bert.", False), ("bert.", True)])
def test_bert(tmp_path, prefix, old):
    m = bert_tensors(11, BERT, "encoder.layer.")
    stored = {prefix + n: a for n, a in m.tensors.items()}
    if old:
        stored = {n.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): a
                  for n, a in stored.items()}
    write_safetensors(tmp_path / "model.safetensors", stored)
    settings = config(tmp_path, model_type="bert", num_attention_heads=HEADS)
    files = [tmp_path / "model.safetensors", settings]
    report, found = imported(tmp_path, files, IDS, f"layer-{LAYERS}.output")
    assert report["left"] == []
    compare(found, bert(m.exact(), IDS, HEADS, LAYERS))
    sentence = imported(tmp_path, [tmp_path / "model.safetensors", settings], IDS, "sentence.output")[1]
    compare(sentence[0], bert(m.exact(), IDS, HEADS, LAYERS).mean(0))


def test_distilbert(tmp_path):
    m = bert_tensors(14, DISTILBERT, "transformer.layer.", types=False)
    write_safetensors(tmp_path / "model.safetensors", {"distilbert." + n: a for n, a in m.tensors.items()}, "F32")
    settings = config(tmp_path, model_type="distilbert", n_heads=HEADS, dim=WIDTH)
    found = imported(tmp_path, [tmp_path / "model.safetensors", settings], IDS, f"layer-{LAYERS}.output")[1]
    compare(found, bert(m.exact(), IDS, HEADS, LAYERS, "transformer.layer.", DISTILBERT))


def vit_tensors(side, channels, image):
    """The tensors of a ViT with a classifier, and those of the classifier alone."""
    m, e = Maker(15), "embeddings."
    m.weight(e + "cls_token", 1, 1, WIDTH)
    m.weight(e + "position_embeddings", 1, (image // side) ** 2 + 1, WIDTH)
    m.weight(e + "patch_embeddings.projection.weight", WIDTH, channels, side, side)
    m.weight(e + "patch_embeddings.projection.bias", WIDTH)
    for i in range(LAYERS):
        p = f"encoder.layer.{i}."
        for s in ("query", "key", "value"):
            m.linear(p + f"attention.attention.{s}", WIDTH, WIDTH)
        m.linear(p + "attention.output.dense", WIDTH, WIDTH)
        m.linear(p + "intermediate.dense", HIDDEN, WIDTH)
        m.linear(p + "output.dense", WIDTH, HIDDEN)
        m.norm(p + "layernorm_before")
        m.norm(p + "layernorm_after")
    m.norm("layernorm")
    h = Maker(16)
    h.linear("classifier", 5, WIDTH)
    return m, h


def test_vit(tmp_path):
    side, channels, image = 4, 3, 12
    m, h = vit_tensors(side, channels, image)
    write_safetensors(tmp_path / "model.safetensors", {**{"vit." + n: a for n, a in m.tensors.items()}, **h.tensors})
    settings = config(tmp_path, model_type="vit", num_attention_heads=HEADS, image_size=image, patch_size=side)
    picture = np.random.default_rng(17).uniform(-1, 1, (image, image, channels)).astype(np.float32)
    x = vit(m.exact(), picture.astype(np.float64), HEADS, LAYERS)
    files = [tmp_path / "model.safetensors", settings]
    compare(imported(tmp_path, files, output="norm.output", image=picture)[1], x)
    w = h.exact()
    compare(imported(tmp_path, files, image=picture)[1][0], x[0] @ w["classifier.weight"].T + w["classifier.bias"])


LABELS = ["cat", "dog", "\u0642\u0637\u0627\u0631", "a \"b\"", "house"]
PREPROCESSOR = {"do_normalize": True, "image_mean": [0.485, 0.456, 0.406], "image_std": [0.229, 0.224, 0.225],
                "resample": 3, "size": {"height": 12, "width": 12}}


def classes_of(folder, preprocessor=None, **members):
    """A ViT with these settings: what its file says of its answers, and what `attend write` answers, refused or not."""
    m, h = vit_tensors(4, 3, 12)
    write_safetensors(folder / "model.safetensors", {**{"vit." + n: a for n, a in m.tensors.items()}, **h.tensors})
    config(folder, model_type="vit", num_attention_heads=HEADS, **members)
    if preprocessor is not None:
        (folder / "preprocessor_config.json").write_text(json.dumps(preprocessor))
    attend("import", folder, "--to", folder / "out" / "document.json")
    file = (folder / "out" / "document.safetensors").read_bytes()
    header = json.loads(file[8:8 + int.from_bytes(file[:8], "little")])
    return json.loads(header["__metadata__"]["writes"]), m.exact(), h.exact()


def test_classes_of_a_picture(tmp_path):
    (tmp_path / "out").mkdir()
    writes, exact, head = classes_of(tmp_path, PREPROCESSOR, id2label={str(i): name for i, name in enumerate(LABELS)})
    assert writes["kind"] == "classes" and writes["labels"] == LABELS
    assert writes["picture"] == {"mean": PREPROCESSOR["image_mean"], "std": PREPROCESSOR["image_std"], "side": 12,
                                 "filter": 3}
    document = json.loads((tmp_path / "out" / "document.json").read_text())
    picture = np.random.default_rng(21).uniform(-1, 1, (12, 12, 3)).astype(np.float32)
    document["inputs"]["image"]["data"] = picture.ravel().tolist()
    (tmp_path / "out" / "document.json").write_text(json.dumps(document))
    answer = attend("write", tmp_path / "out" / "document.json")
    logits = vit(exact, picture.astype(np.float64), HEADS, LAYERS)[0] @ head["classifier.weight"].T
    logits += head["classifier.bias"]
    expected = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    assert [one["class"] for one in answer["classes"]] == np.argsort(-expected).tolist()
    for one in answer["classes"]:
        assert one["label"] == LABELS[one["class"]] and abs(one["probability"] - expected[one["class"]]) < 1e-5
    message = attend("write", tmp_path / "out" / "document.json", "--ids", "[1]", refused=True)
    assert "picture" in message


def test_classes_without_labels_or_preprocessor(tmp_path):
    (tmp_path / "out").mkdir()
    writes = classes_of(tmp_path)[0]
    assert "labels" not in writes and writes["picture"] == {}
    answer = attend("write", tmp_path / "out" / "document.json")
    assert len(answer["classes"]) == 5 and "label" not in answer["classes"][0]
    # Not normalised: colours between 0 and 1 as they are; the shortest edge keeps the proportions.
    writes = classes_of(tmp_path, {"do_normalize": False, "do_rescale": False, "size": {"shortest_edge": 14}})[0]
    assert writes["picture"] == {"mean": 0, "std": 1, "rescale": 1, "edge": 14}


@pytest.mark.parametrize("labels", [{"0": "a", "1": "b"}, {str(i + 1): "x" for i in range(5)}, [1, 2, 3, 4, 5],
                                    {str(i): i for i in range(5)}])
def test_labels_that_do_not_fit(tmp_path, labels):
    with pytest.raises(AssertionError, match="id2label.*5 classes"):
        classes_of(tmp_path, id2label=labels)


@pytest.mark.parametrize("wrong, says", [
    ({"image_mean": [0.5, 0.5]}, "3 channels"), ({"image_std": [1, 0, 1]}, "above 0"),
    ({"image_std": "x"}, "above 0"), ({"image_mean": [0, None, 1]}, "numbers")])
def test_preprocessor_that_does_not_fit(tmp_path, wrong, says):
    with pytest.raises(AssertionError, match="preprocessor_config.json.*" + says):
        classes_of(tmp_path, wrong)


def test_vit_of_timm(tmp_path):
    m = timm_tensors(18)
    write_safetensors(tmp_path / "model.safetensors", m.tensors)
    picture = np.random.default_rng(19).uniform(-1, 1, (8, 8, 3)).astype(np.float32)
    settings = config(tmp_path, architecture="vit_toy", num_heads=HEADS)
    found = imported(tmp_path, [tmp_path / "model.safetensors", settings], output="norm.output", image=picture)[1]
    compare(found, vit_timm(m.exact(), picture.astype(np.float64), HEADS, LAYERS))

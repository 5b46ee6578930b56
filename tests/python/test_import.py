# SPDX-License-Identifier: Apache-2.0
"""`attend import`: checkpoints of every family, made here by the names and layouts of the published models, give the
numbers that the forward passes of forward.py give."""
import json

import numpy as np
import pytest
from checkpoints import (bfloat16, from_blocks, write_gguf, write_llama2c, write_npz, write_safetensors, write_torch)
from forward import BERT, DISTILBERT, bert, gpt2, gpt_neo, llama, llama2c, neox, vit, vit_timm
from import_cases import (GPT2, HEADS, HIDDEN, IDS, LAYERS, LENGTH, SIZES, WIDTH, WORDS, Maker, attend, bert_tensors,
                          compare, config, gpt2_tensors, imported, llama2c_tensors, llama_tensors)


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
    m = Maker(4)
    m.weight("wte.weight", WORDS, WIDTH)
    m.weight("wpe.weight", LENGTH, WIDTH)
    for i in range(LAYERS):
        p = f"h.{i}."
        for s in "qkv":
            m.linear(p + f"attn.attention.{s}_proj", WIDTH, WIDTH, bias=False)
        m.linear(p + "attn.attention.out_proj", WIDTH, WIDTH)
        m.linear(p + "mlp.c_fc", HIDDEN, WIDTH)
        m.linear(p + "mlp.c_proj", WIDTH, HIDDEN)
        m.norm(p + "ln_1")
        m.norm(p + "ln_2")
    m.norm("ln_f")
    write_safetensors(tmp_path / "model.safetensors", {"transformer." + n: a for n, a in m.tensors.items()})
    settings = config(tmp_path, model_type="gpt_neo", num_heads=HEADS, num_layers=LAYERS, hidden_size=WIDTH,
                      window_size=3, attention_types=[[["global", "local"], 1]])
    found = imported(tmp_path, [tmp_path / "model.safetensors", settings], IDS)[1]
    compare(found, gpt_neo(m.exact(), IDS, HEADS, ["global", "local"], 3))


@pytest.mark.parametrize("parallel", [True, False])
def test_neox(tmp_path, parallel):
    m = Maker(5)
    m.weight("embed_in.weight", WORDS, WIDTH)
    for i in range(LAYERS):
        p = f"layers.{i}."
        m.linear(p + "attention.query_key_value", 3 * WIDTH, WIDTH)
        m.linear(p + "attention.dense", WIDTH, WIDTH)
        m.linear(p + "mlp.dense_h_to_4h", HIDDEN, WIDTH)
        m.linear(p + "mlp.dense_4h_to_h", WIDTH, HIDDEN)
        m.norm(p + "input_layernorm")
        m.norm(p + "post_attention_layernorm")
    m.norm("final_layer_norm")
    m.weight("embed_out.weight", WORDS, WIDTH)
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


GGUF = {"embed_tokens": "token_embd", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
        "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output", "mlp.gate_proj": "ffn_gate",
        "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down", "input_layernorm": "attn_norm",
        "post_attention_layernorm": "ffn_norm"}


def as_gguf(tensors, groups, head):
    """Names as llama.cpp has them, and the rows of W_q and W_k in the order in which it rotates them: by neighbours."""
    stored = {}
    for name, array in tensors.items():
        other = "output_norm.weight" if name == "norm.weight" else name.replace("layers.", "blk.")
        for ours, theirs in GGUF.items():
            other = other.replace(ours, theirs)
        if "q_proj" in name or "k_proj" in name:
            count = HEADS if "q_proj" in name else groups
            array = array.reshape(count, 2, head // 2, -1).swapaxes(1, 2).reshape(array.shape)
        stored[other] = array
    return stored


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
    report, found = imported(tmp_path, files, IDS, f"layer-{LAYERS - 1}.output")
    assert report["left"] == []
    compare(found, bert(m.exact(), IDS, HEADS, LAYERS))
    sentence = imported(tmp_path, [tmp_path / "model.safetensors", settings], IDS, "sentence.output")[1]
    compare(sentence[0], bert(m.exact(), IDS, HEADS, LAYERS).mean(0))


def test_distilbert(tmp_path):
    m = bert_tensors(14, DISTILBERT, "transformer.layer.", types=False)
    write_safetensors(tmp_path / "model.safetensors", {"distilbert." + n: a for n, a in m.tensors.items()}, "F32")
    settings = config(tmp_path, model_type="distilbert", n_heads=HEADS, dim=WIDTH)
    found = imported(tmp_path, [tmp_path / "model.safetensors", settings], IDS, f"layer-{LAYERS - 1}.output")[1]
    compare(found, bert(m.exact(), IDS, HEADS, LAYERS, "transformer.layer.", DISTILBERT))


def test_vit(tmp_path):
    m, e, side, channels, image = Maker(15), "embeddings.", 4, 3, 12
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
    write_safetensors(tmp_path / "model.safetensors", {**{"vit." + n: a for n, a in m.tensors.items()}, **h.tensors})
    settings = config(tmp_path, model_type="vit", num_attention_heads=HEADS, image_size=image, patch_size=side)
    picture = np.random.default_rng(17).uniform(-1, 1, (image, image, channels)).astype(np.float32)
    x = vit(m.exact(), picture.astype(np.float64), HEADS, LAYERS)
    files = [tmp_path / "model.safetensors", settings]
    compare(imported(tmp_path, files, output="norm.output", image=picture)[1], x)
    w = h.exact()
    compare(imported(tmp_path, files, image=picture)[1][0], x[0] @ w["classifier.weight"].T + w["classifier.bias"])


def test_vit_of_timm(tmp_path):
    m, side, channels, image = Maker(18), 4, 3, 8
    m.weight("cls_token", 1, 1, WIDTH)
    m.weight("pos_embed", 1, (image // side) ** 2 + 1, WIDTH)
    m.weight("patch_embed.proj.weight", WIDTH, channels, side, side)
    m.weight("patch_embed.proj.bias", WIDTH)
    for i in range(LAYERS):
        p = f"blocks.{i}."
        m.linear(p + "attn.qkv", 3 * WIDTH, WIDTH)
        m.linear(p + "attn.proj", WIDTH, WIDTH)
        m.linear(p + "mlp.fc1", HIDDEN, WIDTH)
        m.linear(p + "mlp.fc2", WIDTH, HIDDEN)
        m.norm(p + "norm1")
        m.norm(p + "norm2")
    m.norm("norm")
    write_safetensors(tmp_path / "model.safetensors", m.tensors)
    picture = np.random.default_rng(19).uniform(-1, 1, (image, image, channels)).astype(np.float32)
    settings = config(tmp_path, architecture="vit_toy", num_heads=HEADS)
    found = imported(tmp_path, [tmp_path / "model.safetensors", settings], output="norm.output", image=picture)[1]
    compare(found, vit_timm(m.exact(), picture.astype(np.float64), HEADS, LAYERS))

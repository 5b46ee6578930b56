# SPDX-License-Identifier: Apache-2.0
"""Small checkpoints of each family with random numbers, and what the tests of `attend import` share."""
import json
import os
import subprocess

import numpy as np
from judge import ROOT

TOOL = os.path.join(ROOT, "build", "bin", "attend")
IDS = [3, 14, 0, 7, 7, 19, 2]
WIDTH, HEADS, LAYERS, HIDDEN, WORDS, LENGTH = 24, 4, 2, 40, 23, 16


def attend(*arguments, text=None, refused=False):
    done = subprocess.run([TOOL, *map(str, arguments)], input=text, capture_output=True, text=True, timeout=300)
    if refused:
        assert done.returncode == 2, done.stdout
        return json.loads(done.stderr)["error"]["message"]
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Maker:
    """Tensors of random numbers by name, in float32, that a forward pass can read in float64."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.tensors = {}

    def weight(self, name, *shape, size=0.3):
        self.tensors[name] = (size * self.random.standard_normal(shape)).astype(np.float32)

    def linear(self, name, outer, inner, bias=True):
        self.weight(name + ".weight", outer, inner)
        if bias:
            self.weight(name + ".bias", outer)

    def norm(self, name, width=None, bias=True):
        width = width or WIDTH
        self.tensors[name + ".weight"] = (1 + 0.1 * self.random.standard_normal(width)).astype(np.float32)
        if bias:
            self.weight(name + ".bias", width, size=0.1)

    def exact(self):
        return {name: array.astype(np.float64) for name, array in self.tensors.items()}


def imported(folder, files, ids=None, output="predict.logits", image=None):
    to = folder / "document.json"
    report = attend("import", *files, "--to", to)
    document = json.loads(to.read_text())
    if ids is not None:
        for name, source in document["inputs"].items():
            data = ids if name == "text" else [0] * len(ids)
            source.clear()
            source.update({"shape": [len(ids), 1], "data": data})
    if image is not None:
        document["inputs"]["image"] = {"shape": list(image.shape), "data": image.ravel().tolist()}
    document["outputs"] = [output]
    to.write_text(json.dumps(document))
    result = attend("run", to)["outputs"][output]
    return report, np.array(result["data"]).reshape(result["shape"])


def compare(found, expected, close=1e-4):
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= close * max(1, np.abs(expected).max()), np.abs(found - expected).max()


def config(folder, **members):
    (folder / "config.json").write_text(json.dumps(members))
    return folder / "config.json"


def gpt2_tensors(seed, linear=False, prefix=""):
    m = Maker(seed)
    m.weight("wte.weight", WORDS, WIDTH)
    m.weight("wpe.weight", LENGTH, WIDTH)
    turn = (lambda a, b: (b, a)) if linear else (lambda a, b: (a, b))
    for i in range(LAYERS):
        p = f"h.{i}."
        for name, inner, outer in (("attn.c_attn", WIDTH, 3 * WIDTH), ("attn.c_proj", WIDTH, WIDTH),
                                   ("mlp.c_fc", WIDTH, HIDDEN), ("mlp.c_proj", HIDDEN, WIDTH)):
            m.weight(p + name + ".weight", *turn(inner, outer))
            m.weight(p + name + ".bias", outer)
        m.norm(p + "ln_1")
        m.norm(p + "ln_2")
        m.tensors[p + "attn.bias"] = np.tril(np.ones((1, 1, LENGTH, LENGTH), np.float32))
    m.norm("ln_f")
    if linear:
        m.weight("lm_head.weight", WORDS, WIDTH)
    stored = {(name if name.startswith("lm_head") else prefix + name): array for name, array in m.tensors.items()}
    return stored, m.exact()


GPT2 = dict(model_type="gpt2", n_embd=WIDTH, n_head=HEADS, n_layer=LAYERS, n_positions=LENGTH, vocab_size=WORDS)


def llama_tensors(seed, groups, bias=False, norms=False, width=WIDTH, hidden=HIDDEN, head=None):
    m = Maker(seed)
    head = head or width // HEADS
    m.weight("embed_tokens.weight", WORDS, width)
    for i in range(LAYERS):
        p = f"layers.{i}."
        m.linear(p + "self_attn.q_proj", HEADS * head, width, bias)
        m.linear(p + "self_attn.k_proj", groups * head, width, bias)
        m.linear(p + "self_attn.v_proj", groups * head, width, bias)
        m.linear(p + "self_attn.o_proj", width, HEADS * head, False)
        for name, outer, inner in (("gate", hidden, width), ("up", hidden, width), ("down", width, hidden)):
            m.linear(p + f"mlp.{name}_proj", outer, inner, False)
        m.norm(p + "input_layernorm", width, False)
        m.norm(p + "post_attention_layernorm", width, False)
        if norms:
            m.norm(p + "self_attn.q_norm", head, False)
            m.norm(p + "self_attn.k_norm", head, False)
    m.norm("norm", width, False)
    return m


def neo_tensors(seed):
    m = Maker(seed)
    m.weight("wte.weight", WORDS, WIDTH)
    m.weight("wpe.weight", LENGTH, WIDTH)
    for i in range(LAYERS):
        for name in ("q_proj", "k_proj", "v_proj"):
            m.linear(f"h.{i}.attn.attention.{name}", WIDTH, WIDTH, False)
        m.linear(f"h.{i}.attn.attention.out_proj", WIDTH, WIDTH)
        m.linear(f"h.{i}.mlp.c_fc", HIDDEN, WIDTH)
        m.linear(f"h.{i}.mlp.c_proj", WIDTH, HIDDEN)
        m.norm(f"h.{i}.ln_1")
        m.norm(f"h.{i}.ln_2")
    m.norm("ln_f")
    return m


SIZES = dict(dim=24, hidden=40, layers=2, heads=4, kv_heads=2, vocabulary=23, length=32)


def llama2c_tensors(seed, own=False):
    s, m = SIZES, Maker(seed)
    narrow = s["dim"] // s["heads"] * s["kv_heads"]
    m.weight("tok_embeddings", s["vocabulary"], s["dim"])
    for name, *shape in (("wq", s["dim"], s["dim"]), ("wk", narrow, s["dim"]), ("wv", narrow, s["dim"]),
                         ("wo", s["dim"], s["dim"]), ("w1", s["hidden"], s["dim"]), ("w2", s["dim"], s["hidden"]),
                         ("w3", s["hidden"], s["dim"])):
        m.weight(name, s["layers"], *shape)
    for name in ("attention_norm", "ffn_norm"):
        m.tensors[name] = (1 + 0.1 * m.random.standard_normal((s["layers"], s["dim"]))).astype(np.float32)
    m.tensors["norm"] = (1 + 0.1 * m.random.standard_normal(s["dim"])).astype(np.float32)
    if own:
        m.weight("output", s["vocabulary"], s["dim"])
    return m


def scored_pieces(count):
    """Three special pieces, then letters with scores and their pairs: a small vocabulary of llama2.c's kind."""
    pieces = [("<unk>", 0.0), ("<s>", 0.0), ("</s>", 0.0), (" ", -9.0)] + [(c, -8.0) for c in "abcdefgh"]
    pieces += [(" a", -1.0), ("bc", -2.0), ("ab", -3.0), ("cd", -1.5), (" ab", -0.5)]
    return pieces + [(chr(ord("p") + i), -7.0) for i in range(count - len(pieces))]


def bert_tensors(seed, names, folder, types=True):
    m, e = Maker(seed), "embeddings."
    m.weight(e + "word_embeddings.weight", WORDS, WIDTH)
    m.weight(e + "position_embeddings.weight", LENGTH, WIDTH)
    if types:
        m.weight(e + "token_type_embeddings.weight", 2, WIDTH)
    m.norm(e + "LayerNorm")
    m.tensors[e + "position_ids"] = np.arange(LENGTH)[None]
    for i in range(LAYERS):
        p = f"{folder}{i}."
        q, k, v, out, norm1, inner, outer, norm2 = names
        for name in (q, k, v, out):
            m.linear(p + name, WIDTH, WIDTH)
        m.linear(p + inner, HIDDEN, WIDTH)
        m.linear(p + outer, WIDTH, HIDDEN)
        m.norm(p + norm1)
        m.norm(p + norm2)
    return m


def neox_tensors(seed):
    m = Maker(seed)
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
    return m


def timm_tensors(seed, scaled=False):
    m = Maker(seed)
    m.weight("cls_token", 1, 1, WIDTH)
    m.weight("pos_embed", 1, 5, WIDTH)
    m.weight("patch_embed.proj.weight", WIDTH, 3, 4, 4)
    m.weight("patch_embed.proj.bias", WIDTH)
    for i in range(LAYERS):
        p = f"blocks.{i}."
        m.linear(p + "attn.qkv", 3 * WIDTH, WIDTH)
        m.linear(p + "attn.proj", WIDTH, WIDTH)
        m.linear(p + "mlp.fc1", HIDDEN, WIDTH)
        m.linear(p + "mlp.fc2", WIDTH, HIDDEN)
        m.norm(p + "norm1")
        m.norm(p + "norm2")
        if scaled:
            m.weight(p + "ls1.gamma", WIDTH, size=1)
            m.weight(p + "ls2.gamma", WIDTH, size=1)
    m.norm("norm")
    return m


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

# SPDX-License-Identifier: Apache-2.0
"""`attend import` and `attend write`: checkpoints of every family, made here by the names and layouts of the published
models, give the numbers that the forward passes of forward.py give. The real file of llama2.c is read where
ATTEND_STORIES names the folder with stories260K.bin and tok512.bin."""
import json
import os
import subprocess

import numpy as np
import pytest
from checkpoints import (bfloat16, from_blocks, write_gguf, write_llama2c, write_llama2c_tokenizer, write_npz,
                         write_safetensors, write_torch)
from forward import (DISTILBERT, bert, gelu, gpt2, gpt_neo, layer_norm, llama, llama2c, neox, vit, vit_timm)
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

    def norm(self, name, width=WIDTH, bias=True):
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


@pytest.mark.parametrize("own", [False, True])
def test_llama2c(tmp_path, own):
    m = llama2c_tensors(8, own)
    write_llama2c(tmp_path / "model.bin", SIZES, m.tensors, own)
    report, found = imported(tmp_path, [tmp_path / "model.bin"], IDS)
    assert report["architecture"] == "llama2c" and report["tied"] == ([] if own else ["predict.W_c"])
    compare(found, llama2c(m.exact(), IDS, SIZES["heads"], SIZES["kv_heads"]))


def scored_pieces(count):
    """Three special pieces, then letters with scores and their pairs: a small vocabulary of llama2.c's kind."""
    pieces = [("<unk>", 0.0), ("<s>", 0.0), ("</s>", 0.0), (" ", -9.0)] + [(c, -8.0) for c in "abcdefgh"]
    pieces += [(" a", -1.0), ("bc", -2.0), ("ab", -3.0), ("cd", -1.5), (" ab", -0.5)]
    return pieces + [(chr(ord("p") + i), -7.0) for i in range(count - len(pieces))]


def test_llama2c_writes_greedily(tmp_path):
    m = llama2c_tensors(9)
    write_llama2c(tmp_path / "model.bin", SIZES, m.tensors)
    write_llama2c_tokenizer(tmp_path / "tok23.bin", scored_pieces(23))
    attend("import", tmp_path / "model.bin", tmp_path / "tok23.bin", "--to", tmp_path / "document.json")
    # " abcd": the best pair of neighbours merges first, " a" and "cd" before "ab" or "bc", then " a" + "b".
    words = {text: i for i, (text, _) in enumerate(scored_pieces(23))}
    answer = attend("write", tmp_path / "document.json", "--prompt", "abcd", "--words", 12)
    ids = [1, words[" ab"], words["cd"]]
    assert answer["ids"][:3] == ids
    for _ in range(12):
        best = int(np.argmax(llama2c(m.exact(), ids, SIZES["heads"], SIZES["kv_heads"])[-1]))
        if best in (1, 2):
            break
        ids.append(best)
    assert answer["ids"] == ids


def test_sampling_follows_the_seed_and_the_probabilities(tmp_path):
    m = llama2c_tensors(10)
    write_llama2c(tmp_path / "model.bin", SIZES, m.tensors)
    attend("import", tmp_path / "model.bin", "--to", tmp_path / "document.json")

    def drawn(*more):
        return attend("write", tmp_path / "document.json", "--ids", "[1, 5]", "--words", 1, "--temperature", 1, *more)

    logits = llama2c(m.exact(), [1, 5], SIZES["heads"], SIZES["kv_heads"])[-1]
    p = np.exp(logits - logits.max())
    p /= p.sum()
    first = drawn("--seed", 4)
    assert first == drawn("--seed", 4)
    assert abs(first["next"][0]["probability"] - p.max()) < 1e-5
    assert {tuple(drawn("--seed", s)["ids"]) for s in range(12)} != {tuple(first["ids"])}
    assert len(drawn("--top-k", 3)["next"]) == 3
    order = np.sort(p)[::-1]
    kept = int(np.searchsorted(np.cumsum(order), 0.5) + 1)
    assert len(drawn("--top-p", 0.5)["next"]) == min(kept, 10)
    cold = attend("write", tmp_path / "document.json", "--ids", "[1, 5]", "--words", 1, "--top-k", 1,
                  "--temperature", 2)
    assert cold["ids"][-1] == int(np.argmax(logits))


PUBLISHED = """Once upon a time, there was a little girl named Lily. She loved to play outside in the park. One day, she \
saw a big, red ball. She wanted to play with it, but it was too high.
Lily's mom said, "Lily, let's go to the park." Lily was sad and didn't know what to do."""


@pytest.mark.skipif("ATTEND_STORIES" not in os.environ, reason="ATTEND_STORIES names no folder with stories260K.bin")
def test_stories_writes_its_published_text(tmp_path):
    folder = os.environ["ATTEND_STORIES"]
    attend("import", os.path.join(folder, "stories260K.bin"), os.path.join(folder, "tok512.bin"),
           "--to", tmp_path / "stories.json")
    answer = attend("write", tmp_path / "stories.json", "--prompt", "", "--words", 240)
    assert answer["text"].startswith(PUBLISHED)
    assert len(answer["ids"]) == 241


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


@pytest.mark.parametrize("prefix, old", [("", False), ("bert.", False), ("bert.", True)])
def test_bert(tmp_path, prefix, old):
    from forward import BERT
    m = bert_tensors(11, BERT, "encoder.layer.")
    stored = {prefix + n: a for n, a in m.tensors.items()}
    if old:
        stored = {n.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): a
                  for n, a in stored.items()}
    write_safetensors(tmp_path / "model.safetensors", stored)
    settings = config(tmp_path, model_type="bert", num_attention_heads=HEADS)
    report, found = imported(tmp_path, [tmp_path / "model.safetensors", settings], IDS, f"layer-{LAYERS - 1}")
    assert report["left"] == []
    compare(found, bert(m.exact(), IDS, HEADS, LAYERS))
    sentence = imported(tmp_path, [tmp_path / "model.safetensors", settings], IDS, "sentence")[1]
    compare(sentence[0], bert(m.exact(), IDS, HEADS, LAYERS).mean(0))


def test_bert_fills_in_masked_words(tmp_path):
    from forward import BERT
    m = bert_tensors(12, BERT, "encoder.layer.")
    stored = {"bert." + n: a for n, a in m.tensors.items()}
    h = Maker(13)
    p = "cls.predictions."
    h.linear(p + "transform.dense", WIDTH, WIDTH)
    h.norm(p + "transform.LayerNorm")
    h.weight(p + "bias", WORDS)
    write_torch(tmp_path / "pytorch_model.bin", {**stored, **h.tensors})
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "##s", "run", ".", "do", "##g"]
    vocabulary = {word: i for i, word in enumerate(pieces + [f"w{i}" for i in range(WORDS - len(pieces))])}
    tokenizer = {
        "added_tokens": [{"id": i, "content": pieces[i], "special": True} for i in range(5)],
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                       "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "TemplateProcessing", "single": [
            {"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
            {"SpecialToken": {"id": "[SEP]", "type_id": 0}}]},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": vocabulary}}
    (tmp_path / "tokenizer.json").write_text(json.dumps(tokenizer))
    settings = config(tmp_path, model_type="bert", num_attention_heads=HEADS)
    attend("import", tmp_path / "pytorch_model.bin", settings, tmp_path / "tokenizer.json", "--to", tmp_path / "d.json")
    answer = attend("write", tmp_path / "d.json", "--prompt", "The Dógs [MASK], cats.")
    assert answer["tokens"] == ["[CLS]", "the", "do", "##g", "##s", "[MASK]", "[UNK]", "cat", "##s", ".", "[SEP]"]
    x = bert(m.exact(), answer["ids"], HEADS, LAYERS)
    w = h.exact()
    x = gelu(x @ w[p + "transform.dense.weight"].T + w[p + "transform.dense.bias"])
    x = layer_norm(x, w[p + "transform.LayerNorm.weight"], w[p + "transform.LayerNorm.bias"], 1e-12)
    logits = x @ m.exact()["embeddings.word_embeddings.weight"].T + w[p + "bias"]
    place = answer["masked"][0]
    assert answer["ids"][place["row"]] == 4
    probability = np.exp(logits[place["row"]] - logits[place["row"]].max())
    probability /= probability.sum()
    for one in place["words"]:
        assert abs(one["probability"] - probability[one["id"]]) < 1e-4


def test_distilbert(tmp_path):
    m = bert_tensors(14, DISTILBERT, "transformer.layer.", types=False)
    write_safetensors(tmp_path / "model.safetensors", {"distilbert." + n: a for n, a in m.tensors.items()}, "F32")
    settings = config(tmp_path, model_type="distilbert", n_heads=HEADS, dim=WIDTH)
    found = imported(tmp_path, [tmp_path / "model.safetensors", settings], IDS, f"layer-{LAYERS - 1}")[1]
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
    compare(imported(tmp_path, files, output="norm", image=picture)[1], x)
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
    found = imported(tmp_path, [tmp_path / "model.safetensors", settings], output="norm", image=picture)[1]
    compare(found, vit_timm(m.exact(), picture.astype(np.float64), HEADS, LAYERS))


# What is wrong, and in which file.

@pytest.mark.parametrize("change, words", [
    ({"n_embd": 99}, ["config.json", "n_embd", "99", "24"]),
    ({"n_layer": 3}, ["config.json", "n_layer"]),
    ({"n_head": 5}, ["model.safetensors", "c_attn"]),
    ({"n_head": None}, ["number of heads", "config.json", "n_head"]),
    ({"model_type": "mamba"}, ["model_type", "mamba", "gpt2"]),
    ({"activation_function": "snake"}, ["snake", "activation_function"])])
def test_a_config_that_contradicts_its_tensors_is_refused(tmp_path, change, words):
    write_safetensors(tmp_path / "model.safetensors", gpt2_tensors(20)[0])
    settings = config(tmp_path, **{k: v for k, v in (GPT2 | change).items() if v is not None})
    message = attend("import", tmp_path / "model.safetensors", settings, "--to", tmp_path / "d.json", refused=True)
    for word in words:
        assert word in message, message
    assert not (tmp_path / "d.json").exists() and not (tmp_path / "d.safetensors").exists()


def test_nan_is_named_by_its_tensor_and_nothing_is_left(tmp_path):
    stored = gpt2_tensors(21)[0]
    stored["h.1.mlp.c_fc.weight"][3, 5] = np.nan
    write_safetensors(tmp_path / "model.safetensors", stored)
    settings = config(tmp_path, **GPT2)
    message = attend("import", tmp_path / "model.safetensors", settings, "--to", tmp_path / "d.json", refused=True)
    assert "h.1.mlp.c_fc.weight" in message and "NaN" in message and str(3 * HIDDEN + 5) in message
    assert sorted(p.name for p in tmp_path.iterdir()) == ["config.json", "model.safetensors"]


def test_a_missing_tensor_is_named(tmp_path):
    stored = gpt2_tensors(22)[0]
    del stored["h.1.ln_2.weight"]
    write_safetensors(tmp_path / "model.safetensors", stored)
    message = attend("import", tmp_path / "model.safetensors", config(tmp_path, **GPT2), "--to", tmp_path / "d.json",
                     refused=True)
    assert "h.1.ln_2.weight" in message and "missing" in message


def test_the_tokenizer_of_another_model_is_refused(tmp_path):
    write_llama2c(tmp_path / "model.bin", SIZES, llama2c_tensors(23).tensors)
    write_llama2c_tokenizer(tmp_path / "tok40.bin", scored_pieces(40))
    message = attend("import", tmp_path / "model.bin", tmp_path / "tok40.bin", "--to", tmp_path / "d.json", refused=True)
    assert "tok40.bin" in message and "40" in message and "23" in message


def test_two_models_at_once_are_refused(tmp_path):
    write_safetensors(tmp_path / "a.safetensors", gpt2_tensors(24)[0])
    write_safetensors(tmp_path / "b.safetensors", gpt2_tensors(25)[0])
    message = attend("import", tmp_path / "a.safetensors", tmp_path / "b.safetensors", "--to", tmp_path / "d.json",
                     refused=True)
    assert "a.safetensors" in message and "b.safetensors" in message


def test_a_text_longer_than_the_positions_is_refused(tmp_path):
    write_safetensors(tmp_path / "model.safetensors", gpt2_tensors(26)[0])
    attend("import", tmp_path / "model.safetensors", config(tmp_path, **GPT2), "--to", tmp_path / "d.json")
    message = attend("write", tmp_path / "d.json", "--ids", json.dumps([1] * (LENGTH + 1)), refused=True)
    assert str(LENGTH + 1) in message and str(LENGTH) in message

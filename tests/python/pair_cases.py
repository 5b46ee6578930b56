# SPDX-License-Identifier: Apache-2.0
"""Small random checkpoints of T5 and of models like BART, for the tests of models with an encoder and a decoder."""
import json

import numpy as np
from checkpoints import write_safetensors
from import_cases import HEADS, HIDDEN, WIDTH, WORDS, Maker, attend, config

SOURCE, TARGET = [3, 14, 5, 7, 7, 19, 1], [0, 9, 4, 17]
T5 = {"model_type": "t5", "d_model": WIDTH, "num_heads": HEADS, "vocab_size": WORDS, "d_kv": 5, "d_ff": HIDDEN,
      "num_layers": 2, "num_decoder_layers": 3, "decoder_start_token_id": 0, "eos_token_id": 1, "pad_token_id": 0,
      "relative_attention_num_buckets": 8, "relative_attention_max_distance": 12}
MARIAN = {"model_type": "marian", "encoder_attention_heads": HEADS, "decoder_attention_heads": HEADS,
          "activation_function": "swish", "scale_embedding": True, "decoder_start_token_id": WORDS - 1,
          "eos_token_id": 0, "pad_token_id": WORDS - 1, "max_position_embeddings": 32}
BART = {"model_type": "bart", "encoder_attention_heads": HEADS, "decoder_attention_heads": HEADS,
        "activation_function": "gelu", "decoder_start_token_id": 2, "eos_token_id": 2, "pad_token_id": 1,
        "max_position_embeddings": 16}


def t5_tensors(seed, gated=False, own=False, head=False, inner=5 * HEADS, layers=(2, 3), buckets=8):
    m = Maker(seed)
    m.weight("shared.weight", WORDS, WIDTH, size=0.5)

    def att(p):
        for c in "qkv":
            m.weight(f"{p}.{c}.weight", inner, WIDTH)
        m.weight(p + ".o.weight", WIDTH, inner)
    for side, count in zip(("encoder", "decoder"), layers):
        for i in range(count):
            p = f"{side}.block.{i}.layer."
            att(p + "0.SelfAttention")
            if i == 0 or own:
                m.weight(p + "0.SelfAttention.relative_attention_bias.weight", buckets, HEADS, size=1)
            m.norm(p + "0.layer_norm", bias=False)
            if side == "decoder":
                att(p + "1.EncDecAttention")
                m.norm(p + "1.layer_norm", bias=False)
            last = p + ("2" if side == "decoder" else "1")
            for name in ("wi_0", "wi_1") if gated else ("wi",):
                m.weight(f"{last}.DenseReluDense.{name}.weight", HIDDEN, WIDTH)
            m.weight(last + ".DenseReluDense.wo.weight", WIDTH, HIDDEN)
            m.norm(last + ".layer_norm", bias=False)
        m.norm(side + ".final_layer_norm", bias=False)
    if head:
        m.weight("lm_head.weight", WORDS, WIDTH)
    return m


def bart_tensors(seed, kind="bart", rows=18, words=None, head=False):
    """`words`: the decoder has a table of its own, of so many words."""
    m = Maker(seed)
    if words:
        m.weight("encoder.embed_tokens.weight", WORDS, WIDTH)
        m.weight("decoder.embed_tokens.weight", words, WIDTH)
    else:
        m.weight("shared.weight", WORDS, WIDTH)
    for side, count in (("encoder", 2), ("decoder", 3)):
        if rows:
            m.weight(side + ".embed_positions.weight", rows, WIDTH)
        if kind in ("bart", "mbart"):
            m.norm(side + ".layernorm_embedding")
        if kind in ("mbart", "pegasus"):
            m.norm(side + ".layer_norm")
        for i in range(count):
            p = f"{side}.layers.{i}."
            for att in ("self_attn", "encoder_attn")[:2 if side == "decoder" else 1]:
                for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
                    m.linear(p + att + "." + name, WIDTH, WIDTH)
                m.norm(p + att + "_layer_norm")
            m.linear(p + "fc1", HIDDEN, WIDTH)
            m.linear(p + "fc2", WIDTH, HIDDEN)
            m.norm(p + "final_layer_norm")
    m.weight("final_logits_bias", 1, words or WORDS)
    if head:
        m.weight("lm_head.weight", words or WORDS, WIDTH)
    return m


def stored(folder, tensors, members, prefix=""):
    """The files of a model: its body behind the prefix, its heads without one."""
    heads = ("lm_head", "final_logits_bias")
    write_safetensors(folder / "model.safetensors",
                      {(name if name.startswith(heads) else prefix + name): a for name, a in tensors.items()})
    return [folder / "model.safetensors", config(folder, **members)]


def computed(folder, files, source, target, output="predict.logits"):
    """The report of the import and an output for these tokens."""
    to = folder / "document.json"
    report = attend("import", *files, "--to", to)
    document = json.loads(to.read_text())
    for name, ids in (("source", source), ("target", target)):
        document["inputs"][name] = {"shape": [len(ids), 1], "data": ids}
    document["outputs"] = [output]
    to.write_text(json.dumps(document))
    result = attend("run", to)["outputs"][output]
    return report, np.array(result["data"]).reshape(result["shape"])

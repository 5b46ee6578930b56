# SPDX-License-Identifier: Apache-2.0
"""`attend import`: GPT-2 and BERT as GGUF has them, by llama.cpp's names, with matrices that are [out in]."""
import pytest
from checkpoints import write_gguf
from forward import BERT, bert, gpt2
from import_cases import (HEADS, HIDDEN, IDS, LAYERS, LENGTH, WIDTH, bert_tensors, compare, gpt2_tensors, imported)

OF_GPT2 = {"wte": "token_embd", "wpe": "position_embd", "ln_f": "output_norm", "lm_head": "output", "ln_1": "attn_norm",
           "attn.c_attn": "attn_qkv", "attn.c_proj": "attn_output", "ln_2": "ffn_norm", "mlp.c_fc": "ffn_up",
           "mlp.c_proj": "ffn_down"}
OF_BERT = dict(zip(BERT, ("attn_q", "attn_k", "attn_v", "attn_output", "attn_output_norm", "ffn_up", "ffn_down",
                          "layer_output_norm")))
OF_BERT |= {"embeddings.word_embeddings": "token_embd", "embeddings.position_embeddings": "position_embd",
            "embeddings.token_type_embeddings": "token_types", "embeddings.LayerNorm": "token_embd_norm"}


def renamed(tensors, folder, names):
    """{name: array}, without what GGUF leaves out."""
    found = {}
    for name, array in tensors.items():
        part, _, kind = name.rpartition(".")
        layer = ""
        if part.startswith(folder):
            number, _, part = part.removeprefix(folder).partition(".")
            layer = f"blk.{number}."
        if part in names:
            found[f"{layer}{names[part]}.{kind}"] = array
    return found


def settings(family, **more):
    return {"general.architecture": family, f"{family}.embedding_length": WIDTH, f"{family}.block_count": LAYERS,
            f"{family}.context_length": LENGTH, f"{family}.feed_forward_length": HIDDEN,
            f"{family}.attention.head_count": HEADS, **{f"{family}.{key}": value for key, value in more.items()}}


@pytest.mark.parametrize("own_output", [True, False])
def test_gpt2(tmp_path, own_output):
    stored, exact = gpt2_tensors(31, linear=True)
    if not own_output:
        del stored["lm_head.weight"]
        exact["lm_head.weight"] = exact["wte.weight"]
    write_gguf(tmp_path / "model.gguf", settings("gpt2", **{"attention.layer_norm_epsilon": 1e-5}),
               renamed(stored, "h.", OF_GPT2))
    report, found = imported(tmp_path, [tmp_path / "model.gguf"], IDS)
    assert report["architecture"] == "gpt2" and report["left"] == []
    assert report["title"].startswith("GPT-2")
    assert report["tied"] == ([] if own_output else ["predict.W_c"])
    compare(found, gpt2(exact, IDS, HEADS, linear=True))


def test_bert(tmp_path):
    m = bert_tensors(32, BERT, "encoder.layer.")
    write_gguf(tmp_path / "model.gguf",
               settings("bert", **{"attention.layer_norm_epsilon": 1e-12, "attention.causal": False}),
               renamed(m.tensors, "encoder.layer.", OF_BERT))
    report, found = imported(tmp_path, [tmp_path / "model.gguf"], IDS, f"layer-{LAYERS}.output")
    assert report["architecture"] == "bert" and report["left"] == []
    compare(found, bert(m.exact(), IDS, HEADS, LAYERS))

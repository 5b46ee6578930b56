# SPDX-License-Identifier: Apache-2.0
"""`attend import`: further families that read a whole text at once: RoBERTa, ELECTRA, ALBERT, MPNet, ModernBERT,
DINOv2."""
import json

import numpy as np
import pytest
import torch.nn.functional as F
import torch_families as by_torch
from checkpoints import write_safetensors
from family_cases import (ALBERT, BERT, GROUP, MPNET, NARROW, albert_tensors, dinov2_tensors, electra_tensors,
                          modernbert_tensors, mpnet_tensors, nomic_tensors, roberta_tensors)
from import_cases import HEADS, HIDDEN, IDS, LAYERS, LENGTH, WIDTH, compare, config, imported
from test_import_families import check, precise, refused
from torch_families import Weights


def masked(m, rows, dense, norm, bias, table, eps):
    """What a head for masked words gives for the rows behind the last layer."""
    w = Weights(m.exact())
    return w.layer_norm(F.gelu(w.linear(rows, dense)), norm, eps) @ w[table].T + w[bias]


@pytest.mark.parametrize("kind, prefix", [("roberta", "roberta."), ("xlm-roberta", ""), ("camembert", "roberta."),
                                          (None, "")])
def test_roberta(tmp_path, kind, prefix):
    m = roberta_tensors(81, prefix)
    rows = by_torch.reader(m.exact(), IDS, HEADS, BERT, "encoder.layer.{}.", 2, 1e-5, body=prefix)
    expected = masked(m, rows, "lm_head.dense", "lm_head.layer_norm", "lm_head.bias",
                      prefix + "embeddings.word_embeddings.weight", 1e-5)
    settings = {"num_attention_heads": HEADS, **({"model_type": kind, "pad_token_id": 1, "layer_norm_eps": 1e-5,
                                                  "max_position_embeddings": LENGTH} if kind else {})}
    report = check(tmp_path, m.tensors, settings, expected, "")
    assert report["sizes"]["length"] == LENGTH - 2
    header = (tmp_path / "document.safetensors").read_bytes()
    writes = json.loads(json.loads(header[8:8 + int.from_bytes(header[:8], "little")])["__metadata__"]["writes"])
    assert writes["mask"] == "<mask>" and writes["length"] == LENGTH - 2


def test_the_body_of_roberta_alone(tmp_path):
    m = roberta_tensors(82, "")
    m.tensors = {name: array for name, array in m.tensors.items() if not name.startswith("lm_head")}
    rows = by_torch.reader(m.exact(), IDS, HEADS, BERT, "encoder.layer.{}.", 2, 1e-5)
    check(tmp_path, m.tensors, {"model_type": "roberta", "num_attention_heads": HEADS, "pad_token_id": 1}, rows, "",
          f"layer-{LAYERS}.output")


def test_bert_counts_positions_from_the_first(tmp_path):
    m = roberta_tensors(83, "")
    rows = by_torch.reader(m.exact(), IDS, HEADS, BERT, "encoder.layer.{}.")
    check(tmp_path, {name: array for name, array in m.tensors.items() if not name.startswith("lm_head")},
          {"model_type": "bert", "num_attention_heads": HEADS, "pad_token_id": 1}, rows, "", f"layer-{LAYERS}.output")


ELECTRA = {"model_type": "electra", "num_attention_heads": HEADS, "embedding_size": NARROW}


def test_electra_generates(tmp_path):
    m = electra_tensors(84, True)
    rows = by_torch.reader(m.exact(), IDS, HEADS, BERT, "encoder.layer.{}.", body="electra.")
    expected = masked(m, rows, "generator_predictions.dense", "generator_predictions.LayerNorm",
                      "generator_lm_head.bias", "electra.embeddings.word_embeddings.weight", 1e-12)
    check(tmp_path, m.tensors, ELECTRA, expected, "")
    refused(tmp_path, m.tensors, {**ELECTRA, "embedding_size": NARROW + 1}, "embedding_size")
    for end in ("weight", "bias"):
        del m.tensors["electra.embeddings_project." + end]
    refused(tmp_path, m.tensors, ELECTRA, "embeddings_project.weight")


def test_electra_discriminates(tmp_path):
    m = electra_tensors(85, False)
    w = Weights(m.exact())
    rows = by_torch.reader(m.exact(), IDS, HEADS, BERT, "encoder.layer.{}.", body="electra.")
    expected = w.linear(F.gelu(w.linear(rows, "discriminator_predictions.dense")),
                        "discriminator_predictions.dense_prediction")
    check(tmp_path, m.tensors, ELECTRA, expected, "", "replaced.output")


def test_albert_repeats_one_layer(tmp_path):
    m = albert_tensors(86)
    rows = by_torch.reader(m.exact(), IDS, HEADS, ALBERT, GROUP, body="albert.", act="gelu_new", layers=3)
    w = Weights(m.exact())
    expected = w.layer_norm(by_torch.ACT["gelu_new"](w.linear(rows, "predictions.dense")), "predictions.LayerNorm",
                            1e-12) @ w["albert.embeddings.word_embeddings.weight"].T + w["predictions.bias"]
    settings = {"model_type": "albert", "num_attention_heads": HEADS, "num_hidden_layers": 3, "hidden_act": "gelu_new",
                "embedding_size": NARROW, "intermediate_size": HIDDEN, "num_hidden_groups": 1, "inner_group_num": 1}
    check(tmp_path, m.tensors, settings, expected, "")
    refused(tmp_path, m.tensors, {**settings, "num_hidden_groups": 2}, "num_hidden_groups")
    refused(tmp_path, m.tensors, {k: v for k, v in settings.items() if k != "num_hidden_layers"}, "num_hidden_layers")


def test_mpnet(tmp_path):
    m = mpnet_tensors(87)
    ids = [*IDS, 5, 9, 1, 20, 11, 8]  # so many that distances share buckets
    bias = by_torch.distance_bias(m.exact()["encoder.relative_attention_bias.weight"], len(ids))
    rows = by_torch.reader(m.exact(), ids, HEADS, MPNET, "encoder.layer.{}.", 2, 1e-5, bias)
    expected = masked(m, rows, "lm_head.dense", "lm_head.layer_norm", "lm_head.bias",
                      "embeddings.word_embeddings.weight", 1e-5)
    settings = {"model_type": "mpnet", "num_attention_heads": HEADS, "layer_norm_eps": 1e-5, "pad_token_id": 1,
                "relative_attention_num_buckets": 8, "max_position_embeddings": LENGTH}
    check(tmp_path, m.tensors, settings, expected, "", ids=ids)


@pytest.mark.parametrize("kinds", [
    {"global_rope_theta": 5000.0, "local_rope_theta": 50.0, "global_attn_every_n_layers": 2},
    {"layer_types": ["full_attention", "sliding_attention", "full_attention"],
     "rope_parameters": {"full_attention": {"rope_theta": 5000.0, "rope_type": "default"},
                         "sliding_attention": {"rope_theta": 50.0, "rope_type": "default"}}}])
def test_modernbert(tmp_path, kinds):
    m = modernbert_tensors(88)
    body = {name.removeprefix("model."): array for name, array in m.exact().items()}
    rows = by_torch.modernbert(body, IDS, HEADS, 2, 4, (5000.0, 50.0))
    w = Weights(m.exact())
    expected = w.layer_norm(F.gelu(w.linear(rows, "head.dense")), "head.norm") \
        @ w["model.embeddings.tok_embeddings.weight"].T + w["decoder.bias"]
    settings = {"model_type": "modernbert", "num_attention_heads": HEADS, "local_attention": 4, "norm_eps": 1e-5,
                "hidden_activation": "gelu", **kinds}
    check(tmp_path, m.tensors, settings, expected, "")
    refused(tmp_path, m.tensors, {**settings, "layer_types": ["full_attention"]}, "layer_types")


def test_nomic_bert(tmp_path):
    m = nomic_tensors(93)
    settings = {"model_type": "nomic_bert", "n_head": HEADS, "n_embd": WIDTH, "n_inner": HIDDEN, "prenorm": False,
                "rotary_emb_base": 1000, "rotary_emb_fraction": 1.0, "rotary_emb_interleaved": False,
                "rotary_emb_scale_base": None, "activation_function": "swiglu", "causal": False}
    expected = by_torch.nomic(m.exact(), IDS, HEADS, 1000.0)
    check(tmp_path, m.tensors, settings, expected, "", f"layer-{LAYERS}.output")
    refused(tmp_path, m.tensors, {**settings, "rotary_emb_scale_base": 512}, "rotary_emb_scale_base")
    refused(tmp_path, m.tensors, {**settings, "prenorm": True}, "prenorm")


DINO = {"model_type": "dinov2", "num_attention_heads": HEADS, "layer_norm_eps": 1e-6, "image_size": 8, "patch_size": 4}


def test_dinov2(tmp_path):
    m = dinov2_tensors(90)
    picture = np.random.default_rng(91).uniform(-1, 1, (8, 8, 3)).astype(np.float32)
    write_safetensors(tmp_path / "model.safetensors", m.tensors)
    files = [tmp_path / "model.safetensors", config(tmp_path, **DINO)]
    report, found = imported(tmp_path, files, output="norm.output", image=picture)
    expected = by_torch.dinov2(m.exact(), picture.astype(np.float64), HEADS).numpy()
    assert report["left"] == []
    compare(found, expected)
    # The factors are multiplied into float32 matrices, which are rounded then.
    compare(precise(tmp_path, "norm.output"), expected, 1e-6)
    m.weight("classifier.weight", 5, 2 * WIDTH)
    refused(tmp_path, m.tensors, DINO, "classifier.weight", "mean of the patches")


def test_the_distillation_token_of_deit_is_refused(tmp_path):
    m, name = dinov2_tensors(92), "embeddings.distillation_token"
    m.weight(name, 1, 1, WIDTH)
    refused(tmp_path, m.tensors, {**DINO, "model_type": "deit"}, name, "distillation token")

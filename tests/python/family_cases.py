# SPDX-License-Identifier: Apache-2.0
"""Small checkpoints of further families with random numbers, by the names and shapes of their published releases."""
import numpy as np
from import_cases import HEADS, HIDDEN, LAYERS, LENGTH, WIDTH, WORDS, Maker, bert_tensors, llama_tensors

NARROW = 10


def gemma_tensors(seed, groups, head, kind):
    """The scales of Gemma's norms are stored without the 1 that is added."""
    m = llama_tensors(seed, groups, norms=kind == 3, head=head)
    for i in range(LAYERS if kind > 1 else 0):
        for name in ("pre_feedforward_layernorm", "post_feedforward_layernorm"):
            m.norm(f"layers.{i}.{name}", bias=False)
    for name in [name for name in m.tensors if "norm" in name]:
        m.tensors[name] -= 1
    return m


def stablelm_tensors(seed, groups, parallel, bias):
    m = llama_tensors(seed, groups, bias)
    m.weight("norm.bias", WIDTH)
    m.weight("lm_head.weight", WORDS, WIDTH)
    for i in range(LAYERS):
        m.weight(f"layers.{i}.input_layernorm.bias", WIDTH)
        m.weight(f"layers.{i}.post_attention_layernorm.bias", WIDTH)
        if parallel:
            for end in ("weight", "bias"):
                del m.tensors[f"layers.{i}.post_attention_layernorm.{end}"]
    return m


def olmo_tensors(seed, groups, second):
    m = llama_tensors(seed, groups)
    m.weight("lm_head.weight", WORDS, WIDTH)
    if not second:
        m.tensors = {name: array for name, array in m.tensors.items() if "norm" not in name}
        return m
    for i in range(LAYERS):
        del m.tensors[f"layers.{i}.input_layernorm.weight"]
        m.norm(f"layers.{i}.post_feedforward_layernorm", bias=False)
        m.norm(f"layers.{i}.self_attn.q_norm", bias=False)
        m.norm(f"layers.{i}.self_attn.k_norm", WIDTH // HEADS * groups, bias=False)
    return m


def phi_tensors(seed, groups):
    m = Maker(seed)
    m.weight("embed_tokens.weight", WORDS, WIDTH)
    for i in range(LAYERS):
        p = f"layers.{i}."
        for name, outer in (("q_proj", WIDTH), ("k_proj", WIDTH // HEADS * groups), ("v_proj", WIDTH // HEADS * groups),
                            ("dense", WIDTH)):
            m.linear(p + "self_attn." + name, outer, WIDTH)
        m.linear(p + "mlp.fc1", HIDDEN, WIDTH)
        m.linear(p + "mlp.fc2", WIDTH, HIDDEN)
        m.norm(p + "input_layernorm")
    m.norm("final_layernorm")
    m.linear("lm_head", WORDS, WIDTH)
    return m


def phi3_tensors(seed, groups):
    m = Maker(seed)
    m.weight("embed_tokens.weight", WORDS, WIDTH)
    for i in range(LAYERS):
        p = f"layers.{i}."
        m.linear(p + "self_attn.qkv_proj", WIDTH // HEADS * (HEADS + 2 * groups), WIDTH, False)
        m.linear(p + "self_attn.o_proj", WIDTH, WIDTH, False)
        m.linear(p + "mlp.gate_up_proj", 2 * HIDDEN, WIDTH, False)
        m.linear(p + "mlp.down_proj", WIDTH, HIDDEN, False)
        m.norm(p + "input_layernorm", bias=False)
        m.norm(p + "post_attention_layernorm", bias=False)
    m.norm("norm", bias=False)
    m.weight("lm_head.weight", WORDS, WIDTH)
    return m


def gptj_tensors(seed):
    m = Maker(seed)
    m.weight("wte.weight", WORDS, WIDTH)
    for i in range(LAYERS):
        p = f"h.{i}."
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            m.linear(p + "attn." + name, WIDTH, WIDTH, False)
        m.linear(p + "mlp.fc_in", HIDDEN, WIDTH)
        m.linear(p + "mlp.fc_out", WIDTH, HIDDEN)
        m.norm(p + "ln_1")
        m.tensors[p + "attn.masked_bias"] = np.full((1,), -1e9, np.float32)
    m.norm("ln_f")
    m.linear("lm_head", WORDS, WIDTH)
    return m


def codegen_tensors(seed):
    m = gptj_tensors(seed)
    for i in range(LAYERS):
        for name in ("q_proj", "k_proj", "v_proj"):
            del m.tensors[f"h.{i}.attn.{name}.weight"]
        m.linear(f"h.{i}.attn.qkv_proj", 3 * WIDTH, WIDTH, False)
        m.tensors[f"h.{i}.attn.causal_mask"] = np.tril(np.ones((1, 1, LENGTH, LENGTH), np.float32))
    return m


def gpt_tensors(seed):
    m = Maker(seed)
    m.weight("tokens_embed.weight", WORDS, WIDTH)
    m.weight("positions_embed.weight", LENGTH, WIDTH)
    for i in range(LAYERS):
        for name, inner, outer in (("attn.c_attn", WIDTH, 3 * WIDTH), ("attn.c_proj", WIDTH, WIDTH),
                                   ("mlp.c_fc", WIDTH, 4 * WIDTH), ("mlp.c_proj", 4 * WIDTH, WIDTH)):
            m.weight(f"h.{i}.{name}.weight", inner, outer)
            m.weight(f"h.{i}.{name}.bias", outer)
        m.norm(f"h.{i}.ln_1")
        m.norm(f"h.{i}.ln_2")
    return m


def opt_tensors(seed, before=True, narrow=None):
    m = Maker(seed)
    m.weight("embed_tokens.weight", WORDS, narrow or WIDTH)
    m.weight("embed_positions.weight", LENGTH + 2, WIDTH)
    if narrow:
        m.linear("project_in", WIDTH, narrow, False)
        m.linear("project_out", narrow, WIDTH, False)
    for i in range(LAYERS):
        p = f"layers.{i}."
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            m.linear(p + "self_attn." + name, WIDTH, WIDTH)
        m.linear(p + "fc1", HIDDEN, WIDTH)
        m.linear(p + "fc2", WIDTH, HIDDEN)
        m.norm(p + "self_attn_layer_norm")
        m.norm(p + "final_layer_norm")
    if before:
        m.norm("final_layer_norm")
    return m


def bloom_tensors(seed, heads, width):
    m = Maker(seed)
    m.weight("word_embeddings.weight", WORDS, width)
    m.norm("word_embeddings_layernorm", width)
    for i in range(LAYERS):
        p = f"h.{i}."
        m.linear(p + "self_attention.query_key_value", 3 * width, width)
        m.linear(p + "self_attention.dense", width, width)
        m.linear(p + "mlp.dense_h_to_4h", 4 * width, width)
        m.linear(p + "mlp.dense_4h_to_h", width, 4 * width)
        m.norm(p + "input_layernorm", width)
        m.norm(p + "post_attention_layernorm", width)
    m.norm("ln_f", width)
    return m


def falcon_tensors(seed, groups, norms, parallel=True, bias=False):
    m = Maker(seed)
    m.weight("word_embeddings.weight", WORDS, WIDTH)
    for i in range(LAYERS):
        p = f"h.{i}."
        m.linear(p + "self_attention.query_key_value", WIDTH // HEADS * (HEADS + 2 * groups), WIDTH, bias)
        m.linear(p + "self_attention.dense", WIDTH, WIDTH, bias)
        m.linear(p + "mlp.dense_h_to_4h", 4 * WIDTH, WIDTH, bias)
        m.linear(p + "mlp.dense_4h_to_h", WIDTH, 4 * WIDTH, bias)
        for name in ("ln_attn", "ln_mlp") if norms == 2 else ("input_layernorm",):
            m.norm(p + name)
        if not parallel:
            m.norm(p + "post_attention_layernorm")
    m.norm("ln_f")
    return m


BERT = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
        "attention.output.LayerNorm", "intermediate.dense", "output.dense", "output.LayerNorm")
MPNET = ("attention.attn.q", "attention.attn.k", "attention.attn.v", "attention.attn.o", "attention.LayerNorm",
         "intermediate.dense", "output.dense", "output.LayerNorm")
ALBERT = ("attention.query", "attention.key", "attention.value", "attention.dense", "attention.LayerNorm", "ffn",
          "ffn_output", "full_layer_layer_norm")
GROUP = "encoder.albert_layer_groups.0.albert_layers.0."


def with_head(m, dense, norm, bias, inner=WIDTH, outer=WIDTH):
    m.linear(dense, outer, inner)
    m.norm(norm, outer)
    m.weight(bias, WORDS)
    return m


def roberta_tensors(seed, prefix="roberta."):
    """With the head for masked words, whose table is that of the words; one kind of segment."""
    m = bert_tensors(seed, BERT, "encoder.layer.")
    m.tensors["embeddings.token_type_embeddings.weight"] = m.tensors["embeddings.token_type_embeddings.weight"][:1]
    m.tensors = {prefix + name: array for name, array in m.tensors.items()}
    return with_head(m, "lm_head.dense", "lm_head.layer_norm", "lm_head.bias")


def narrow_embeddings(m, prefix):
    for name in ("word_embeddings", "position_embeddings", "token_type_embeddings"):
        m.tensors[f"{prefix}embeddings.{name}.weight"] = m.tensors[f"{prefix}embeddings.{name}.weight"][:, :NARROW]
    m.norm(prefix + "embeddings.LayerNorm", NARROW)


def electra_tensors(seed, generates):
    m = bert_tensors(seed, BERT, "encoder.layer.")
    m.tensors = {"electra." + name: array for name, array in m.tensors.items()}
    narrow_embeddings(m, "electra.")
    m.linear("electra.embeddings_project", WIDTH, NARROW)
    if generates:
        return with_head(m, "generator_predictions.dense", "generator_predictions.LayerNorm", "generator_lm_head.bias",
                         outer=NARROW)
    m.linear("discriminator_predictions.dense", WIDTH, WIDTH)
    m.linear("discriminator_predictions.dense_prediction", 1, WIDTH)
    return m


def albert_tensors(seed):
    m = bert_tensors(seed, ALBERT, "layers.")
    m.tensors = {"albert." + name.replace("layers.0.", GROUP): array for name, array in m.tensors.items()
                 if not name.startswith("layers.1.")}
    narrow_embeddings(m, "albert.")
    m.linear("albert.encoder.embedding_hidden_mapping_in", WIDTH, NARROW)
    m.linear("albert.pooler", WIDTH, WIDTH)
    return with_head(m, "predictions.dense", "predictions.LayerNorm", "predictions.bias", outer=NARROW)


def mpnet_tensors(seed):
    m = bert_tensors(seed, MPNET, "encoder.layer.", types=False)
    m.weight("encoder.relative_attention_bias.weight", 8, HEADS, size=1)
    return with_head(m, "lm_head.dense", "lm_head.layer_norm", "lm_head.bias")


def modernbert_tensors(seed):
    m = Maker(seed)
    m.weight("model.embeddings.tok_embeddings.weight", WORDS, WIDTH)
    m.norm("model.embeddings.norm", bias=False)
    for i in range(3):
        p = f"model.layers.{i}."
        m.linear(p + "attn.Wqkv", 3 * WIDTH, WIDTH, False)
        m.linear(p + "attn.Wo", WIDTH, WIDTH, False)
        m.linear(p + "mlp.Wi", 2 * HIDDEN, WIDTH, False)
        m.linear(p + "mlp.Wo", WIDTH, HIDDEN, False)
        m.norm(p + "mlp_norm", bias=False)
        if i > 0:
            m.norm(p + "attn_norm", bias=False)
    m.norm("model.final_norm", bias=False)
    m.linear("head.dense", WIDTH, WIDTH, False)
    m.norm("head.norm", bias=False)
    m.weight("decoder.bias", WORDS)
    return m


def nomic_tensors(seed):
    m = Maker(seed)
    m.weight("embeddings.word_embeddings.weight", WORDS, WIDTH)
    m.weight("embeddings.token_type_embeddings.weight", 2, WIDTH)
    m.norm("emb_ln")
    for i in range(LAYERS):
        p = f"encoder.layers.{i}."
        m.linear(p + "attn.Wqkv", 3 * WIDTH, WIDTH, False)
        m.linear(p + "attn.out_proj", WIDTH, WIDTH, False)
        m.linear(p + "mlp.fc11", HIDDEN, WIDTH, False)
        m.linear(p + "mlp.fc12", HIDDEN, WIDTH, False)
        m.linear(p + "mlp.fc2", WIDTH, HIDDEN, False)
        m.norm(p + "norm1")
        m.norm(p + "norm2")
    return m


def dinov2_tensors(seed, side=4, image=8):
    m, e = Maker(seed), "embeddings."
    m.weight(e + "cls_token", 1, 1, WIDTH)
    m.weight(e + "mask_token", 1, WIDTH)
    m.weight(e + "position_embeddings", 1, (image // side) ** 2 + 1, WIDTH)
    m.weight(e + "patch_embeddings.projection.weight", WIDTH, 3, side, side)
    m.weight(e + "patch_embeddings.projection.bias", WIDTH)
    for i in range(LAYERS):
        p = f"encoder.layer.{i}."
        for name in ("query", "key", "value"):
            m.linear(p + "attention.attention." + name, WIDTH, WIDTH)
        m.linear(p + "attention.output.dense", WIDTH, WIDTH)
        m.linear(p + "mlp.fc1", HIDDEN, WIDTH)
        m.linear(p + "mlp.fc2", WIDTH, HIDDEN)
        for name in ("1", "2"):
            m.norm(p + "norm" + name)
            m.weight(p + f"layer_scale{name}.lambda1", WIDTH, size=1)
    m.norm("layernorm")
    return m

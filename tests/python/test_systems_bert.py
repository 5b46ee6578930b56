# SPDX-License-Identifier: Apache-2.0
"""BERT hides words as its paper says (section 3.1): the word alone, and never [CLS] or [SEP]. attend64 throughout."""
import torch
from torch.nn import functional as F
from torch_parts import run, system

SPECIAL = {"[CLS]", "[SEP]"}


def tensor_of(result):
    return torch.tensor(result["data"], dtype=torch.float64).reshape(result["shape"])


def drawn_with(seed):
    """What the document of systems/bert.json makes of its words with another seed, and its parameters."""
    asked = ["word.picked", "word.output", "segment.output", "row.output"]
    found = run({**system("bert"), "seed": seed, "outputs": asked})
    outputs, parameters = found["outputs"], found["parameters"]
    return ([tensor_of(outputs[one]) for one in asked],
            {name: tensor_of(value) for name, value in parameters.items() if name.startswith(("word.", "row."))})


def test_a_special_token_is_never_picked_and_every_other_word_may_be():
    tokens = system("bert")["inputs"]["tokens"]["tokens"]
    often = torch.zeros(len(tokens), dtype=torch.float64)
    for seed in range(1, 101):
        often += drawn_with(seed)[0][0]
    assert not any(often[i] for i, word in enumerate(tokens) if word in SPECIAL)
    ordinary = [often[i].item() for i, word in enumerate(tokens) if word not in SPECIAL]
    assert min(ordinary) > 0  # a word escapes a hundred draws once in ten million times
    assert 80 < sum(ordinary) < 160  # of 800, about 15 %


def test_a_hidden_word_keeps_its_segment_and_its_position():
    hidden = 0
    for seed in range(1, 31):
        (picked, word, segment, row), p = drawn_with(seed)
        summed = F.layer_norm(word + segment + p["row.P"][:len(word)], word.shape[1:], p["row.gamma"], p["row.beta"])
        assert torch.allclose(row, summed, atol=1e-12)
        known = torch.cat([p["word.x_mask"][None], p["word.E"][3:]])  # [MASK], and the words of the text
        for i in range(len(picked)):
            assert torch.isclose(word[i], known, atol=1e-12).all(1).any()
            masked = torch.equal(word[i], p["word.x_mask"])
            assert picked[i] or not masked
            hidden += masked
    assert hidden > 10

# SPDX-License-Identifier: Apache-2.0
"""What the systems of hidden words, next words and purchases say after "Try this", done with the weights that ship."""
import json
import os

import numpy as np
import pytest
from judge import ROOT
from test_learned_systems import lines, with_weights


def promised(name, sentence):
    with open(os.path.join(ROOT, "systems", name + ".json"), encoding="utf-8") as file:
        assert sentence in json.load(file)["says"]
    return with_weights(name)


def written(document):
    return lines("write", "-", text=json.dumps(document))[0]


def output(document, name):
    tensor = lines("run", "-", text=json.dumps({**document, "outputs": [name]}))[0]["outputs"][name]
    return np.array(tensor["data"]).reshape(tensor["shape"])


def with_words(document, **texts):
    inputs = {**document["inputs"], **{name: {"tokens": text.split()} for name, text in texts.items()}}
    return {**document, "inputs": inputs}


def test_bert_finds_another_word_that_is_hidden_and_its_row_attends_to_the_subject():
    document = promised("bert", "hide a different word and see what its row attends to")
    shown = "[CLS] the {} near the {} {} . [SEP] tonight {} {} old . [SEP]"
    segments = "A " * 9 + "B " * 6
    for subject, other, *forms in (("ducks", "horse", "quack", "they", "are"), ("owl", "cats", "hoots", "it", "is")):
        whole = shown.format(subject, other, *forms)
        for hidden in range(3):
            read = shown.format(subject, other, *["[MASK]" if k == hidden else one for k, one in enumerate(forms)])
            told = written(with_words(document, source=read, segments=segments, target=whole))
            assert told["tokens"] == told["task"]["right"] == whole.split()
        at = whole.split().index(forms[0])
        read = with_words(document, source=shown.format(subject, other, "[MASK]", "[MASK]", "[MASK]"),
                          segments=segments, target=whole)
        rows = [output(read, f"layer-{layer}.weights")[:, at] for layer in (1, 2)]
        assert 2 in [int(np.argmax(row)) for layer in rows for row in layer]


def test_the_order_of_two_purchases_matters_to_bert4rec():
    document = promised("bert4rec", "exchange two purchases and see whether the order matters")
    bought = document["inputs"]["source"]["tokens"]
    told = written(document)
    assert told["tokens"] == told["task"]["right"]
    answers = set()
    for i in range(len(bought)):
        for j in range(i):
            if "[MASK]" in (bought[i], bought[j]):
                continue
            other = list(bought)
            other[i], other[j] = other[j], other[i]
            answers.add(written(with_words(document, source=" ".join(other)))["tokens"][bought.index("[MASK]")])
    assert len(answers) > 1


def test_no_word_precedes_the_first_row_of_lstmn():
    document = promised("lstmn", "look at the first row; no word precedes it, so its weights are zeros")
    weights = output(document, "reader.weights")
    assert not weights[0].any() and np.allclose(weights[1:].sum(1), 1, atol=1e-5)


@pytest.mark.parametrize("noun, verb", [("dogs", "bark"), ("dog", "barks"), ("clock", "ticks"), ("lions", "roar")])
def test_a_word_of_the_memory_of_transformer_xl_decides(noun, verb):
    document = promised("transformer-xl-lm", "change a word of the memory")
    read = with_words(document, memory=f"the {noun} near the house {verb} .", source="today")
    assert written(read)["tokens"] == ["they" if noun.endswith("s") else "it"]
    read = with_words(document, memory=f"the {noun} near the house {verb} .",
                      source=f"today {'they' if noun.endswith('s') else 'it'} always")
    assert written(read)["tokens"] == [verb]


def test_linformer_has_as_many_rows_as_its_rank():
    document = promised("linformer-lm", "keys and values are mixed into a few rows before any query")
    rank = document["model"][3]["core"]["rank"]
    assert output(document, "layer.weights").shape[-2:] == (len(document["inputs"]["source"]["tokens"]), rank)

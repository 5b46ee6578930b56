# SPDX-License-Identifier: Apache-2.0
"""What the files of systems/ say one can try, done with the trained documents and the weights that ship."""
import copy
import json
import os

import numpy as np
from judge import ROOT
from test_learned_systems import lines, with_weights


def promised(name, sentence):
    """The trained document of a system whose file says this; a test of other words is no test of these."""
    with open(os.path.join(ROOT, "systems", f"{name}.json"), encoding="utf-8") as file:
        assert sentence in json.load(file)["says"]
    return with_weights(name)


def found(document, *names):
    """The outputs of these names, in their order."""
    out = lines("run", "-", text=json.dumps({**document, "outputs": list(names)}))[0]["outputs"]
    arrays = [np.array(out[name]["data"]).reshape(out[name]["shape"]) for name in names]
    return arrays if len(arrays) > 1 else arrays[0]


def changed(document, **inputs):
    """The same with other words in some inputs."""
    other = copy.deepcopy(document)
    for name, words in inputs.items():
        other["inputs"][name]["tokens"] = words
    return other


def module(document, name):
    return next(one for one in document["model"] if one["name"] == name)


def words_of(document, name="source"):
    return document["inputs"][name]["tokens"]


def test_bidaf_without_the_person_does_not_find_where_she_is():
    document = promised("bidaf", "remove a word of the question and see which words of the text lose weight")
    asked, place = words_of(document, "question"), words_of(document).index("bedroom")
    with_her = found(document, "start.weights", "end.weights")
    without = found(changed(document, question=asked[:-1]), "start.weights", "end.weights")
    for one, two in zip(with_her, without):
        assert one[0].argmax() == place and two[0, place] < one[0, place] - .1


def test_qanet_asked_by_a_word_of_the_text_reads_elsewhere():
    document = promised("qanet", "replace a word of the question with a word of the text")
    asked = words_of(document, "question")
    assert "Peter" in words_of(document) and asked[-1] == "Anna"
    one, two = (found(x, "start.weights")[0].argmax() for x in
                (document, changed(document, question=[*asked[:-1], "Peter"])))
    assert [words_of(document)[at] for at in (one, two)] == ["bedroom", "library"]


def test_resan_attends_to_nothing_but_what_was_chosen():
    document = promised("resan", "set the choices yourself: z_h for the queries and z_d for the keys")
    count = len(words_of(document))
    kept = [int(k in (2, 4)) for k in range(count)]
    own = {"chosen.u_h": [0.0] * count, "chosen.u_d": [.999 * (1 - k) for k in kept]}
    document["parameters"] |= {name: {"shape": [count], "data": data} for name, data in own.items()}
    weights = found(document, "chosen.weights")
    assert not weights[:, [k for k in range(count) if not kept[k]]].any()
    assert weights[:, [2, 4]].any()


def test_each_row_sums_to_one_with_a_word_less():
    document = promised("w-fig1", "remove a word that gets weight; each row still sums to one")
    weights = found(document, "look.weights")
    source = words_of(document)
    most = weights[0].argmax()
    fewer = found(changed(document, source=[word for k, word in enumerate(source) if k != most]), "look.weights")
    assert fewer.shape[-1] == len(source) - 1
    np.testing.assert_allclose(fewer.sum(-1), 1, atol=1e-5)


def test_variant_1_has_no_matrix_that_variant_2_has():
    shapes = []
    for name, other in (("w-var1", "2"), ("w-var2", "1")):
        document = promised(name, f"compare the weights with those of variant {other}")
        answer = lines("run", "-", text=json.dumps(document))[0]
        shapes.append({key for key in answer["parameters"] if key.startswith("look.")})
    assert shapes[0] == set() and len(shapes[1]) == 4


def test_shuffled_keys_leave_the_first_row():
    document = promised("w-var5", "shuffle the keys; the first row of weights stays the same")
    one, two = (found(x, "look.weights", "look.context") for x in
                (document, changed(document, source=words_of(document)[::-1])))
    np.testing.assert_allclose(one[0][0], two[0][0], atol=1e-6)
    assert abs(one[1][0] - two[1][0]).max() > 1e-3


def test_characters_are_attended_to_by_what_the_words_gave_alone():
    document = promised("attention-via-attention-nmt", "the query for the characters is then only the context")
    whole = found(document, "look.char.query", "look.word.context")
    assert whole[0].shape[-1] > whole[1].shape[-1]
    del document["parameters"]
    module(document, "look")["variant"] = "G"
    query, context = found(document, "look.char.query", "look.word.context")
    np.testing.assert_allclose(query, context, atol=1e-6)


def test_an_embedding_alone_gets_all_the_weight():
    document = promised("mme", "remove one embedding; the other one gets all the weight")
    both = found(document, "meta.weights")
    assert (both > .001).any(axis=0).all() and both.shape[-1] == 2
    del module(document, "meta")["inputs"]["x2"], document["parameters"]
    document["model"] = [one for one in document["model"] if one["name"] != "x2"]
    np.testing.assert_allclose(found(document, "meta.weights"), 1, atol=1e-6)


def test_another_word_of_a_sentence_moves_symbols_of_its_tree():
    document = promised("vinyals-parse", "change a word and see which symbols attend elsewhere")
    source = words_of(document)
    other = changed(document, source=["cat" if word == "dog" else word for word in source])
    assert "dog" in source and abs(found(document, "decoder.weights") - found(other, "decoder.weights")).max() > .01


def test_the_score_without_what_it_counts_is_the_additive_one():
    document = promised("coverage-model", "replace the score with “Additive”, which is this score without the memory")
    count = lines("run", "-", text=json.dumps(document))[0]["parameters"]
    at = "decoder.attention.score."
    document["parameters"][f"{at}v_beta"] = {"shape": count[f"{at}v_beta"]["shape"], "data": [0.0] * 12}
    # The additive score has another name for the same matrices, and a bias.
    given = lines("run", "-", text=json.dumps(document))[0]["parameters"]
    plain = copy.deepcopy(document)
    module(plain, "decoder")["attention"]["score"] = {"type": "additive", "hidden": 12}
    plain["parameters"] = {name: one for name, one in given.items() if not name.startswith(at)}
    plain["parameters"] |= {f"{at}W1": given[f"{at}W"], f"{at}W2": given[f"{at}U"], f"{at}w": given[f"{at}w"],
                            f"{at}b": {"shape": [12], "data": [0.0] * 12}}
    np.testing.assert_allclose(found(plain, "decoder.weights"), found(document, "decoder.weights"), atol=1e-4)


def test_sharpened_weights_are_larger_than_smoothed_ones():
    document = promised("chorowski-asr", "switch between sharpening and smoothing")
    most = []
    for mode in ("sharpen", "smooth"):
        module(document, "decoder")["attention"]["alignment"] = {"type": "sharpen-topk-smooth", "mode": mode}
        most.append(found(document, "decoder.weights").max(-1))
    # No frame belongs to the end token.
    assert (most[0] > most[1]).all() and (most[0][:-1] > most[1][:-1] + .1).all()


def test_a_sound_without_two_frames_moves_letters():
    document = promised("las", "remove two frames from the sound and see which letters attend elsewhere")
    one, two = (found(x, "speller.weights") for x in (document, changed(document, source=words_of(document)[2:])))
    assert (one.shape[-1], two.shape[-1]) == (4, 3)
    assert (one.argmax(-1) != two.argmax(-1)).any()


def test_one_review_leaves_nothing_to_choose():
    document = promised("three-tier-rec", "put all sentences into one review; the third attention module then has "
                        "nothing")
    module(document, "person")["documents"] = [[0, 4]]
    assert found(document, "person.document.weights").flatten().tolist() == [1]


def test_without_new_relations_every_review_gets_the_same_answer():
    document = promised("sam-stm", "set alpha1 to zero; the second memory stays empty, and the answer is the same")
    other = changed(document, source=[{"not": "very"}.get(word, word) for word in words_of(document)])
    with_them = [found(x, "answer.logits") for x in (document, other)]
    assert abs(with_them[0] - with_them[1]).max() > .1
    for one in (document, other):
        module(one, "memories")["alpha1"] = 0
    assert not found(document, "memories.relations").any()
    np.testing.assert_allclose(found(document, "answer.logits"), found(other, "answer.logits"), atol=1e-6)


def test_more_hops_are_more_maps():
    document = promised("lcr-rot-hop", "raise the number of hops from one to five and see whether the "
                        "weights still change")
    module(document, "rotation")["hops"] = 5
    for side in ("tl", "tr"):
        names = [f"rotation.{side}-hop{k}.weights" for k in range(4)] + [f"rotation.{side}.weights"]
        maps = found(document, *names)
        moves = [abs(one - two).max() for one, two in zip(maps, maps[1:])]
        # Its bounded scores are at their bounds from the first hop: the answer to what one is to see is no.
        assert len(maps) == 5 and max(moves) < .05, moves


def test_more_cells_leave_the_heads_where_they_were():
    document = promised("ntm", "raise the number of cells and compare the positions of the two heads")
    names = [key for key in lines("run", "-", text=json.dumps(document))[0]["outputs"] if key.endswith("weights")]
    assert [found(document, name).shape[-1] for name in names] == [10] * len(names) and names
    del document["parameters"]
    for name in ("listener", "repeater"):
        module(document, name)["cells"] = 12
    assert [found(document, name).shape[-1] for name in names] == [12] * len(names)


def test_another_seed_keeps_other_words():
    document = promised("rban", "change the seed, and different words are kept")
    kept = [found({**document, "seed": seed}, "both.second.weights") > 0 for seed in (1, 2)]
    assert (kept[0] != kept[1]).any()


def test_a_larger_spread_moves_the_glimpses():
    document = promised("ram", "raise s, the spread of the random step to the next position")
    steps = []
    for spread in (0, .05, .5):
        module(document, "look")["s"] = spread
        steps.append(found(document, "look.location"))
    assert abs(steps[2] - steps[0]).max() > 2 * abs(steps[1] - steps[0]).max() > 0


def test_a_memory_network_told_what_to_select_selects_one_word():
    document = promised("memory-network",
                        "compare this model with the end-to-end memory network, which is told only the answers")
    weights = found(document, "hop-1.weights", "hop-2.weights")
    assert [sorted(one[0])[-2:] for one in weights] == [[0, 1]] * 2
    assert words_of(document)[weights[1][0].argmax()] == "bedroom"
    soft = found(with_weights("memn2n"), "hops.weights")
    assert 0 < np.sort(soft.flatten())[-1] < 1

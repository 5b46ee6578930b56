# SPDX-License-Identifier: Apache-2.0
"""What the files of systems/ say one will see: for sentences after "Try this" that promise a result, that is done, and
the result looked at. attend64 throughout."""
import copy
import json
import os
import struct
import subprocess

import pytest
import torch
from test_systems import near, outputs_of
from torch_parts import ROOT, TOOL, run, system, tensor, with_explicit_numbers


def says(name):
    with open(os.path.join(ROOT, "systems", name + ".json"), encoding="utf-8") as file:
        return json.load(file)["says"]


def promised(name, sentence):
    """The document of a system whose file says this; a test of other words is no test of these."""
    assert sentence in says(name), says(name)
    return system(name)


def explicit(document):
    """The document with all numbers given, so that what is changed moves no draw."""
    return with_explicit_numbers(document)[0]


def learned(document, folder, steps):
    """The document with what so many steps of its own training make of its parameters (in float)."""
    (folder / "document.json").write_text(json.dumps(document))
    often = ["--steps", str(steps), "--every", str(steps)]
    subprocess.run([TOOL.removesuffix("64"), "train", folder / "document.json", *often, "--to", folder / "weights"],
                   check=True, capture_output=True, timeout=300)
    data = (folder / "weights").read_bytes()
    begin = 8 + struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:begin])
    taught = json.loads(header.pop("__metadata__")["document"])
    del taught["training"]
    taught["parameters"] = {
        name: tensor(torch.frombuffer(bytearray(data[begin + one["data_offsets"][0]:begin + one["data_offsets"][1]]),
                                      dtype=torch.float32).double().reshape(one["shape"]))
        for name, one in header.items() if not name.startswith("optimiser.")}
    return taught


def module(document, name):
    return next(one for one in document["model"] if one["name"] == name)


def rows_of(document, name):
    return document["inputs"][name]["features"]["matrix"]


def with_tokens(document, name, order):
    """The same with the tokens of an input, and their rows, in another order."""
    other = copy.deepcopy(document)
    source = other["inputs"][name]
    source["tokens"] = [source["tokens"][i] for i in order]
    if "matrix" in source.get("features", {}):
        source["features"]["matrix"] = [source["features"]["matrix"][i] for i in order]
    return other


def turned(document, name):
    return with_tokens(document, name, list(reversed(range(len(document["inputs"][name]["tokens"])))))


def test_the_last_word_moves_no_other_row():
    document = promised("gpt", "change the last word; no other row changes")
    first = document["inputs"]["x"]["tokens"]
    other = copy.deepcopy(document)
    other["inputs"]["x"]["tokens"] = [*first[:-1], first[0]]
    one, two = (outputs_of(explicit(x))["words.logits"] for x in (document, other))
    assert near(one[:-1], two[:-1]) and not near(one[-1:], two[-1:])


def test_a_shuffled_set_gives_the_same():
    document = explicit(promised("set-transformer", "shuffle the elements; the output stays the same"))
    name = next(iter(document["inputs"]))
    one, two = outputs_of(document), outputs_of(turned(document, name))
    last = [key for key in one if key.endswith(("output", "context"))][-1]
    assert near(one[last], two[last]), last


def test_a_shuffled_sentence_entails_the_same():
    document = explicit(promised("decomposable-nli", "shuffle a sentence; the answer stays the same"))
    assert near(outputs_of(document)["output"], outputs_of(turned(document, "key1"))["output"])


def test_each_hop_has_its_own_map():
    document = promised("memn2n", "raise the number of hops; each hop gets its own map")
    more = copy.deepcopy(document)
    module(more, "hops")["hops"] = 3
    maps = [[key for key in outputs_of(one) if key.startswith("hops.weights.")] for one in (document, more)]
    assert maps == [[f"hops.weights.{k}" for k in range(count)] for count in (2, 3)]


def test_without_positions_a_film_backwards_is_the_same_film():
    document = explicit(promised("psac", "remove the positions and reverse the frames; the answer stays the same"))
    placeless = copy.deepcopy(document)
    for name in ("frames", "words"):
        del module(placeless, name)["position"]
    for film, same in ((document, False), (placeless, True)):
        one, two = (outputs_of(x)["class.probabilities"] for x in (film, turned(film, "video")))
        assert near(one, two) == same


def test_swapped_words_swap_rows_where_places_mean_nothing():
    document = promised("transformer", "remove the position encodings of the source and swap two of its words; the "
                        "encoder's rows swap, and nothing else changes")
    del module(document, "encoder-1")["position"]
    document = explicit(document)
    count = len(document["inputs"]["source"]["tokens"])
    order = [1, 0, *range(2, count)]
    one, two = outputs_of(document), outputs_of(with_tokens(document, "source", order))
    assert near(one["encoder-ffn-2.output"][order], two["encoder-ffn-2.output"])
    assert near(one["words.logits"], two["words.logits"])
    assert not near(one["encoder-ffn-2.output"], two["encoder-ffn-2.output"])


def test_shuffled_keys_leave_weights_that_come_from_the_query_alone():
    document = explicit(promised("w-var5", "shuffle the keys; the first row of weights stays the same"))
    name = next(one for one in document["inputs"] if one not in ("query", "value"))
    one, two = outputs_of(document), outputs_of(turned(document, name))
    weights = next(key for key in one if key.endswith("weights"))
    assert near(one[weights], two[weights])


def test_a_bell_around_a_place_takes_weight_away():
    document = promised("luong-local-p", "raise D; the bell curve gets wider, but the weights of a row still sum to "
                        "less than one")
    sums = outputs_of(explicit(document))["decoder.weights"].sum(-1)
    assert (sums < 1).all() and (sums > 0).all()


def test_raised_far_enough_every_gate_opens():
    document = explicit(promised("attention-unet", "raise the parameter b_psi; every gate opens"))
    name = next(one for one in document["parameters"] if one.endswith("b_psi"))
    before = outputs_of(document)["weights"]
    document["parameters"][name] = tensor(torch.tensor(50.0, dtype=torch.float64))
    after = outputs_of(document)["weights"]
    assert (after > before).all() and near(after, torch.ones_like(after))


def test_by_sigmoids_embeddings_do_not_compete():
    document = promised("dme-system", "set the gate to sigmoid; the embeddings then no longer compete")
    at = next(one for one in document["model"] if one["type"] == "multi-representational")
    shares = outputs_of(explicit(document))[at["name"] + ".weights"].sum(-1)
    assert near(shares, torch.ones_like(shares))
    at["gate"] = "sigmoid"
    free = outputs_of(explicit(document))[at["name"] + ".weights"].sum(-1)
    assert ((free - 1).abs() > 1e-3).any()


def test_larger_patches_are_fewer_tokens():
    document = promised("vit", "make the patches larger; fewer tokens remain")
    many = outputs_of(document)["layer.output"].shape
    document["model"][0]["P"] *= 2
    assert outputs_of(document)["layer.output"].shape[-2] < many[-2]


def test_a_further_point_is_one_more_choice():
    document = promised("pointer-network", "add a point; the answer has one more choice, and no parameter changes")
    answers = [run(document)]
    document["inputs"]["points"]["tokens"].append("p6")
    answers.append(run(document))
    shapes = [{name: one["shape"] for name, one in answer["parameters"].items()} for answer in answers]
    choices = [answer["outputs"]["pointer.logits"]["shape"][-1] for answer in answers]
    assert shapes[0] == shapes[1] and choices[1] == choices[0] + 1


def test_one_word_of_a_question_is_one_softmax():
    document = promised("aoa-reader", "shorten the question to one word; a single softmax remains")
    document["inputs"]["question"]["tokens"] = document["inputs"]["question"]["tokens"][:1]
    found = outputs_of(explicit(document))
    name = next(key for key in found if key.endswith(".M1"))
    assert near(found[name.replace("M1", "weights2")], found[name])


def test_the_answer_once_more_gets_more():
    document = promised("attention-sum-reader", "add the answer to the text a second time")
    words = document["inputs"]["key"]["tokens"]
    once = outputs_of(document)
    document["inputs"]["key"]["tokens"] = [*words, "John"]
    twice = outputs_of(document)

    def share(found):  # of a word, wherever it is told of it
        told = found["weights"][0]
        return sum(x for x, word in zip(told.tolist(), document["inputs"]["key"]["tokens"]) if word == "John")
    assert words.count("John") == 1 and share(twice) > share(once)
    given = once["output"][0].tolist()
    mary = sum(x for x, word in zip(once["weights"][0].tolist(), words) if word == "Mary")
    assert any(abs(one - mary) < 1e-12 for one in given)  # both places of one name, as one number


def test_without_new_relations_whatever_was_read_is_the_same():
    document = promised("sam-stm", "set alpha1 to zero; the second memory stays empty, and the answer is the same "
                        "for every text")
    document["model"][0]["alpha1"] = 0
    document = explicit(document)
    found = outputs_of(document)
    other = copy.deepcopy(document)
    other["inputs"]["x"]["features"]["matrix"] = [[2 * v for v in row] for row in rows_of(document, "x")]
    assert not found["memories.relations"].any()
    assert near(found["answer.logits"], outputs_of(other)["answer.logits"])


def test_a_painted_ball_moves_later_looks_alone():
    document = promised("darqn-system", "paint the ball of the second frame at another position and see where "
                        "attention in the later frames moves")
    document = explicit(document)
    other = copy.deepcopy(document)
    pixels = other["inputs"]["frame-2"]["data"]
    other["inputs"]["frame-2"]["data"] = pixels[30:] + pixels[:30]
    one, two = (outputs_of(x)["player.weights"] for x in (document, other))
    assert near(one[:1], two[:1]) and not near(one[2:], two[2:])


def test_the_first_word_of_a_reader_has_nobody_before_it():
    document = promised("lstmn", "look at the first row; no word precedes it, so its weights are zeros")
    assert not outputs_of(document)["weights"][0].any()


def test_distances_beyond_k_are_one():
    document = promised("shaw-2018", "change k; all distances beyond k on the same side share one vector")
    module(document, "layer")["position"] = [{"type": "pos-relative-shaw", "k": 1}]
    document = explicit(document)
    rows = rows_of(document, "x")
    rows[:] = [rows[0]] * len(rows)  # equal words differ by how far away they stand alone
    for head in outputs_of(document)["layer.weights"]:
        for t in range(len(rows)):
            later, earlier = head[t, t + 1:], head[t, :t]
            assert near(later, later[:1].expand(len(later))) and near(earlier, earlier[:1].expand(len(earlier)))
        assert not near(head[3, 2:3], head[3, 4:5])


def test_what_comes_twice_is_scored_alike_both_times():
    document = promised("music-transformer", "look at the three notes that occur twice; their scores with "
                        "each other are the same both times")
    notes = document["inputs"]["x"]["tokens"]
    assert notes[:3] == notes[3:6] and len(notes) == 7
    scores = outputs_of(document)["layer.scores"]
    earlier = torch.ones(3, 3, dtype=torch.bool).tril()
    assert near(scores[:, :3, :3][:, earlier], scores[:, 3:6, 3:6][:, earlier])
    del module(document, "layer")["position"]  # their places alone would not tell them apart
    assert near(outputs_of(document)["layer.scores"][:, 1:2, :1], outputs_of(document)["layer.scores"][:, 1:2, 3:4])
    assert not near(scores[:, 4:5, 0:1], scores[:, 4:5, 3:4])


def test_more_rows_are_more_alike():
    document = promised("sentence-embedding", "raise the number of rows and see the penalty grow; in training the "
                        "penalty would keep the rows from becoming alike")
    found = []
    for rows in (2, 3, 6):
        module(document, "table")["rows"] = rows
        outputs = outputs_of(document)
        found.append(next(x for name, x in outputs.items() if "penalty" in name).item())
    assert found == sorted(found) and found[0] < found[-1]


def test_without_gamma_an_image_goes_through():
    document = promised("sagan-system", "set gamma to zero; the image passes through unchanged")
    image = torch.tensor(document["inputs"]["image"]["data"], dtype=torch.float64)
    assert not near(outputs_of(document)["output"].flatten(), image)
    document["parameters"]["structure.gamma"] = 0
    assert near(outputs_of(document)["output"].flatten(), image)


def test_alpha_goes_from_softmax_to_sparsemax():
    document = promised("adaptively-sparse", "switch off “learned”, then move alpha from 1 (softmax) to 2 "
                        "(sparsemax)")

    def weights(alignment):
        module(document, "layer")["alignment"] = alignment
        return outputs_of(document)["layer.weights"]
    assert near(weights({"type": "alpha-entmax", "alpha": 1}), weights("softmax"))
    assert near(weights({"type": "alpha-entmax", "alpha": 2}), weights("sparsemax"))


def test_one_review_leaves_nothing_to_choose():
    document = promised("three-tier-rec", "put all sentences into one review; the third attention module then has "
                        "nothing to choose")
    module(document, "person")["documents"] = [[0, 4]]
    assert outputs_of(document)["person.document.weights"].flatten().tolist() == [1]


def test_more_draws_come_near_to_the_soft_form():
    document = explicit(promised("captioning-hard", "raise the number of samples and watch the context approach that "
                                 "of soft attention"))
    soft = copy.deepcopy(document)
    soft["mechanism"]["type"] = "captioning-soft"
    soft["parameters"] = {name: x for name, x in soft["parameters"].items() if "alignment" not in name}
    mean = outputs_of(soft)["context"]
    document["parameters"] = {name: x for name, x in document["parameters"].items() if "alignment" not in name}
    far = []
    for samples in (1, 4000):
        document["mechanism"]["alignment"] = {"type": "hard-sample", "samples": samples}
        far.append((outputs_of(document)["context"] - mean).norm().item())
    assert far[1] < far[0] / 10


def test_a_target_of_one_word_asks_by_itself():
    document = promised("ian", "shorten the target to one word; then this word itself is the query for the sentence")
    document["inputs"]["target"]["tokens"] = ["waiter"]
    found = outputs_of(document)
    assert near(found["both.first.query"], found["t.output"])
    assert found["both.weights2"].flatten().tolist() == [1]


def test_with_so_little_to_give_nothing_is_left_for_the_last_word():
    document = promised("constrained-sparsemax-nmt", "lower the fertility to one; no attention is left for the last")
    module(document, "decoder")["attention"]["alignment"] = {"type": "constrained-sparsemax", "fertility": 1}
    given = outputs_of(document)["decoder.weights"]
    assert not given[-1].any() and near(given.sum(0), torch.ones(given.shape[-1], dtype=torch.float64))


@pytest.mark.parametrize("name,promise", [
    ("rnnsearch", "training has concentrated the attention weights on one or two source words"),
    ("luong-dot", "see how much sharper training made the attention weights")])
def test_trained_the_weights_are_sharper(name, promise, tmp_path):
    document = promised(name, promise)
    before = outputs_of(document)["decoder.weights"].amax(-1)
    taught = learned(document, tmp_path, 400)
    after = outputs_of(taught)["decoder.weights"].amax(-1)
    assert (before < .4).all() and (after > before).all() and after.mean() > .45


def test_another_word_moves_what_is_written():
    document = promised("vinyals-parse", "change a word and see which symbols attend elsewhere")
    before = outputs_of(document)["decoder.weights"]
    words = document["inputs"]["source"]["tokens"]
    document["inputs"]["source"]["tokens"] = [{"dog": "cat"}.get(word, word) for word in words]
    assert "dog" in words and not near(outputs_of(document)["decoder.weights"], before)

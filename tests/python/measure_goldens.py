#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/evaluation/measure_goldens.json: measurements with the values that scikit-learn, scipy, nltk and
scikit-image find for them. Run by hand where these are installed; the tests read the file."""
import json
import math
import os
import random

import numpy
import scipy.spatial.distance
import scipy.stats
import skimage.metrics
import sklearn.metrics
from nltk.metrics.distance import edit_distance
from nltk.translate import Alignment, bleu_score, meteor_score
from nltk.translate.metrics import alignment_error_rate

HERE = os.path.dirname(os.path.abspath(__file__))
WORDS = "the a cat dog sat ran on under mat tree and then it was big red".split()
draw = random.Random(20221)
numbers = numpy.random.default_rng(20221)


class NoWords:
    """In place of WordNet: nltk's METEOR then matches exact words only."""

    def synsets(self, _word):
        return []


class NoStems:
    def stem(self, word):
        return word


def sentence(length):
    return [draw.choice(WORDS) for _ in range(length)]


def edited(words):
    """A sentence with some words changed, dropped and added."""
    found = []
    for word in words:
        lot = draw.random()
        if lot < .08:
            continue
        found.append(draw.choice(WORDS) if lot < .16 else word)
        if lot > .94:
            found.append(draw.choice(WORDS))
    return found or words[:1]


def texts():
    smoothing = bleu_score.SmoothingFunction()
    for k in range(6):
        references = [[sentence(draw.randint(6, 12)) for _ in range(1 + k % 3)] for _ in range(5)]
        found = [edited(some[0]) for some in references]
        pairs = [{"tokens": t, "references": r} for t, r in zip(found, references, strict=True)]
        yield {"measure": "bleu", "examples": pairs}, bleu_score.corpus_bleu(references, found)
        two = {"measure": {"type": "bleu", "N": 2, "smoothing": "plus-one"}, "examples": pairs}
        yield two, bleu_score.corpus_bleu(references, found, weights=(.5, .5), smoothing_function=smoothing.method2)
        edits = sum(edit_distance(t, r[0]) for t, r in zip(found, references, strict=True))
        length = sum(len(r[0]) for r in references)
        pairs = [{"tokens": t, "reference": r[0]} for t, r in zip(found, references, strict=True)]
        yield {"measure": "wer", "examples": pairs}, edits / length
    for _ in range(8):
        # No word twice, where nltk takes another matching than one of the fewest chunks.
        reference = draw.sample(WORDS, 10)
        text = draw.sample(reference, 6) + draw.sample(WORDS, 2)
        text = list(dict.fromkeys(text))
        value = meteor_score.meteor_score([reference], text, stemmer=NoStems(), wordnet=NoWords())
        yield {"measure": "meteor", "tokens": text, "references": [reference]}, value
    for classes in (2, 7):
        p = numbers.dirichlet(numpy.ones(classes), 12)
        labels = numbers.integers(0, classes, 12)
        loss = sklearn.metrics.log_loss(labels, p, labels=list(range(classes)))
        yield {"measure": "perplexity", "probabilities": p.tolist(), "labels": labels.tolist()}, math.exp(loss)


def classes():
    for names in (["no", "yes"], ["red", "green", "blue", "grey"]):
        right = [draw.choice(names) for _ in range(40)]
        said = [one if draw.random() < .6 else draw.choice(names) for one in right]
        given = {"predictions": said, "labels": right}
        yield {"measure": "accuracy", **given}, sklearn.metrics.accuracy_score(right, said)
        yield {"measure": "error-rate", **given}, sklearn.metrics.zero_one_loss(right, said)
        for average in ("macro", "micro"):
            p, r, f, _ = sklearn.metrics.precision_recall_fscore_support(right, said, average=average, zero_division=0)
            for name, value in (("precision", p), ("recall", r), ("f1", f)):
                yield {"measure": {"type": name, "average": average}, **given}, value
    # A class that is never said, and one that is never right.
    right, said = ["a", "a", "b", "c"], ["a", "d", "a", "c"]
    for name, score in (("precision", sklearn.metrics.precision_score), ("recall", sklearn.metrics.recall_score),
                        ("f1", sklearn.metrics.f1_score)):
        value = score(right, said, average="macro", zero_division=0)
        yield {"measure": name, "predictions": said, "labels": right}, value


def images():
    for shape in ((16, 20), (13, 12, 3)):
        x = numpy.round(numbers.random(shape), 3)
        y = numpy.round(numpy.clip(x + .2 * numbers.standard_normal(shape), 0, 1), 3)
        given = {"image": {"shape": shape, "data": y.ravel().tolist()},
                 "reference": {"shape": shape, "data": x.ravel().tolist()}}
        yield {"measure": "psnr", **given}, skimage.metrics.peak_signal_noise_ratio(x, y, data_range=1)
        axis = 2 if len(shape) == 3 else None
        gaussian = skimage.metrics.structural_similarity(
            x, y, data_range=1, gaussian_weights=True, sigma=1.5, use_sample_covariance=False, channel_axis=axis)
        yield {"measure": "ssim", **given}, gaussian
        block = skimage.metrics.structural_similarity(
            x, y, data_range=1, win_size=7, use_sample_covariance=False, channel_axis=axis)
        yield {"measure": {"type": "ssim", "window": "block", "size": 7}, **given}, block
        jaccard = sklearn.metrics.jaccard_score((x >= .5).ravel(), (y >= .5).ravel())
        yield {"measure": "iou", **given}, jaccard


def maps():
    for m, n in ((2, 6), (9, 7)):
        p, q = numbers.dirichlet(numpy.ones(n), m), numbers.dirichlet(numpy.ones(n), m)
        given = {"map": p.tolist(), "other": q.tolist()}
        jsd = numpy.mean([scipy.spatial.distance.jensenshannon(a, b) ** 2 for a, b in zip(p, q, strict=True)])
        yield {"measure": "jsd", **given}, jsd
        tvd = numpy.mean([scipy.spatial.distance.cityblock(a, b) / 2 for a, b in zip(p, q, strict=True)])
        yield {"measure": "tvd", "output": p.tolist(), "other": q.tolist()}, tvd
        entropy = numpy.mean([scipy.stats.entropy(a) for a in p])
        yield {"measure": "entropy", "map": p.tolist()}, entropy / math.log(n)
        yield {"measure": {"type": "entropy", "normalised": False}, "map": p.tolist()}, entropy
        rounded, other = numpy.round(p, 1), numpy.round(q, 1)  # so that some are equal
        given = {"map": rounded.tolist(), "reference": other.tolist()}
        rho = scipy.stats.spearmanr(rounded.ravel(), other.ravel())[0]
        yield {"measure": "rank-correlation", **given}, rho
        tau = scipy.stats.kendalltau(rounded.ravel(), other.ravel())[0]
        yield {"measure": {"type": "rank-correlation", "kind": "kendall"}, **given}, tau
        gold = [[i, int(row.argmax() if numbers.random() < .6 else numbers.integers(0, n))] for i, row in enumerate(p)]
        hard = Alignment([(i, int(row.argmax())) for i, row in enumerate(p)])
        value = alignment_error_rate(Alignment([tuple(pair) for pair in gold]), hard)
        yield {"measure": "aer", "map": p.tolist(), "gold": gold}, value
        possible = [[i, int(numbers.integers(0, n))] for i in range(m)]
        value = alignment_error_rate(Alignment([tuple(pair) for pair in gold]), hard,
                                     Alignment([tuple(pair) for pair in gold + possible]))
        yield {"measure": "aer", "map": p.tolist(), "gold": {"sure": gold, "possible": possible}}, value


def main():
    cases = [{"measurement": measurement, "value": float(value)}
             for make in (texts, classes, images, maps) for measurement, value in make()]
    with open(os.path.join(HERE, "..", "evaluation", "measure_goldens.json"), "w", encoding="utf-8") as file:
        file.write("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")
    print(len(cases), "measurements")


if __name__ == "__main__":
    main()

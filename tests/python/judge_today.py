# SPDX-License-Identifier: Apache-2.0
"""What the judges of mechanisms since 2017 share: expected numbers held against a run, and refusals."""
import numpy as np
from judge import TOLERANCE, differences, run


def softplus(x):
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


def held(documents, expected):
    for answer, wanted in zip(run(documents), expected, strict=True):
        assert "error" not in answer, answer
        found = differences(answer, wanted)
        assert max(found.values()) < TOLERANCE, found


def refused(one, path, *words):
    answer = run([one])[0]
    assert "error" in answer, answer
    assert answer["error"]["path"] == path, answer
    for word in words:
        assert word in answer["error"]["message"], answer


def per_head(x):
    """A number for each head [h] against scores [h m n]; a plain number stays."""
    x = np.asarray(x, dtype=float)
    return x[:, None, None] if x.ndim else x

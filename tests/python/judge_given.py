# SPDX-License-Identifier: Apache-2.0
"""How the judges read documents: their slots, and parameters that are drawn when a formula first asks for them."""
import numpy as np
from judge_scores import named


class Given:
    """Parameters that are drawn when they are first read. In heads `each` (and a call) gives the head's own. All names
    begin with `root`, those of a slot with the path of the slot."""

    def __init__(self, random, store, prefix="", heads=None, head=0, shared=False, root=""):
        self.random, self.store, self.prefix, self.root = random, store, prefix, root
        self.heads, self.head, self.shared = heads, head, shared

    def below(self, more):
        return Given(self.random, self.store, self.prefix + more, self.heads, self.head, self.shared, self.root)

    def of(self, prefix, heads=None, head=0, shared=False):
        return Given(self.random, self.store, prefix, heads, head, shared, self.root)

    def drawn(self, kind, shape, top):
        if kind == "uniform":
            return self.random.uniform(0.05, 0.95, shape)
        if kind == "bits":
            return self.random.integers(0, 2, shape).astype(float)
        if kind == "distances":
            return self.random.integers(0, 5, shape).astype(float)
        if kind == "gumbel":
            return -np.log(-np.log(self.random.uniform(0.05, 0.95, shape)))
        if kind == "keys":
            return np.array([self.random.permutation(top)[: shape[1]] for _ in range(shape[0])], float)
        return self.random.normal(size=shape) * 0.7

    def each(self, name, *shape, kind="normal", finish=None, top=None):
        full, leading = self.root + self.prefix + name, () if self.heads is None else (self.heads,)
        if full not in self.store:
            x = self.drawn(kind, leading + shape, top)
            self.store[full] = finish(x) if finish else x
        x = np.asarray(self.store[full])
        return x if self.heads is None else x[self.head]

    def __call__(self, name, *shape, **more):
        if self.shared:
            return self.of(self.prefix).each(name, *shape, **more)
        return self.each(name, *shape, **more)


def items(x):
    return [] if x is None else [named(one) for one in (x if isinstance(x, list) else [x])]


def slots_of(spec, key, single):
    """The items of a slot with their prefixes: `position.`, or `position.0.` in a list."""
    got = spec.get(key)
    if got is None:
        return []
    if isinstance(got, list):
        return [(named(one), f"{single}.{t}.") for t, one in enumerate(got)]
    return [(named(got), f"{single}.")]

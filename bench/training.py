#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Steps of training by PyTorch's eager mode, one thread: training.py rnnsearch|transformer ROUNDS MILLISECONDS.

The models of bench/training/*.json, with the same sizes, batch, loss and optimiser. Prints the milliseconds of a step,
best and middle, of each round."""

import re
import sys
import time
from pathlib import Path

import torch
from torch import nn

torch.set_num_threads(1)
VOCABULARY, LENGTH, BATCH, START = 39, 8, 32, 0


def shifted(target):
    """What the decoder reads: the start, then the words before."""
    return torch.cat([torch.full((BATCH, 1), START), target[:, :-1]], 1)


class RnnSearch(nn.Module):
    """Bidirectional GRU, additive attention asked with the state before, GRU decoder."""

    def __init__(self, width=32):
        super().__init__()
        self.source, self.target = nn.Embedding(VOCABULARY, width), nn.Embedding(VOCABULARY, width)
        self.encoder = nn.GRU(width, width, bidirectional=True, batch_first=True)
        self.first = nn.Linear(2 * width, width)
        self.query, self.key = nn.Linear(width, width, bias=False), nn.Linear(2 * width, width)
        self.score = nn.Linear(width, 1, bias=False)
        self.cell = nn.GRUCell(3 * width, width)
        self.out = nn.Linear(3 * width, VOCABULARY)

    def forward(self, source, target):
        memory, last = self.encoder(self.source(source))
        state = torch.tanh(self.first(torch.cat([last[0], last[1]], 1)))
        keys, words, logits = self.key(memory), self.target(shifted(target)), []
        for t in range(LENGTH):
            scores = self.score(torch.tanh(self.query(state).unsqueeze(1) + keys)).squeeze(2)
            context = (torch.softmax(scores, 1).unsqueeze(1) @ memory).squeeze(1)
            state = self.cell(torch.cat([words[:, t], context], 1), state)
            logits.append(self.out(torch.cat([state, context], 1)))
        return torch.stack(logits, 1)


class Transformer(nn.Module):
    """Two layers to read, two to write."""

    def __init__(self, width=64):
        super().__init__()
        self.source, self.target = nn.Embedding(VOCABULARY, width), nn.Embedding(VOCABULARY, width)
        self.layers = nn.Transformer(width, 4, 2, 2, 256, dropout=0.0, batch_first=True)
        self.out = nn.Linear(width, VOCABULARY)
        self.mask = torch.triu(torch.full((LENGTH, LENGTH), float("-inf")), 1)

    def forward(self, source, target):
        return self.out(self.layers(self.source(source), self.target(shifted(target)), tgt_mask=self.mask))


def products():
    """What computes the products of matrices: the reference BLAS takes up to six times as long as OpenBLAS."""
    torch.ones(2, 2) @ torch.ones(2, 2)
    maps = Path("/proc/self/maps")
    loaded = maps.read_text() if maps.exists() else ""
    found = re.findall(r"/lib(mkl_rt|openblas|blis|atlas|blas)[^/\n]*$", loaded, re.M)
    names = {"mkl_rt": "MKL", "openblas": "OpenBLAS", "blis": "BLIS", "atlas": "ATLAS", "blas": "the reference BLAS"}
    return names[sorted(found, key=list(names).index)[0]] if found else "its own products"


def main(name, rounds, milliseconds):
    torch.manual_seed(1)
    model = {"rnnsearch": RnnSearch, "transformer": Transformer}[name]()
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3)

    def step():
        source = torch.randint(3, VOCABULARY, (BATCH, LENGTH))
        optimiser.zero_grad()
        logits = model(source, source)
        nn.functional.cross_entropy(logits.reshape(-1, VOCABULARY), source.reshape(-1)).backward()
        optimiser.step()

    for _ in range(5):
        step()
    for _ in range(int(rounds)):
        times, end = [], time.perf_counter() + float(milliseconds) / 1000
        while time.perf_counter() < end or len(times) < 2:
            start = time.perf_counter()
            step()
            times.append(1000 * (time.perf_counter() - start))
        times.sort()
        print(f"{times[0]:.6f} {times[len(times) // 2]:.6f}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["--version"]:
        print(f"{torch.__version__} with {products()}")
    else:
        main(*sys.argv[1:])

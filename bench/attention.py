#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The same as bench/attention.cpp, by PyTorch: attention.py FOLDER HEADS ROWS WIDTH GRADIENTS ROUNDS MILLISECONDS."""

import re
import sys
import time

import numpy as np
import torch

torch.set_num_threads(1)


def main(folder, heads, rows, width, gradients, rounds, milliseconds):
    shape = int(heads), int(rows), int(width)
    gradients = gradients == "1"

    def read(name):
        return torch.from_numpy(np.fromfile(f"{folder}/{name}.bin", dtype=np.float32).reshape(shape))

    q, k, v = (read(name).requires_grad_(gradients) for name in "qkv")
    upstream = read("upstream") if gradients else None
    scale = shape[2] ** -0.5
    # Its own fused function where this version has one that is public, else the plain formula.
    whole = getattr(torch.nn.functional, "scaled_dot_product_attention", None)

    def compute():
        output = whole(q, k, v) if whole else torch.softmax((q * scale) @ k.transpose(1, 2), -1) @ v
        return (output, *torch.autograd.grad(output, (q, k, v), upstream)) if gradients else (output,)

    for step in range(int(rounds) + 1):
        times = []
        end = time.perf_counter() + float(milliseconds) / 1000
        while time.perf_counter() < end or len(times) < 2:
            start = time.perf_counter()
            results = compute()
            times.append(1000 * (time.perf_counter() - start))
        times.sort()
        if step > 0:
            print(f"{times[0]:.6f} {times[len(times) // 2]:.6f}")
    for name, result in zip(("output", "dq", "dk", "dv"), results):
        result.detach().numpy().tofile(f"{folder}/torch-{name}.bin")


if __name__ == "__main__":
    if sys.argv[1:] == ["--version"]:
        blas = re.search(r"BLAS_INFO=(\w+)", torch.__config__.show())
        print(f"{torch.__version__}, BLAS {blas[1] if blas else 'unknown'}")
    else:
        main(*sys.argv[1:])

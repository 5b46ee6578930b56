#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A grid over the workers of a Dask cluster: each calls `attend sweep GRID --cell K`, which must be installed there.

    python3 dask_sweep.py grid.json lines.jsonl --workers 2
    python3 dask_sweep.py grid.json lines.jsonl --scheduler tcp://cluster:8786
"""
import argparse
import os
import subprocess

from dask.distributed import Client


def compute(attend, grid, cell):
    """The line of a cell; one that failed holds an error, and the command ends with 1."""
    done = subprocess.run([attend, "sweep", grid, "--cell", str(cell)], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        raise RuntimeError(done.stderr)
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("grid")
    parser.add_argument("lines")
    parser.add_argument("--attend", default="attend")
    parser.add_argument("--workers", type=int, default=2, help="local workers, where no scheduler is given")
    parser.add_argument("--scheduler")
    asked = parser.parse_args()
    grid = os.path.abspath(asked.grid)
    count = int(subprocess.run([asked.attend, "sweep", grid, "--count"], capture_output=True, check=True).stdout)
    client = Client(asked.scheduler) if asked.scheduler else Client(
        n_workers=asked.workers, threads_per_worker=1, dashboard_address=None)
    with client:
        cells = client.map(compute, [asked.attend] * count, [grid] * count, range(count), pure=False)
        with open(asked.lines, "w", encoding="utf-8") as out:
            out.writelines(client.gather(cells))


if __name__ == "__main__":
    main()

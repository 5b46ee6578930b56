// SPDX-License-Identifier: Apache-2.0
// Attention natively on one thread: the fused kernels, Eigen, and PyTorch where the system has it.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../lib/browser.mjs';
import { difference } from '../lib/reference.mjs';
import { describe, work, works } from '../lib/work.mjs';

const run = promisify(execFile);
const program = join(root, 'build/release/bench/attend_bench_attention');
const python = '/usr/bin/python3';
const script = join(root, 'bench/attention.py');
const folder = join(root, 'build/bench/native');

async function engines() {
  const versions = { fused: 'this project', Eigen: 'as the build found it, the same compiler' };
  const commands = { fused: [program, 'fused'], Eigen: [program, 'eigen'] };
  try {
    versions.PyTorch = (await run(python, [script, '--version'])).stdout.trim();
    commands.PyTorch = [python, script];
  } catch {
    // Not installed: left out.
  }
  return { versions, commands };
}

const files = { fused: 'fused', Eigen: 'eigen', PyTorch: 'torch' };

function outputOf(engine, gradient) {
  const parts = (gradient ? ['dq', 'dk', 'dv'] : ['output'])
    .map((name) => readFileSync(join(folder, `${files[engine]}-${name}.bin`)));
  const bytes = Buffer.concat(parts);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

const middle = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];

export async function native(_browser, { rounds, milliseconds, works: asked, note }) {
  if (!existsSync(program)) throw new Error(`${program} is not built`);
  mkdirSync(folder, { recursive: true });
  const { versions, commands } = await engines();
  const chosen = works.filter((id) =>
    describe(id).family !== 'full' && (asked.length === 0 || asked.some((part) => id.includes(part))));
  const rows = [];
  for (const id of chosen) {
    note(`native: ${id}`);
    const task = work(id);
    const { heads, n, width, gradient, operations } = task;
    for (const name of ['q', 'k', 'v', 'upstream'])
      if (task[name]) writeFileSync(join(folder, `${name}.bin`), task[name]);
    const found = {};
    for (const [engine, [file, first]] of Object.entries(commands)) {
      const words = [first, folder, heads, n, width, gradient ? 1 : 0, rounds, milliseconds].map(String);
      const { stdout } = await run(file, words, { env: { ...process.env, OMP_NUM_THREADS: '1' } });
      const times = stdout.trim().split('\n').map((line) => line.split(' ').map(Number));
      const rate = (time) => operations / time / 1e6;
      const best = Math.min(...times.map(([one]) => one));
      found[engine] = { milliseconds: best, rate: rate(best), median: rate(middle(times.map(([, one]) => one))),
        difference: difference(task, outputOf(engine, gradient)) };
      if (!(found[engine].difference < 1e-3))
        throw new Error(`${engine}, ${id}: differs by ${found[engine].difference}`);
    }
    rows.push({ id, title: task.title, engines: found });
  }
  return { versions, rows };
}

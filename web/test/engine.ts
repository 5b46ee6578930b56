// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Client } from '../src/engine/client.ts';
import type { Directory } from '../src/engine/types.ts';

export interface Answer {
  directory: Directory;
  data: Float32Array;
}

/** The engine in a process of its own, asked one thing after another. */
export function startEngine(): { ask: (what: object) => Promise<Answer>; close: () => void; client: Client } {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'engine.mjs')],
    { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting: ((answer: Answer) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { directory, data } = JSON.parse(line) as { directory: Directory; data: string };
    waiting.shift()!({ directory, data: new Float32Array(Uint8Array.from(atob(data), (c) => c.charCodeAt(0)).buffer) });
  });
  const ask = (what: object): Promise<Answer> => new Promise((resolve) => {
    waiting.push(resolve);
    child.stdin.write(`${JSON.stringify(what)}\n`);
  });
  const send = async ({ document }: { document: string }) => {
    const { directory, data } = await ask({ document: JSON.parse(document) });
    return { text: JSON.stringify(directory), data };
  };
  const client = { send, ask: send } as unknown as Client;
  return { ask, close: () => void child.kill(), client };
}

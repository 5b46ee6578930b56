// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Result } from '../src/engine/result.ts';
import type { Catalogue, Doc, Directory, System } from '../src/engine/types.ts';
import { Book } from '../src/state/catalogue.ts';

const here = import.meta.dirname;

/** The whole catalogue, as the engine's build writes it. */
export const catalogue = JSON.parse(
  readFileSync(join(here, '../../build/wasm/bin/catalogue.json'), 'utf8')) as Catalogue;
export const book = new Book(catalogue);

/** The systems as their files say them. */
export const systemFiles = readdirSync(join(here, '../../systems'))
  .map((file) => JSON.parse(readFileSync(join(here, '../../systems', file), 'utf8')) as System);

/** What the engine makes of documents, or of mechanisms' examples by their ids. */
export function runs(wanted: readonly (Doc | string)[]): Result[] {
  const lines = execFileSync(process.execPath, [join(here, 'runs.mjs')],
    { input: JSON.stringify(wanted), encoding: 'utf8', maxBuffer: 1 << 28 }).trim().split('\n');
  return lines.map((line) => {
    const { directory, data } = JSON.parse(line) as { directory: Directory; data: string };
    if (!directory.ok) throw new Error(JSON.stringify(directory));
    return new Result(directory, new Float32Array(Uint8Array.from(atob(data), (c) => c.charCodeAt(0)).buffer));
  });
}

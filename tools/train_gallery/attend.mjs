// SPDX-License-Identifier: Apache-2.0
// The command line and the module, as the gallery's training uses them.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** What the command line prints, line by line; throws what it refuses. */
export function attend(args, input) {
  const done = spawnSync(`${root}build/bin/attend`, args, { input, encoding: 'utf8', maxBuffer: 1 << 30 });
  if (done.error) throw new Error(`build/bin/attend does not start (build it first): ${done.error.message}`);
  const lines = done.stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  const failure = lines.find((line) => line.failure);
  if (done.status !== 0 || failure) throw new Error(failure?.failure ?? `${done.stdout}${done.stderr}`.trim());
  return lines;
}

/** The engine's module with the weights of one system. */
export async function engineWith(name, bytes) {
  const { default: create } = await import(`${root}build/wasm/bin/attention.mjs`);
  const engine = await create({
    locateFile: () => new URL('attention.wasm', `file://${root}build/wasm/bin/`).href });
  engine.words(readFileSync(`${root}data/words/words-large.bin`));
  engine.weights(name, bytes.length, 0, bytes);
  // Nothing here trains, and reading the training of each of hundreds of documents takes time.
  const textOf = ({ training, ...document }) => JSON.stringify(document);
  return {
    /** Tensors by name, each with its numbers. */
    run(document) {
      const { directory, data } = engine.run(textOf(document));
      const { ok, error, tensors } = JSON.parse(directory);
      if (!ok) throw new Error(`${error.path}: ${error.message}`);
      return tensors.filter(({ group }) => group === 'outputs').map((one) => ({ ...one,
        data: data.slice(one.offset, one.offset + one.shape.reduce((product, extent) => product * extent, 1)) }));
    },
    /** The words that the model writes. */
    written(document) {
      const answer = JSON.parse(engine.written(textOf(document)));
      if (answer.error) throw new Error(`${answer.error.path}: ${answer.error.message}`);
      return answer.tokens;
    },
  };
}

/** Which positions mean each word of the pinned example's answer, from the task: [row, column, kind]. */
export async function pinnedLinks(document) {
  const { default: create } = await import(`${root}build/wasm/bin/training.mjs`);
  const module = await create({ locateFile: () => new URL('training.wasm', `file://${root}build/wasm/bin/`).href });
  const { session, error } = JSON.parse(module.trainOpen(JSON.stringify(document), ''));
  if (error) throw new Error(`${error.path}: ${error.message}`);
  return JSON.parse(module.trainPinned(session).directory).links;
}

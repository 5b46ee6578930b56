// SPDX-License-Identifier: Apache-2.0
// Runs documents given as a list on standard input (an id asks for a mechanism's example) and prints a line for each: a
// process of its own,
// for the engine takes the tests' window for a browser.
import { readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const { default: create } = await import(new URL('build/wasm/bin/attention.mjs', root).href);
const engine = await create();
engine.words(readFileSync(new URL('data/words/words-large.bin', root)));
for (const one of JSON.parse(readFileSync(0, 'utf8'))) {
  const text = typeof one === 'string' ? engine.example(one) : JSON.stringify(one);
  const { directory, data } = engine.run(text);
  console.log(JSON.stringify({ directory: JSON.parse(directory),
    data: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64') }));
}

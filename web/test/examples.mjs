// SPDX-License-Identifier: Apache-2.0
// Prints what the engine makes of an example of every mechanism and of the models, one JSON object a line: a process of
// its own, for the
// engine takes the tests' window for a browser.
import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root));
const { default: create } = await import(new URL('build/wasm/bin/attention.mjs', root).href);
const engine = await create();
engine.words(read('data/words/words-large.bin'));
const { mechanisms } = JSON.parse(read('build/wasm/bin/catalogue.json'));
const models = readdirSync(new URL('examples/models/', root))
  .map((file) => [file, read(`examples/models/${file}`).toString()]);
for (const [id, text] of [...mechanisms.map(({ id }) => [id, engine.example(id)]), ...models]) {
  const { directory, data } = engine.run(text);
  console.log(JSON.stringify({ id, directory: JSON.parse(directory),
    data: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64') }));
}

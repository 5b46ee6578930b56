// SPDX-License-Identifier: Apache-2.0
// Writes documents given as a list on standard input as LaTeX, and prints the list of texts: a process of its own, for
// the engine takes the tests' window for a browser.
import { readFileSync } from 'node:fs';

const { default: create } = await import(new URL('../../build/wasm/bin/attention.mjs', import.meta.url).href);
const engine = await create();
const written = JSON.parse(readFileSync(0, 'utf8')).map((document) =>
  JSON.parse(engine.exportCode(JSON.stringify(document), 'latex', '{}')));
console.log(JSON.stringify(written));

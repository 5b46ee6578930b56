// SPDX-License-Identifier: Apache-2.0
// For bench/systems.py: milliseconds of processor time of documents in the page's module, the least of some rounds.
import { readFileSync } from "node:fs";

const folder = process.argv[2];
const { default: create } = await import(`${folder}/attention.mjs`);
const module = await create({ locateFile: () => `file://${folder}/attention.wasm` });
const { other, texts, times, rounds } = JSON.parse(readFileSync(0, "utf8"));

// Another document stands between two runs of one, so that each is made anew; it is not counted.
const spent = (text) => {
  let sum = 0;
  for (let k = 0; k < times; ++k) {
    module.run(other);
    const before = process.cpuUsage();
    const answer = JSON.parse(module.run(text).directory);
    const { user, system } = process.cpuUsage(before);
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    sum += user + system;
  }
  return sum / 1000 / times;
};
console.log(JSON.stringify(texts.map((text) => Math.min(...Array.from({ length: rounds }, () => spent(text))))));

// SPDX-License-Identifier: Apache-2.0
// For bench/systems.py: milliseconds of processor time of documents in the page's module, the least of some rounds.
import { readFileSync } from "node:fs";

const folder = process.argv[2];
const { default: create } = await import(`${folder}/attention.mjs`);
const module = await create({ locateFile: () => `file://${folder}/attention.wasm` });
const { other, texts, times, rounds } = JSON.parse(readFileSync(0, "utf8"));

const spent = (text) => {
  const before = process.cpuUsage();
  for (let k = 0; k < times; ++k) {
    module.run(other);
    const answer = JSON.parse(module.run(text).directory);
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
};
const least = (text) => Math.min(...Array.from({ length: rounds }, () => spent(text)));
const alone = least(other);
console.log(JSON.stringify(texts.map((text) => Math.max(0, least(text) - alone / 2))));

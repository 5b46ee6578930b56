// SPDX-License-Identifier: Apache-2.0
// node bench/table.mjs ROUNDS TITLE=FILE...: measures each FILE (an .mjs is WebAssembly, anything else a
// native program) and prints one table.
import { cpus, loadavg, release } from 'node:os';
import { resolve } from 'node:path';
import { native, webAssembly } from './engines.mjs';
import { measure } from './measure.mjs';

const loadBefore = loadavg()[0];
const [rounds, ...builds] = process.argv.slice(2);
const columns = [];
for (const build of builds) {
  const [title, file] = build.split('=');
  process.stderr.write(`measuring ${title} ...\n`);
  const path = resolve(file);
  const engine = await (path.endsWith('.mjs') ? webAssembly(path) : native(path));
  columns.push({ title, ...(await measure(engine, Number(rounds))) });
  engine.close();
}

const row = (name, cells) => console.log(`| ${name.padEnd(28)} | ${cells.map((c) => c.padStart(18)).join(' | ')} |`);
const rule = () => row('-'.repeat(28), columns.map(() => `${'-'.repeat(17)}:`));

const { length: processors, 0: { model } } = cpus();
const day = new Date().toISOString().slice(0, 10);
console.log(`${day}, ${processors} x ${model.trim()}, Linux ${release()}, Node ${process.versions.node}`);
console.log(`Best of ${rounds} rounds. Share: of the multiply-add peak of the same build, measured in the same run.`);
if (loadBefore > processors / 2) {
  console.log(`The machine was busy (load ${loadBefore.toFixed(1)} at the start): do not trust these figures.`);
}
console.log();
row('GFLOP/s (share)', columns.map((c) => c.title));
rule();
row('multiply-add peak', columns.map((c) => c.peak.toFixed(1)));
columns[0].products.forEach(({ name }, i) => {
  row(name, columns.map((c) => `${c.products[i].rate.toFixed(1)} (${(c.products[i].rate / c.peak).toFixed(2)})`));
});
console.log();
row('ns an element', columns.map((c) => c.title));
rule();
columns[0].times.forEach(({ name }, i) => row(name, columns.map((c) => c.times[i].nanoseconds.toFixed(2))));

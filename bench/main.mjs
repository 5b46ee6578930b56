#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Measures what bench/run asks for, prints it, and writes it to bench/results/.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { read, usage } from './lib/arguments.mjs';
import { chromium } from './lib/browser.mjs';
import { load, machine } from './lib/machine.mjs';
import { plots } from './lib/plots.mjs';
import { report } from './lib/report.mjs';

const note = (text) => process.stderr.write(`${text}\n`);

async function measure(settings, browser, results) {
  for (const name of settings.parts) {
    const part = await import(`./parts/${name}.mjs`);
    const before = load();
    try {
      results[name] = await part[name](browser, { ...settings, note });
    } catch (problem) {
      note(`${name} failed: ${problem.stack ?? problem}`);
      results[name] = { failed: String(problem).split('\n')[0] };
      process.exitCode = 1;
    }
    const busy = `load ${before.toFixed(1)} at the start, ${load().toFixed(1)} at the end`;
    results[name].run = { date: new Date().toISOString().slice(0, 10), machine: `${machine(browser)}, ${busy}`,
      rounds: settings.rounds, milliseconds: settings.milliseconds };
  }
}

async function main() {
  const settings = read(process.argv.slice(2));
  if (settings.help) return console.log(usage);
  const out = resolve(settings.out);
  const file = join(out, 'results.json');
  const results = settings.keep && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const browser = await chromium();
  try {
    await measure(settings, browser, results);
    const text = report(results);
    console.log(text);
    mkdirSync(out, { recursive: true });
    writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`);
    writeFileSync(join(out, 'results.md'), text);
    for (const [name, svg] of Object.entries(await plots(browser, results)))
      writeFileSync(join(out, `${name}.svg`), `${svg}\n`);
  } finally {
    await browser.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((problem) => {
    note(problem instanceof TypeError ? `${problem.message}\n\n${usage}` : (problem.stack ?? String(problem)));
    process.exitCode = problem instanceof TypeError ? 2 : 1;
  });
}

// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

// Bundlers for the browser leave alone what only Node will ever ask for.
const forBundlers = (text: string) =>
  text.replaceAll('import("node:module")', 'import(/* webpackIgnore: true */ /* @vite-ignore */ ["node:module"][0])');

// Vite's helper for style sheets of lazy chunks (here there are none) asks in a way that bundlers warn of.
const HELPER = /import\.meta\.resolve\?new URL\(import\.meta\.resolve\((\w+)\)\):new URL\(\1,import\.meta\.url\)/g;
function quiet(chunks: string): void {
  for (const file of readdirSync(chunks)) {
    const text = readFileSync(chunks + file, 'utf8').replace(HELPER, 'new URL($1,document.baseURI)');
    if (text.includes('import.meta.resolve')) throw new Error(`${file} still asks import.meta.resolve`);
    writeFileSync(chunks + file, text);
  }
}

/** Puts the engine's files, the types and the papers beside the element: what npm packs. */
export function gather(out: string): Plugin {
  return {
    name: 'gather',
    closeBundle() {
      const engine = path('../../build/web/engine/');
      for (const file of readdirSync(engine)) {
        // The element brings attention.wasm.
        if (/^(fused|efficient).*\.wasm$/.test(file)) copyFileSync(engine + file, out + file);
        if (/\.m?js$/.test(file)) writeFileSync(out + file, forBundlers(readFileSync(engine + file, 'utf8')));
      }
      copyFileSync(`${engine}catalogue.json`, `${out}catalogue.json`);
      for (const file of ['package.json', 'README.md', 'element.d.ts', 'anywidget.d.mts', 'element.node.js',
        'anywidget.node.mjs'])
        copyFileSync(path('../package/') + file, out + file);
      copyFileSync(path('../../LICENSE'), `${out}LICENSE`);
      writeFileSync(`${out}THIRD-PARTY.txt`, licences());
      types(out);
      quiet(`${out}chunks/`);
      // The same files beside the page, for sites and notebooks that take them from there.
      cpSync(out, path('../../build/web/package/'), { recursive: true });
    },
  };
}

// What is bundled keeps its own licences.
function licences(): string {
  const { dependencies } = JSON.parse(readFileSync(path('../package.json'), 'utf8'));
  return Object.keys(dependencies).flatMap((name) => {
    const folder = path(`../node_modules/${name}/`);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    return file ? [`${name}\n\n${readFileSync(folder + file, 'utf8').trim()}\n`] : [];
  }).join('\n----\n\n');
}

// Written by the compiler from the library's source; only the endings of the imports are others.
function types(out: string): void {
  const compiler = path('../node_modules/.bin/tsc');
  const done = spawnSync(compiler, ['-p', path('../tsconfig.package.json'), '--outDir', out], { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`the types could not be written: ${done.stdout}${done.stderr}`);
  // What no entry tells of stays inside.
  const told = { fused: /^(index|types|pool)\.d\.ts$|^efficient$/,
    'fused/efficient': /^(index|types|bigbird)\.d\.ts$/ };
  for (const [folder, kept] of Object.entries(told)) {
    for (const file of readdirSync(out + folder)) if (!kept.test(file)) rmSync(`${out}${folder}/${file}`);
  }
  for (const file of ['index.d.ts', 'fused/index.d.ts', 'fused/pool.d.ts', 'fused/efficient/index.d.ts',
    'fused/efficient/bigbird.d.ts']) {
    writeFileSync(out + file, readFileSync(out + file, 'utf8').replaceAll(".ts';", ".js';"));
  }
}

#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Writes web/recorded, the answers that the page's development server gives if the engine is not built:
// node tools/record_engine.mjs, after ./play --build. web/test/stand-in.test.ts compares them with the engine.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = new URL('../', import.meta.url);
const web = fileURLToPath(new URL('web/', root));
const { resolve } = createRequire(`${web}package.json`);
const { createServer } = await import(pathToFileURL(resolve('vite')).href);
// The page's own modules are TypeScript, which Vite translates.
const server = await createServer({ configFile: false, root: web, appType: 'custom',
  optimizeDeps: { noDiscovery: true }, server: { middlewareMode: true, ws: false, watch: null } });
const load = (file) => server.ssrLoadModule(`/plugins/${file}.ts`);
const { startEngine } = await load('engine-start');
const { figures } = await load('measured');
const { engineIsBuilt } = await load('engine-path');
const { record, recordedDocuments, usedCatalogue, withoutWords } = await load('recordings');

if (!engineIsBuilt()) throw new Error('build/wasm is missing, so there is nothing to record: run ./play --build first');
const engine = await startEngine();
const documents = recordedDocuments(engine);
const catalogue = withoutWords(usedCatalogue());
const files = { figures: await figures(documents.example[0]) };
for (const [name, all] of Object.entries(documents)) files[name] = all.map((one) => record(engine, one));

// One line for each member, so that a change of one of them is a change of one line.
const lines = (value, depth) => (depth === 0 || value === null || typeof value !== 'object' ? JSON.stringify(value)
  : Array.isArray(value) ? `[\n${value.map((one) => lines(one, depth - 1)).join(',\n')}\n]`
    : `{\n${Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${lines(one, depth - 1)}`)
      .join(',\n')}\n}`);
const folder = new URL('web/recorded/', root);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const [name, value] of Object.entries({ ...files, catalogue }))
  writeFileSync(new URL(`${name}.json`, folder), `${lines(value, name === 'catalogue' ? 2 : 3)}\n`);
await server.close();

// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publint } from 'publint';
import { createPackageFromTarballData, checkPackage } from '@arethetypeswrong/core';
import { command, project } from './install.mjs';
import { fileURLToPath } from 'node:url';

const home = (app) => join(app, 'node_modules', 'attention-playground');
// The package is of ES modules only, which its manifest says; these two ways of asking know none.
const MODULES_ONLY = new Set(['node10', 'node16-cjs']);

const usage = `
import { load, loadInWorker, ExperimentError, type Result, type Tensor } from 'attention-playground';
import { loadFused, loadPool, type AttentionInput, type Pool } from 'attention-playground/fused';
import { configure, AttentionPlayground } from 'attention-playground/element';
import widget, { render } from 'attention-playground/anywidget';
const playground = await load({ wasmUrl: './attention.wasm' });
const result: Result = await playground.run({});
const weights: Tensor | undefined = result.outputs['weights'];
const numbers: Float32Array | undefined = weights?.data;
const input: AttentionInput = { q: new Float32Array(2), k: new Float32Array(2), v: new Float32Array(2), d: 2,
  window: [1, 0] };
const { output }: { output: Float32Array } = (await loadFused()).attention(input);
const pool: Pool = await loadPool({ threads: 2 });
// @ts-expect-error there is one argument
await pool.attention(input, output);
const element: AttentionPlayground = document.createElement('attention-playground');
element.compact = true;
configure({ wasmUrl: 'x', workerUrl: 'y' });
// @ts-expect-error there is no such option
configure({ wasm: 'x' });
// @ts-expect-error an experiment is no number
await playground.run(3);
export default [numbers, widget.render === render, ExperimentError, loadInWorker];
`;

export const papers = [
  {
    name: 'publint has nothing to say',
    async run({ app }) {
      const { messages } = await publint({ pkgDir: home(app), strict: true, pack: false });
      if (messages.length > 0) throw new Error(JSON.stringify(messages, null, 1));
    },
  },
  {
    name: 'are the types wrong? no',
    async run({ tarball }) {
      const analysis = await checkPackage(createPackageFromTarballData(readFileSync(tarball)),
        { excludeEntrypoints: [/\.(wasm|bin|safetensors|json)$/, /worker\.js$/] });
      if (!analysis.types) throw new Error('no types');
      const problems = analysis.problems.filter(({ resolutionKind }) => !MODULES_ONLY.has(resolutionKind));
      if (problems.length > 0) throw new Error(JSON.stringify(problems, null, 1));
    },
  },
  {
    name: 'a strict TypeScript program compiles against it',
    async run({ app }) {
      const folder = project(app, 'types', {
        'main.ts': usage,
        'tsconfig.json': JSON.stringify(
          { compilerOptions: { strict: true, module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom'], noEmit: true,
          types: [] }, files: ['main.ts'] }),
      });
      command(fileURLToPath(new URL('../../web/node_modules/.bin/tsc', import.meta.url)), ['-p', folder], folder);
    },
  },
];

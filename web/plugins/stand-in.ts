// SPDX-License-Identifier: Apache-2.0
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { engineIsBuilt } from './engine-path.ts';
import { recordedCatalogue, recordedFigures, recordings } from './recordings.ts';

const PREFIX = '\0stand-in:';
const engine = fileURLToPath(new URL('recorded-engine.ts', import.meta.url));
const value = (of: unknown): string => `export default JSON.parse(${JSON.stringify(JSON.stringify(of))});`;
// Readers of models and trainings compute with what nobody can record beforehand.
const absent = (what: string): string => `export default () => Promise.reject(new Error(${
  JSON.stringify(`${what} needs the engine, which is not built; ./play builds it`)}));`;

/** In place of what build/wasm contains, by the name that the page imports. */
const MODULES: Record<string, () => string> = {
  'attention-engine': () => `import { recordedEngine } from ${JSON.stringify(engine)};
    const recordings = JSON.parse(${JSON.stringify(JSON.stringify(Object.values(recordings()).flat()))});
    export default () => Promise.resolve(recordedEngine(recordings, (message) => console.warn(message)));`,
  'attention-training': () => absent('training'),
  'attention-import': () => absent('reading a model'),
  'attention-catalogue': () => value(recordedCatalogue()),
  'virtual:engine-files': () => value({ plain: { wasm: '' }, relaxed: { wasm: '' } }),
  'virtual:measured': () => value(recordedFigures()),
};
const WASM = /build\/wasm\/bin\/[\w.-]+\.wasm\?url$/;

// Below the page, none of which it covers; only the page has an address of its own. A style stays where the embedded
// element replaces what the body contains.
const BANNER = `<style>body::after { display: block; position: sticky; inset-block-end: 0; direction: ltr;
  padding: 4px 16px; text-align: center; font: 13px/1.4 sans-serif; background: #ffe08a; color: #222;
  content: "All numbers are recorded: the engine is not built. Run ./play --build, then start the server again."; }
body:has(> attention-playground[address]) { display: flex; flex-direction: column; height: 100dvh; }
body > attention-playground[address] { flex: 1; min-height: 0; }</style>`;

/**
 * Lets the development server run in a clone without a compiler: recorded answers take the place of the engine if
 * build/wasm is missing. A built page never contains them.
 */
export function standIn(): Plugin[] {
  if (engineIsBuilt()) return [];
  return [{
    name: 'stand-in',
    apply: 'serve',
    enforce: 'pre',
    resolveId: (id) => (Object.hasOwn(MODULES, id) ? PREFIX + id : WASM.test(id) ? `${PREFIX}none` : undefined),
    load: (id) => (!id.startsWith(PREFIX) ? undefined
      : MODULES[id.slice(PREFIX.length)]?.() ?? value('')),
    transformIndexHtml: (html) => html.replace('</head>', `${BANNER}</head>`),
  }];
}

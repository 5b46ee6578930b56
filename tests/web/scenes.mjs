// SPDX-License-Identifier: Apache-2.0
// What a reader does that draws much at once. `begin` leads to it, `act` is what is measured (measure_tasks.mjs) and
// guarded (cases/tasks.mjs).
import { readFileSync } from 'node:fs';
import { gpt2, json, safetensors } from '../models.mjs';
import { dropAll } from './files.mjs';
import { FULL, pace } from './play.mjs';

const HOST = `document.querySelector('attention-playground')`;
const LAYERS = 12;
// GPT-2's layers, in which a page has as much to draw as for GPT-2 itself, with few numbers.
const CONFIG = { model_type: 'gpt2', n_embd: 48, n_layer: LAYERS, n_head: 12, vocab_size: 11, n_positions: 12 };
const STEPS = 60;

const start = async (page, origin) => {
  await page.go(`${origin}/`);
  await page.driver.mouse.move(700, 500);
  await page.settled();
};
const trained = (name) => JSON.parse(readFileSync(new URL(`../../examples/trained/${name}.json`, import.meta.url),
  'utf8'));
const opened = (page, document) => page.run(`${HOST}.store.documents.begin(values[0])`, document);
const dropLarge = async (page) => {
  const files = [['many.safetensors', safetensors(gpt2({ layers: LAYERS, width: CONFIG.n_embd }))],
    ['config.json', json(CONFIG)]];
  await dropAll(page, files);
  await page.until(`return !!find(['ap-drop', '[data-part="ready"]'])`);
};
// Searching the whole page is work of its own thread, too: elements are found before anything is measured.
const hold = (page, ...chain) => page.until(`return !!(globalThis.held = find(values[0]))`, chain);
const click = (page) => page.run('held.click()');
const DESK = `${HOST}.shadowRoot.querySelector('ap-train')?.desk`;
const trainable = (page) => page.until(`const { phase, picture } = ${DESK}?.training ?? {};
  return phase === 'ready' && !!picture`);

export const scenes = [
  { name: 'first page', begin: async () => undefined, act: (page, origin) => page.go(`${origin}/`) },
  {
    name: 'first movement',
    begin: (page, origin) => page.go(`${origin}/`),
    act: async (page) => {
      await page.driver.mouse.move(700, 500);
      await page.quiet();
    },
  },
  {
    name: 'another document',
    begin: start,
    act: (page) => opened(page, trained('transformer')),
  },
  {
    name: 'large model',
    begin: async (page, origin) => {
      await start(page, origin);
      await dropLarge(page);
      await hold(page, 'ap-drop', '[data-part="open"]');
    },
    act: async (page) => {
      await click(page);
      await page.until(`return ${HOST}.store.documents.document.model?.length > LAYERS`.replace('LAYERS', LAYERS));
    },
  },
  {
    name: 'all heads',
    begin: async (page, origin) => {
      await start(page, origin);
      await page.decoder();
      await hold(page, 'ap-heads-overview', 'details');
    },
    act: (page) => page.run('held.open = true'),
  },
  ...['translate', 'transformer', 'shapes'].map((name) => ({
    name: `training ${name}`,
    begin: async (page, origin) => {
      await start(page, origin);
      await opened(page, trained(name));
      await page.settled();
      await page.click('ap-header', '[data-place="train"]');
      await trainable(page);
      await pace(page, FULL);
      await hold(page, 'ap-train-bar', '[data-part="play"]');
    },
    act: async (page) => {
      await click(page);
      await page.until(`return ${DESK}.training.step >= values[0]`, STEPS);
      await click(page);
    },
  })),
  {
    name: 'to train',
    begin: async (page, origin) => {
      await start(page, origin);
      await hold(page, 'ap-header', '[data-place="train"]');
    },
    act: async (page) => {
      await click(page);
      await trainable(page);
    },
  },
  {
    name: 'to compare',
    begin: async (page, origin) => {
      await start(page, origin);
      await hold(page, 'ap-header', '[data-place="compare"]');
    },
    act: async (page) => {
      await click(page);
      await page.until(`return ${HOST}.store.view.place === 'compare'`);
    },
  },
  {
    name: 'a lesson',
    begin: start,
    act: async (page) => {
      await page.run(`location.hash = '#lesson=heads'`);
      await page.until(`return ${HOST}.store.view.lesson !== undefined`);
    },
  },
  {
    name: 'another language',
    begin: async (page, origin) => {
      await start(page, origin);
      await hold(page, 'ap-language', 'select');
    },
    act: async (page) => {
      await page.run(`held.value = 'de'; held.dispatchEvent(new Event('change'))`);
      await page.until(`return document.documentElement.lang === 'de'`);
    },
  },
].map(({ act, ...scene }) => ({ ...scene, act: async (page, origin) => {
  await act(page, origin);
  await page.settled();
} }));

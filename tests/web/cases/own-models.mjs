// SPDX-License-Identifier: Apache-2.0
// The first moments of a model from a reader's own files, and a link of one whose files are not in the browser.
import { equal, ok } from '../check.mjs';
import { dropAll } from '../files.mjs';
import { gpt2, json, safetensors, tokenizer } from '../../models.mjs';

const CONFIG = { model_type: 'gpt2', n_embd: 16, n_layer: 2, n_head: 4, vocab_size: 11, n_positions: 12 };
const files = { 'tiny.safetensors': safetensors(gpt2()), 'config.json': json(CONFIG),
  'tokenizer.json': json(tokenizer()) };
const ready = async (page) => {
  await dropAll(page, Object.entries(files));
  await page.until(`return find(['ap-drop', '[data-part="ready"]'])`);
};

// Megabytes of a large model's weights, most of them in its table of words.
const LARGE = 240;
// The same model with a long table, which the page makes for itself: only its head and its small tensors are sent.
function withLongTable() {
  const width = 256, rows = LARGE * 1e6 / 4 / width;
  const { 'wte.weight': _, ...others } = gpt2({ width });
  const small = safetensors(others, (header) => {
    const length = Math.max(...Object.values(header).map(({ data_offsets: [, to] }) => to));
    header['wte.weight'] = { dtype: 'F32', shape: [rows, width], data_offsets: [length, length + 4 * rows * width] };
  });
  return { small, numbers: rows * width, config: json({ ...CONFIG, n_embd: width, vocab_size: rows }) };
}
const dropLarge = (page, { small, numbers, config }) => page.run(`
  const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const some = new Float32Array(1e6).map((_, k) => Math.sin(k));
  const table = Array.from({ length: values[1] / some.length }, () => some);
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([bytes(values[0]), ...table], 'large.safetensors'));
  dataTransfer.items.add(new File([bytes(values[2])], 'config.json'));
  for (const kind of ['dragover', 'drop']) document.querySelector('attention-playground').dispatchEvent(
    new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true, composed: true }));`,
Buffer.from(small).toString('base64'), numbers, Buffer.from(config).toString('base64'));

export const ownModels = [
  {
    name: 'own models: a large model that is closed gives its memory back, and undo reads it again',
    only: 'chromium',
    async run(page) {
      const large = withLongTable();
      const start = await page.driver.memory();
      ok(start > 0, 'this system tells no memory of processes');
      // Workers that are not needed end some seconds later.
      const back = async (what) => {
        const end = Date.now() + 40_000;
        let now = await page.driver.memory();
        while (now > start + 0.7 * LARGE && Date.now() < end) {
          await new Promise((resolve) => setTimeout(resolve, 1000));
          now = await page.driver.memory();
        }
        ok(now <= start + 0.7 * LARGE, `${what}: ${now.toFixed()} MB, ${start.toFixed()} MB at the start`);
      };
      await dropLarge(page, large);
      await page.until(`return find(['ap-drop', '[data-part="ready"]'])`);
      ok(await page.driver.memory() > start + 0.9 * LARGE, 'the engine holds the weights');
      await page.press('Escape');
      await page.until(`return !find(['ap-drop'])`);
      await back('not opened');
      await dropLarge(page, large);
      await page.until(`return find(['ap-drop', '[data-part="ready"]'])`);
      await page.click('ap-drop', '[data-part="open"]');
      await page.click('ap-pieces', '[data-part="ask"]');
      await page.until(`return find(['ap-pieces', '[data-part="next"]'])`, 120_000);
      await page.settled();
      ok(await page.driver.memory() > start + 1.8 * LARGE, 'two workers hold the weights');
      const words = () => page.run(`return find(['ap-pieces', '.next button'], true).map(({ dataset }) => dataset.id)`);
      const found = await words();
      await page.click('ap-header', '[aria-label="Undo"]');
      await page.settled();
      await back('closed');
      await page.click('ap-header', '[aria-label="Redo"]');
      await page.settled();
      ok(await page.run(`return document.querySelector('attention-playground').store.sessions.error === undefined`),
        'computed again');
      await page.click('ap-pieces', '[data-part="ask"]');
      await page.until(`return find(['ap-pieces', '[data-part="next"]'])`);
      equal(await words(), found, 'the same words');
    },
  },
  {
    name: 'own models: until the first next words are there, their room says what is done and keeps its height',
    async run(page) {
      await ready(page);
      const seen = await page.run(`
        const frames = [];
        const { documents } = document.querySelector('attention-playground').store;
        find(['ap-drop', '[data-part="open"]']).click();
        const end = performance.now() + 30000;
        while (performance.now() < end) {
          await new Promise(requestAnimationFrame);
          if (!documents.document.parameters?.from?.startsWith('own-')) continue;
          const [coming, next] = ['coming', 'next'].map((part) => find(['ap-pieces', '[data-part="' + part + '"]']));
          const shown = coming ?? next;
          frames.push({ coming: coming?.querySelector('[data-part="doing"]')?.textContent.trim(),
            height: shown && Math.round(find(['ap-inputs']).getBoundingClientRect().height),
            tokens: shown ? find(['ap-pieces', '.chip'], true).length : 0 });
          if (next) break;
        }
        return frames;`);
      const drawn = seen.filter(({ height }) => height);
      ok(drawn.some(({ coming }) => coming?.includes('next words')), JSON.stringify(seen));
      const heights = drawn.map(({ height }) => height);
      ok(Math.max(...heights) - Math.min(...heights) <= 2, `heights: ${JSON.stringify(drawn)}`);
      ok(drawn.at(-1).tokens > 0, 'tokens');
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    name: 'own models: a link whose files are not here says what it is about, and keeps it when they are opened',
    async run(page) {
      await ready(page);
      await page.click('ap-drop', '[data-part="open"]');
      await page.until(`return find(['ap-pieces', '[data-part="next"]'])`);
      await page.settled();
      await page.run(`const { store } = document.querySelector('attention-playground');
        const opened = store.documents.document;
        store.arrive({ document: { ...opened, title: 'gone, GPT-2, 2 layers',
          inputs: { ...opened.inputs, text: { shape: [2, 1], data: [0, 9], labels: ['a', ' ab'] } },
          interventions: [{ type: 'set', of: 'layer-2.attention.weights', head: 1, value: 0 }],
          parameters: { from: 'own-gone.safetensors' } }, seen: { module: 'layer-2.attention' } })`);
      const said = (await page.until(`return find(['ap-absent', 'section'])?.textContent`)).replace(/\s+/g, ' ');
      for (const part of ['gone, GPT-2, 2 layers', 'a ab', 'Layer 2', 'Head 2'])
        ok(said.toLowerCase().includes(part.toLowerCase()), `${part} in ${said}`);
      ok(!await page.run(`return !!find(['ap-flow'])`), 'no picture of another model');
      equal(await page.axe(), [], 'axe');
      // Its button leads to the dialog, and the files of the same model complete the document of the link.
      await page.click('ap-absent', '[data-part="open-files"]');
      await page.until(`return !!find(['ap-drop'])`);
      await ready(page);
      await page.click('ap-drop', '[data-part="open"]');
      await page.until(`return !find(['ap-absent', 'section']) && !!find(['ap-flow'])`);
      await page.settled();
      const { inputs, interventions, parameters } = await page.document();
      equal([inputs.text.data, interventions.length, parameters], [[0, 9], 1, { from: 'own-tiny.safetensors' }],
        'kept');
    },
  },
];

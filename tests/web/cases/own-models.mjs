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

export const ownModels = [
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

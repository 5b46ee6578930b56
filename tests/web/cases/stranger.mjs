// SPDX-License-Identifier: Apache-2.0
// What strangers stumbled over on the page, step by step.
import { equal, ok } from '../check.mjs';

const store = `document.querySelector('attention-playground').store`;
// The first map's cell in the third row and column, locked.
const holdWeight = (page) => page.run(`${store}.selection.hold({ group: 'outputs', index: [2, 2],
  tensor: ${store}.sessions.result.all('outputs').find(({ role }) => role === 'weights').name })`);
const said = (page, ...chain) => page.until(`return find(values)?.textContent.replace(/\\s+/g, ' ')`, ...chain);
const decoderAt = (page) =>
  page.run(`return ${store}.documents.document.model.findIndex(({ name }) => name === 'decoder')`);

// One map of four heads over a few words.
const ONE = { schema: 'attention-playground/1', seed: 1,
  inputs: { x: { tokens: ['the', 'cat', 'sat', 'on', 'it'], features: { type: 'embedding', dim: 8 } } },
  mechanism: { type: 'attention', query: 'self-attention', score: 'scaled-dot', alignment: 'softmax',
    heads: { type: 'multi-head', count: 2 } } };

export const strangers = [
  {
    name: 'stranger: positions that do not fit the first model lead to a system that has them',
    first: true,
    async run(page) {
      await page.run(`await ${store}.learn()`);
      const path = `/model/${await decoderAt(page)}/attention/position`;
      const before = await page.document();
      await page.run(`const path = values[0].split('/').slice(1);
        ${store}.pick('pos-rope', 'Rotary (RoPE)', (draft) => { let at = draft;
          for (const part of path.slice(0, -1)) at = at[part];
          at[path.at(-1)] = ['pos-rope']; }, values[0])`, path);
      await page.settled();
      equal(await page.document(), before, 'nothing is changed');
      const open = await said(page, 'ap-panel', '.notice [data-part="own-system"]');
      ok(/^\s*Open “.+”, which uses it\s*$/.test(open), open);
      await page.click('ap-panel', '.notice [data-part="own-system"]');
      await page.settled();
      const document = await page.document();
      ok(JSON.stringify(document.model).includes('pos-rope'), `${open}: it has no rotary positions`);
      ok(document.parameters?.from, `${open}: it opens untrained`);
      equal(await page.run(`return ${store}.sessions.error ?? null`), null, 'it computes');
      equal(await page.count('.notice'), 0, 'nothing is left to tell');
    },
  },
  {
    name: 'stranger: the card says that the numbers are rounded, and that scores were shifted',
    first: true,
    async run(page) {
      await page.run(`dispatchEvent(new PointerEvent('pointermove'))`);
      await holdWeight(page);
      const row = await said(page, 'ap-told', '.fraction .note');
      ok(/adds up to .*unrounded/.test(row), row);
      const heading = await said(page, 'ap-card', 'h2');
      ok(heading.startsWith('Weight (decoder)'), heading);
      equal(await page.count('ap-card', '[data-part="shifted"]'), 0, 'softmax is written without the shift');
      await page.run(`${store}.documents.set('/model/' + values[0] + '/attention/alignment', 'sparsemax')`,
        await decoderAt(page));
      await page.settled();
      await holdWeight(page);
      const shifted = await said(page, 'ap-card', '[data-part="shifted"]');
      ok(shifted.includes('largest score'), shifted);
    },
  },
  {
    name: 'stranger: Train says what the loss is, and why it is higher in training',
    first: true,
    async run(page) {
      await page.run(`${store}.view.show({ place: 'train' })`);
      const note = await said(page, 'ap-train', '[data-part="loss-note"]');
      ok(/held-out.*dropout/i.test(note), note);
    },
  },
  {
    name: 'stranger: Train says what the marked cells mean in its task, in words and to who listens',
    async run(page) {
      const { systems } = await page.catalogue();
      await page.run(`${store}.documents.replace(values[0])`, systems.find(({ id }) => id === 'llama').document);
      await page.run(`${store}.view.show({ place: 'train' })`);
      const keys = await said(page, 'ap-train-shown', '[data-part="truth"] .keys');
      equal(keys.trim().replace(/ +/g, ' '), 'the digit to write the letter of its pair');
      const heard = await page.run(`return find(['ap-train-shown', '[data-part="truth"] ap-heat']).label`);
      ok(/^Truth: (\d): \1, the digit to write; \1: [a-z], the letter of its pair$/.test(heard), heard);
    },
  },
  {
    name: 'stranger: a trained system with a part removed is said to be changed, not to come from a file',
    async run(page) {
      await page.click('ap-header', '[data-dialog="presets"]');
      await page.until(`return !!find(['ap-gallery', '[data-facet="weights"] [data-value="trained"]'])`);
      await page.click('ap-gallery', '[data-facet="weights"] [data-value="trained"]');
      await page.run(`for (let k = 0; k < 40; k++) { const more = find(['ap-gallery', `
        + `'[data-all][aria-expanded="false"]']); if (!more) break; more.click(); await `
        + `find(['ap-gallery']).updateComplete; }
        const keep = find(['ap-gallery', '.foot input']); if (keep.checked) keep.click()`);
      await page.click('ap-gallery', '.preset[data-kind="system"][data-id="llama"]');
      await page.settled();
      await page.run(`${store}.documents.change((draft) => {
        for (const member of draft.model) if (member.attention) delete member.attention.position; })`);
      await page.settled();
      const figures = await page.until(`const text = find(['ap-card', '[data-part="figures"]'])?.textContent;
        return text?.includes('no longer') && text.replace(/\\s+/g, ' ')`);
      ok(!/loaded from a file/.test(figures), figures);
    },
  },
  {
    name: 'stranger: positions show the knobs of their choice alone, and ALiBi needs no numbers of its own',
    async run(page) {
      await page.run(`await ${store}.learn(); ${store}.documents.replace(values[0])`, { ...ONE, mechanism: {
        ...ONE.mechanism, position: { type: 'pos-rope' } } });
      await page.settled();
      const knobs = () => page.run(`return find(['ap-panel', 'ap-knob'], true).map(({ path }) => path)
        .filter((path) => path.includes('/position')).map((path) => path.split('/').at(-1))`);
      const plain = await knobs();
      ok(plain.includes('scaling') && !plain.includes('factor') && !plain.includes('fast'), plain.join());
      await page.run(`${store}.documents.set('/mechanism/position/scaling', 'yarn')`);
      await page.until(`return find(['ap-panel', 'ap-knob'], true).some(({ path }) => path.endsWith('/fast'))`);
      const yarn = await knobs();
      ok(yarn.includes('factor') && !yarn.includes('high'), yarn.join());
      await page.run(`${store}.pick('pos-alibi', 'ALiBi', (draft) => {
        draft.mechanism.position = [draft.mechanism.position, 'pos-alibi']; }, '/mechanism/position')`);
      await page.settled();
      equal([(await page.document()).mechanism.position, await page.run(`return ${store}.sessions.error ?? null`)],
        [[{ type: 'pos-rope', scaling: 'yarn' }, 'pos-alibi'], null], 'it is added as it is');
    },
  },
  {
    name: 'stranger: the formula of a weight of linear attention has room in the card',
    async run(page) {
      await page.run(`${store}.view.show({ lesson: 'linear-rnn' })`);
      await page.settled();
      await page.run(`${store}.documents.set('/mechanism/causal', true)`);
      await page.settled();
      await holdWeight(page);
      await page.until(`return !!find(['ap-card', 'ap-told', '[data-part="numbers"] .katex'])
        || !!find(['ap-told', '[data-part="numbers"]', '.katex'])`);
      const wide = await page.until(`const all = find(['ap-card', 'ap-math'], true)
        .filter((one) => one.clientWidth > 0);
        return all.length > 1 && all.filter((one) => one.scrollWidth > one.clientWidth + 1).map(({ latex }) => latex)`);
      equal(wide, [], 'nothing has to be scrolled');
    },
  },
];

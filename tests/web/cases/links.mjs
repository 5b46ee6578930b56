// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { example } from '../attend.mjs';
import { compare, equal, ok } from '../check.mjs';

const link = (value) => `#1.${deflateRawSync(typeof value === 'string' ? value : JSON.stringify(value))
  .toString('base64url')}`;
const first = JSON.parse(readFileSync(new URL('../../../web/src/state/example.json', import.meta.url),
  'utf8')).document;
const head =
  '"schema":"attention-playground/1","inputs":{"x":{"tokens":["a"],"features":{"type":"embedding","dim":4}}}';

// A page that met a bad link says so, shows the example and works on.
const recovers = (name, hash, word) => ({
  name: `a link that is ${name} gets a word and a working page`,
  hash,
  async run(page) {
    ok((await page.text('.notice'))?.includes(word), `notice: ${await page.text('.notice')}`);
    equal(await page.document(), first, 'the example');
    await page.fill('3', 'ap-knob[data-path="/seed"]', 'input.num');
    await compare(page, 'after the bad link');
  },
});

export const links = [
  {
    name: 'the address holds the document, and opening it brings it back',
    async run(page, origin) {
      await page.fill('4242', 'ap-knob[data-path="/seed"]', 'input.num');
      const hash = await page.run('return location.hash');
      ok(hash.startsWith('#1.'), hash);
      await page.leave();
      await page.go(`${origin}/${hash}`);
      equal((await page.document()).seed, 4242, 'seed');
      await compare(page, 'from the link');
    },
  },
  {
    name: 'the link is exact: head, view, locked cell and stage come back elsewhere',
    async run(page, origin) {
      await page.click('ap-heads', 'li:nth-child(3) button');
      await page.clickAt(['ap-matrix[data-tensor="weights"]'], 1.5 / 8, 4.5 / 8);
      await page.clickText('.seg button', 'Lines');
      const looked = () => page.run(`
        const { store } = document.querySelector('attention-playground');
        return { lock: store.selection.lock, view: store.view.view, head: store.selection.chosen.head,
          pressed: find(['ap-heads', 'li button'], true).findIndex((b) => b.getAttribute('aria-pressed') === 'true'),
          card: find(['ap-card', 'h2']).textContent }`);
      const before = await looked();
      equal([before.lock?.index, before.view, before.head, before.pressed], [[2, 4, 1], 'lines', 2, 2],
        'what is looked at');
      await page.until(`return document.querySelector('attention-playground').resting`);
      const hash = await page.run('return location.hash');
      await page.leave();
      await page.go(`${origin}/${hash}`);
      await page.until(`return document.querySelector('attention-playground').store.selection.lock !== undefined`);
      await page.settled();
      equal(await looked(), before, 'what the link shows');
    },
  },
  {
    name: 'a gradient that is drawn in a model of several modules computes, and its link opens',
    async run(page, origin) {
      const { document } = JSON.parse(readFileSync(new URL('../../../systems/han.json', import.meta.url), 'utf8'));
      const store = `document.querySelector('attention-playground').store`;
      await page.run(`${store}.documents.begin(values[0])`, document);
      await page.settled();
      await page.run(`${store}.slopes.toggle(${store}.sessions.result.all('parameters')[0])`);
      await page.settled();
      equal(await page.run(`return ${store}.sessions.error ?? null`), null, 'no error');
      ok(await page.run(`return ${store}.sessions.result.all('gradients').length > 0`), 'gradients');
      await page.until(`return document.querySelector('attention-playground').resting`);
      const hash = await page.run('return location.hash');
      const held = await page.document();
      await page.leave();
      await page.go(`${origin}/${hash}`);
      await page.until(`return ${store}.documents.document.title === values[0]`, held.title);
      await page.settled();
      equal(await page.document(), held, 'the link');
      equal(await page.run(`return ${store}.sessions.error ?? null`), null, 'no error from the link');
    },
  },
  {
    name: 'the link is exact: a scale that is pinned comes back, though the numbers are others',
    async run(page, origin) {
      const store = `document.querySelector('attention-playground').store`;
      await page.run(`const { scales, sessions, documents } = ${store};
        scales.toggle(sessions.result.find('scores'), 'signed'); documents.set('/seed', 77);`);
      await page.settled();
      const scale = () => page.run(`const { scales, sessions } = ${store};
        const scores = sessions.result.find('scores');
        return [scales.pinned(scores, 'signed'), ...scales.of(scores, 'signed')]`);
      const before = await scale();
      await page.until(`return document.querySelector('attention-playground').resting`);
      const hash = await page.run('return location.hash');
      await page.leave();
      await page.go(`${origin}/${hash}`);
      await page.until(`return Object.keys(${store}.scales.held).length > 0`);
      equal(before[0], true, 'it was pinned');
      equal(await scale(), before, 'what the link shows');
    },
  },
  {
    name: 'every dialog is shut by its button, by Escape and by a press beside it, and the page is there again',
    async run(page) {
      const seen = await page.run(`return find(['ap-header', '[data-dialog]'], true).map((e) => e.dataset.dialog)`);
      const names = [...seen, 'share', 'embed', 'take'];
      ok(names.length >= 5, `${names}`);
      const open = async (name) => {
        await page.dialog(name);
        await page.until(`return find(['ap-dialogs', 'dialog[open] .in > *'], true).length > 0`);
      };
      const gone = (name, how) => page.until(`return find(['ap-dialogs', 'dialog'], true).length === 0`)
        .catch(() => ok(false, `${name} stays open: ${how}`));
      for (const name of names) {
        await open(name);
        await page.click('ap-dialogs', 'dialog .head [aria-label="Close"]');
        await gone(name, 'its button');
      }
      await open(names[0]);
      await page.press('Escape');
      await gone(names[0], 'Escape');
      await open(names[0]);
      await page.driver.mouse.click(4, 450);
      await gone(names[0], 'a press beside it');
      await page.table('weights');
      await page.click('section .tablehead', '[aria-label="Close"]');
      equal(await page.count('section .tablehead'), 0, 'the table is shut by its button');
    },
  },
  {
    name: 'a menu\'s entry that cannot read what is here changes nothing and says why at its control, and its own '
      + 'example opens when it is asked for',
    async run(page) {
      const before = await page.document();
      // Whichever it is: the first that is told of.
      const entries = await page.run(`
        const { store } = document.querySelector('attention-playground');
        await store.learn();
        return store.book.catalogue.mechanisms.filter((m) =>
          m.kind === store.book.module(store.documents.document).kind).map(({ id, title }) => ({ id, title }));`);
      let entry;
      for (const one of entries) {
        await page.run(`document.querySelector('attention-playground').store.pick(values[0].id, values[0].title, (d) `
          + `=> { d.mechanism = { type: values[0].id }; }, '/mechanism/type')`, one);
        await page.settled();
        if (await page.text('.notice')) entry = one;
        if (entry) break;
        await page.run(`const { store } = document.querySelector('attention-playground'); if `
          + `(JSON.stringify(store.documents.document) !== values[0]) store.documents.undo()`, JSON.stringify(before));
        await page.settled();
      }
      ok(entry, 'no entry was told of');
      equal(await page.document(), before, `${entry.id} changes nothing`);
      const said = await page.text('ap-panel', '.notice[data-at="/mechanism/type"]');
      ok(said.includes(entry.title) && /cannot be used here \(.{8,}\)/.test(said), `it is told of: ${said}`);
      await page.click('ap-panel', '.notice [data-part="own-example"]');
      equal(await page.document(), await example(entry.id), `the example of ${entry.id}`);
      await compare(page, entry.id);
      equal(await page.count('.notice'), 0, 'nothing is left to tell');
      await page.click('ap-header', '[aria-label="Undo"]');
      equal(await page.document(), before, 'undone');
    },
  },
  {
    name: 'a gradient that is drawn comes back with the link, and one that is 0 everywhere says why',
    async run(page) {
      const store = `document.querySelector('attention-playground').store`;
      const toggle = () => page.run(`${store}.slopes.toggle(${store}.sessions.result.all('outputs')
        .find(({ role }) => role === 'weights'))`);
      await toggle();
      await page.settled();
      await page.until(`return location.hash.length > 2`);
      await page.frames(60);
      const address = await page.run(`return location.href`);
      await page.leave();
      await page.driver.goto(address);
      await page.until(`return ${store}?.slopes.drawn.join() === 'outputs weights'`);
      ok(!(await page.run(`return ${store}.slopes.allZero`)), 'numbers that are not 0');
      // The opening's decoder runs step by step: its weights are the record of the steps.
      await page.run(`${store}.documents.begin(${store}.example)`);
      await page.settled();
      await toggle();
      await page.until(`return find(['[data-part="all-zero"]'])?.textContent.includes('loss') === true`);
    },
  },
  recovers('of more modules than can be drawn', link({ schema: 'attention-playground/1',
    inputs: { x: { tokens: ['a', 'b'], features: { type: 'embedding', dim: 4 } } },
    model: Array.from({ length: 65 }, (_, k) => ({ name: `m${k}`, type: 'attention', query: 'self-attention',
      inputs: { x: k === 0 ? 'x' : `m${k - 1}` } })) }), 'at most 64'),
  recovers('damaged', '#1.AAAA!!!', 'damaged'),
  recovers('from another version', '#9.abc', 'another version'),
  recovers('cut off', link(`{${head},"mechanism":{}}`).slice(0, 60), 'damaged'),
  recovers('hostile', link(`{${head},"mechanism":{"__proto__":{"polluted":1}}}`), 'does not contain an experiment'),
  recovers('about an unknown mechanism', link(`{${head},"mechanism":{"type":"no-such-thing"}}`),
    'could not be computed'),
  recovers('about too much memory',
    link({ schema: 'attention-playground/1',
    inputs: { x: { tokens: Array(50000).fill('a'), features: { type: 'embedding', dim: 4 } } },
    mechanism: { query: 'self' } }), 'could not be computed'),
];

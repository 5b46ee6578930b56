// SPDX-License-Identifier: Apache-2.0
import { deflateRawSync } from 'node:zlib';
import { compare, equal, ok } from '../check.mjs';
import { catchSaved, drop, saved } from '../files.mjs';

const link = (text) => `#1.${deflateRawSync(text).toString('base64url')}`;
const open = async (page) => {
  await page.dialog('share');
  await page.until(`return !!find(['ap-share', '#link'])`);
};

// A sound document with one part that is odd, in every way that JSON allows.
const parts = [0, false, '', null, '&<>"\'', '\u202eabc', '\ud83d\ude00', -1e300, [], {}, [[]], [null],
  [[0, false], ['']], 'x'.repeat(3000), { type: '' }, { type: 0 }, [{ type: null }], '<img src=x onerror=alert(1)>'];
const places = ['title', 'seed', 'inputs', 'inputs.x', 'inputs.x.tokens', 'inputs.x.features', 'inputs.x.features.type',
  'inputs.y', 'mechanism', 'mechanism.type', 'mechanism.score', 'mechanism.mask', 'mechanism.heads',
  'mechanism.heads.count', 'mechanism.inputs', 'parameters', 'outputs', 'gradient'];
function odd(k) {
  const tokens = ['<b>', '', '&amp;', '\u0000', '\ud83d\ude00'];
  const made = { schema: 'attention-playground/1', seed: k,
    inputs: { x: { tokens, features: { type: 'embedding', dim: 4 } } },
    mechanism: { query: 'self-attention', heads: { type: 'multi-head', count: 2 } } };
  const path = places[k % places.length].split('.');
  let at = made;
  for (const part of path.slice(0, -1)) at = at[part];
  // 7 and 18 share no factor, so that in time every place meets every part.
  at[path.at(-1)] = parts[(k * 7 + Math.floor(k / places.length)) % parts.length];
  return made;
}

export const share = [
  {
    name: 'share: the dialog holds a link that brings everything back, and the same as a file',
    async run(page, origin) {
      await page.fill('4242', 'ap-knob[data-path="/seed"]', 'input.num');
      const held = await page.document();
      await open(page);
      equal(await page.axe(), [], 'axe');
      const url = await page.run(`return find(['ap-share', '#link']).value`);
      ok(url.startsWith(`${origin}/#1.`), url);
      equal(Number(await page.run(`return find(['ap-share', '[data-length]']).dataset.length`)), url.length,
        'the length it says');
      ok((await page.run(`return find(['ap-share', '#markdown']).value`)).endsWith(`](${url})`), 'Markdown');
      await catchSaved(page);
      await page.click('ap-share', '[data-save="document"]');
      const file = await saved(page);
      equal([JSON.parse(file.text), file.name], [held, 'transformer-decoder.json'], 'the file');
      await page.leave();
      await page.go(url);
      equal(await page.document(), held, 'from the link');
      await compare(page, 'from the link');
      await page.clickText('button', 'Draw again');
      await drop(page, file.name, 'application/json', file.bytes);
      await page.click('ap-bring', '[data-use]');
      equal(await page.document(), held, 'from the file');
    },
  },
  {
    name: 'share: a bad link met while working is told of, and the work stays',
    async run(page) {
      await page.fill('77', 'ap-knob[data-path="/seed"]', 'input.num');
      const held = await page.document();
      const bad = [['#1.AAAA!!!', 'damaged'], ['#9.abc', 'another version'],
        [link('{"schema":"s","inputs":{},"mechanism":{"__proto__":{"a":1}}}'), 'does not contain an experiment'],
        [link(JSON.stringify({ ...held, mechanism: { type: 'no-such-thing' } })), 'could not be computed'],
        [link(JSON.stringify({ ...held, inputs: { x: { tokens: ['a', '\ud83d'] } } })), 'half a character'],
        [link(`{"schema":"s","inputs":{},"mechanism":{"a":${'['.repeat(20000)}${']'.repeat(20000)}}}`), '']];
      for (const [hash, word] of bad) {
        await page.run(`location.hash = values[0]`, hash);
        await page.until(`return !!find(['.notice'])`);
        await page.settled();
        const said = await page.text('.notice');
        ok(said.includes(word) && said.includes('Your document is unchanged'), `said: ${said}`);
        equal(await page.document(), held, 'the work');
        await page.clickText('.notice button', 'Dismiss');
      }
      await compare(page, 'after bad links');
      await page.click('ap-header', '[aria-label="Undo"]');
      equal((await page.document()).seed, 511, 'undo still knows the way');
    },
  },
  {
    name: 'share: odd documents in links never break the page',
    async run(page) {
      const kinds = new Set();
      for (let k = 0; k < 108; k++) {
        await page.run(`location.hash = values[0]`, link(JSON.stringify(odd(k))));
        await page.settled();
        await page.until(`const { store } = document.querySelector('attention-playground'); return `
          + `!store.sessions.busy && store.sessions.result !== undefined`);
        kinds.add((await page.text('.notice'))?.slice(0, 20) ?? 'computed');
        ok(await page.run(`return find(['attention-playground', 'img, script, iframe'], true).length === 0`),
          'markup stays text');
      }
      ok(kinds.size > 2, [...kinds].join());
      await page.run(`location.hash = ''`);
      await page.clickText('button', 'Draw again');
      await compare(page, 'after odd links');
    },
  },
  {
    name: 'share: a link on a narrow screen shows something before the engine has come',
    view: { width: 360, height: 800 },
    hash: link(JSON.stringify({ schema: 'attention-playground/1', seed: 5,
      inputs: { x: { tokens: ['one', 'two', 'three'], features: { type: 'embedding', dim: 4 } } },
      mechanism: { query: 'self-attention' } })),
    async run(page) {
      const at = await page.run(`
        const host = document.querySelector('attention-playground');
        const { result } = host.store.sessions;
        host.store.sessions.present(undefined);
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        const flow = find(['ap-flow']);
        const shown = flow.shadowRoot.querySelector('ap-matrix, canvas')?.getBoundingClientRect();
        host.store.sessions.present(result);
        return shown && [shown.width, shown.height];`);
      ok(at && at[0] > 100 && at[1] > 50, `grey shapes: ${at}`);
      await page.settled();
      equal((await page.document()).inputs.x.tokens, ['one', 'two', 'three'], 'the link');
    },
  },
];

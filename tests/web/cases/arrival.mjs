// SPDX-License-Identifier: Apache-2.0
// What a link, an embed or a lesson opens is seen when it is drawn: nothing moves before the reader's first action.
import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { ok } from '../check.mjs';

const read = (path) => JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'));
const packed = (document, more = {}) =>
  `1.${deflateRawSync(JSON.stringify({ ...document, ...more })).toString('base64url')}`;
const example = (name) => read(`examples/${name}.json`).document ?? read(`examples/${name}.json`);
const linked = (name, more) => `/#${packed(example(name), more)}`;
const compared = { editing: 'A', mechanism: { type: 'attention', query: 'self-attention', score: 'dot' } };

const OPENED = [
  ['a link', linked('bahdanau')],
  ['a link to a locked cell and the table', linked('transformer-head', { seen: { table: 'weights',
    lock: { group: 'outputs', tensor: 'weights', index: [1, 2] } } })],
  ['a link to a model of several modules', linked('models/transformer')],
  ['a link to a trained model', linked('trained/transformer')],
  ['a link to Train', linked('trained/translate', { seen: { place: 'train' } })],
  ['a link with a comparison', linked('see-that-girl-run', { compare: compared })],
  ['a link to the real model', `/#${packed(read('tools/real/document.json'))}`],
  ['a lesson', '/#lesson=heads&step=2'],
  ['a lesson in Compare', '/#lesson=pairs-needed'],
  ['an embed', `/embed.html#${packed(example('sparsemax'))}`],
  ['an embed of the whole page', `/embed.html#${packed(example('bahdanau'))}&full=1`],
];

export const arrivals = OPENED.map(([name, address]) => ({
  first: true,
  only: 'chromium',
  view: { width: 1440, height: 900 },
  name: `opened from outside: nothing moves: ${name}`,
  async run(page, origin) {
    await page.leave();
    // The real model waits for the reader's consent, and nothing is computed.
    await page.driver.goto(origin + address);
    await page.until(`const host = document.querySelector('attention-playground');
      return host?.store && host.resting && !host.hasAttribute('arriving')`);
    const { moved, shown } = await page.run(`const watch = new PerformanceObserver((list) => moved.push(
        ...list.getEntries().map(({ value, startTime, sources }) => [value, startTime, ...sources.map(
          ({ previousRect, currentRect }) => [previousRect.toJSON(), currentRect.toJSON()])])));
      const moved = [];
      watch.observe({ type: 'layout-shift', buffered: true });
      await new Promise((resolve) => setTimeout(resolve, 500));
      const parts = find(['.middle .scroll > *, ap-compact, ap-train, ap-efficient'], true);
      return { moved, shown: parts.filter((part) => getComputedStyle(part).visibility === 'visible').length };`);
    ok(shown > 0, 'it is seen');
    const sum = moved.reduce((total, [value]) => total + value, 0);
    ok(sum < 0.001, `moved by ${sum}: ${JSON.stringify(moved)}`);
  },
}));

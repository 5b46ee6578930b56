// SPDX-License-Identifier: Apache-2.0
// A few of what web/test/proposals.test.ts tries by the thousand, pressed on the page: one entry of each menu of six
// documents, one that goes into another, one that is refused, and the picture meanwhile.
import { readFileSync } from 'node:fs';
import { equal, ok } from '../check.mjs';

const store = `document.querySelector('attention-playground').store`;
const system = (id) =>
  JSON.parse(readFileSync(new URL(`../../../systems/${id}.json`, import.meta.url), 'utf8')).document;
const open = async (page, document) => {
  await page.run(`await ${store}.learn(); ${store}.documents.replace(values[0])`, document);
  await page.settled();
  await page.run(`for (const button of find(['ap-panel', '[data-more]'], true)) button.click();
    await find(['ap-panel'])?.updateComplete;`);
};
const menusOf = (page) => page.run(`return find(['ap-panel', 'ap-menu[data-path]'], true)
  .map((one) => one.dataset.path)`);
const at = (path) => path.split('/').slice(1);
const get = (document, path) => at(path).reduce((one, key) => one?.[key], document);
const typeOf = (value) => (typeof value === 'string' ? value : value?.type);

// Everything but what is chosen at a path, its numbers, and what a single module reads.
const without = (document, path, answer = null) => {
  const copy = structuredClone(document);
  const keys = at(path);
  const owner = keys.slice(0, -1).reduce((one, key) => one?.[key], copy);
  if (owner && typeof owner === 'object') delete owner[keys.at(-1)];
  delete copy.parameters;
  // A trained model answers again.
  if (answer !== null) delete copy.inputs[answer].tokens;
  return copy;
};

// Chooses the first entry of a menu that it says can be chosen, once it has looked at all of them.
async function first(page, path) {
  await page.click(`ap-menu[data-path="${path}"]`, 'button');
  await page.until(`return find(['ap-menu[data-path="${path}"]']).hasAttribute('looked')`);
  const id = await page.run(`return find(['ap-menu[data-path="${path}"]', 'li[aria-disabled="false"]'], true)
    .find((one) => one.dataset.id && one.getAttribute('aria-selected') === 'false')?.dataset.id ?? null`);
  if (id === null) await page.press('Escape');
  else await page.click(`ap-menu[data-path="${path}"]`, `li[data-id="${id}"]`);
  return id;
}

const pressed = (name, document, more = {}) => ({
  name: `proposals: one entry of each menu of ${name} is what it says, and nothing else becomes another`,
  ...more,
  async run(page) {
    if (document) await open(page, document);
    else await page.run(`await ${store}.learn()`);
    const start = await page.document();
    let chosen = 0;
    for (const path of await menusOf(page)) {
      if (path === '/mechanism/type') continue;
      const id = await first(page, path);
      if (id === null) continue;
      chosen++;
      const after = await page.document();
      equal(await page.run(`return ${store}.sessions.error ?? null`), null, `${path} ${id}`);
      equal(await page.count('.notice.bad'), 0, `${path} ${id}: no error is shown`);
      const said = (await page.text('ap-panel', `.notice[data-at="${path}"]`)) ?? '';
      // A list holds it besides what is there.
      const there = [get(after, path)].flat().some((one) => typeOf(one) === id);
      ok(there || / is used (inside|instead)/.test(said), `${path} ${id}: ${said}`);
      await page.until(`return !${store}.writer.writing`);
      const answer = await page.run(`return ${store}.writer.truth?.input ?? null`);
      if (start.model) equal(without(after, path, answer), without(start, path, answer), `${path} ${id}: nothing else`);
      await page.run(`${store}.documents.replace(values[0])`, start);
      await page.settled();
    }
    ok(chosen > 2, `${chosen} were chosen`);
  },
});

export const proposals = [
  pressed('the first page', undefined, { first: true }),
  ...['rnnsearch', 'han', 'bert', 'vit', 'linformer-lm'].map((id) => pressed(id, system(id))),
  {
    name: 'proposals: what cannot be is grey with its reason in an open menu, and what goes into another says so',
    async run(page) {
      await open(page, system('han'));
      const path = '/model/0/word/score';
      await page.click(`ap-menu[data-path="${path}"]`, 'button');
      const entry = (id) => `find(['ap-menu[data-path="${path}"]', 'li[data-id="${id}"]'])`;
      await page.until(`return ${entry('general')}.getAttribute('aria-disabled') === 'true'`);
      ok(/this step has no query/.test(await page.run(`return ${entry('general')}.textContent`)), 'the reason');
      await page.until(`return /Used here as/.test(${entry('dot')}.textContent)`);
      ok(/Self-attentive multiplicative/.test(await page.run(`return ${entry('dot')}.textContent`)), 'what it becomes');
      // Until it has looked at all entries, what it says of them moves those below.
      await page.until(`return find(['ap-menu[data-path="${path}"]']).hasAttribute('looked')`);
      const before = await page.document();
      await page.click(`ap-menu[data-path="${path}"]`, 'li[data-id="dot"]');
      const after = await page.document();
      equal(get(after, path), { type: 'self-dot' }, 'the nearest');
      equal(without(after, path), without(before, path), 'the rest of the network is there');
      const said = await page.text('ap-panel', `.notice[data-at="${path}"]`);
      ok(/Dot product.*Self-attentive multiplicative.* is used instead/.test(said), said);
      await page.click('ap-panel', '.notice [data-part="undo"]');
      equal(await page.document(), before, 'one undo');
    },
  },
  {
    name: 'proposals: the entry under the pointer stays there while the reasons of others come',
    async run(page) {
      await open(page, system('han'));
      const path = '/model/0/word/score';
      // As on a machine so slow that one aims meanwhile.
      await page.run(`
        const menu = find(['ap-menu[data-path="${path}"]']);
        const { foresee } = menu;
        menu.foresee = async (item) => {
          await new Promise((resolve) => setTimeout(resolve, 60));
          return foresee(item);
        };`);
      const button = await page.spot(`ap-menu[data-path="${path}"]`, 'button');
      await page.driver.mouse.click(button.x, button.y);
      const list = await page.spot(`ap-menu[data-path="${path}"]`, 'ul');
      const [x, y] = [list.x, list.top + list.height * 0.6];
      await page.driver.mouse.move(x, y - 2);
      await page.driver.mouse.move(x, y);
      const under = () => page.run(`
        const menu = find(['ap-menu[data-path="${path}"]']);
        return [menu.shadowRoot.elementFromPoint(values[0], values[1])?.closest('li')?.dataset.id,
          menu.hasAttribute('looked'), menu.shadowRoot.querySelectorAll('.instead').length]`, x, y);
      const [aimed, looked] = await under();
      equal([typeof aimed, looked], ['string', false], 'an entry, before all of them are looked at');
      for (let done = false; !done;) {
        const [now, all, reasons] = await under();
        equal(now, aimed, `with ${reasons} reasons`);
        done = all;
      }
      ok((await under())[2] > 0, 'reasons came');
    },
  },
  {
    first: true,
    name: 'proposals: the map of the first page stays where it is when its alignment is another',
    async run(page) {
      const map = `find(['ap-flow', 'ap-matrix[data-tensor="decoder.weights"]'])`;
      const top = () => page.run(`return ${map} ? ${map}.getBoundingClientRect().top : null`);
      await page.run(`await ${store}.learn()`);
      const before = await top();
      for (const id of ['sparsemax', 'hard-argmax', 'uniform']) {
        await page.choose('/model/3/attention/alignment', id);
        // What was said of the trained model, three lines of 20 px, no longer holds.
        ok(Math.abs(await top() - before) <= 61, `${id}: ${before} and ${await top()}`);
        equal(await page.count('ap-flow', 'ap-structure'), 0, `${id}: no diagram takes its place`);
      }
    },
  },
];

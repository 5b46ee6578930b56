// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { example } from '../attend.mjs';
import { compare, equal, ok } from '../check.mjs';

// What the page's own menus hold now, and which entries are grey; whoever opens one has the whole catalogue.
const menus = (page) => page.run(`
  await document.querySelector('attention-playground').store.learn();
  for (const button of find(['ap-panel', '[data-more]'], true)) button.click();
  await find(['ap-panel']).updateComplete;
  return find(['ap-menu[data-path]'], true).map((menu) => ({
    path: menu.dataset.path, current: menu.current ?? '',
    items: menu.items().map((item) => ({ id: item.id ?? '', grey: item.refusal })),
  }));`);

const knobs = (page) => page.run(`
  return find(['ap-knob[data-path]'],
    true).map((e) => ({ path: e.dataset.path, knob: e.knob, value: e.store.value(e.path) }));`);

// A value that differs from what stands there, and that the knob's own data allows.
function other({ knob, value }) {
  const low = knob.minimum ?? 0;
  const high = knob.maximum ?? 10;
  const now = typeof value === 'number' ? value : low;
  const next = knob.type === 'integer' ? (now + 1 <= high ? now + 1 : now - 1)
    : now * 0.5 + low * 0.5 || low + (high - low) / 3;
  return String(Number(next.toPrecision(4)));
}

async function refused(page) {
  return page.run(`const { error } = document.querySelector('attention-playground').store.sessions; return error ? `
    + `error.path + ': ' + error.message : null`);
}

// A choice never leaves a bare error: where it does not fit, nothing is changed, and its control says why.
async function choose(page, path, id) {
  const before = await page.document();
  await page.choose(path, id);
  equal(await refused(page), null, `${path} ${id}`);
  const document = await page.document();
  const said = await page.text('ap-panel', `.notice[data-at="${path}"]`);
  if (!said) return false;
  ok(JSON.stringify(document) === JSON.stringify(before) || / is used (inside|instead)/.test(said),
    `${path} ${id}: ${said}`);
  return true;
}

async function turn(page, found) {
  const chain = [`ap-knob[data-path="${found.path}"]`];
  if (found.knob.type === 'boolean') await page.click(...chain, 'button');
  else if (found.knob.type === 'choice') {
    const next = found.knob.choices.find((c) => c !== found.value);
    await page.run(`const s = find(values[0]); s.value = values[1]; s.dispatchEvent(new Event('change'))`,
      [...chain, 'select'], next);
  } else if (found.knob.type === 'matrix') {
    if (await page.count(...chain, 'td button')) await page.click(...chain, 'td:nth-child(2) button');
    else await page.fill((found.value ?? [[0, 1], [1, 2]]).map((row) => [].concat(row).map((one) => one + 1).join(' '))
      .join(';'), ...chain, 'textarea');
  } else if (found.knob.type === 'words')
    await page.fill([...(found.value ?? ['the', 'animal']), 'more'].join(' '), ...chain, 'textarea');
  else if (found.knob.type === 'list') await page.fill('1 2', ...chain, 'input');
  else await page.fill(other(found), ...chain, 'input.num');
  await page.settled();
}

const reset = async (page, start) => {
  await page.run(`document.querySelector('attention-playground').store.documents.change((d) => { for (const k of `
    + `Object.keys(d)) delete d[k]; Object.assign(d, values[0]); })`, start);
  await page.settled();
};

// Every entry of these menus, and every knob that an entry brings: what the page shows is what attend computes.
// Two halves, as even as the catalogue allows; a menu that is new falls into the second.
const FIRST = ['/mechanism/type', '/mechanism/key', '/mechanism/score'];

const sweep = (name, belongs, least) => ({
  name,
  limit: 3_000_000,
  sweep: true,
  async run(page) {
    const start = await page.document();
    const seen = new Set();
    let [tried, examples] = [0, 0];
    for (const menu of (await menus(page)).filter(({ path }) => belongs(path))) {
      for (const { id, grey } of menu.items) {
        if (grey) continue;
        if (id !== menu.current) {
          if (await choose(page, menu.path, id)) examples++;
          await compare(page, `${menu.path} ${id}`);
          tried++;
        }
        for (const found of await knobs(page)) {
          const key = `${id} ${found.path}`;
          if (seen.has(key) || (!found.path.startsWith(menu.path) && seen.has(found.path))) continue;
          seen.add(key).add(found.path);
          await turn(page, found);
          const problem = await refused(page);
          if (problem) ok(await page.count('.error'), `${key}: refused (${problem}) without a word beside the control`);
          else await compare(page, key);
          await page.click('ap-header', '[aria-label="Undo"]');
        }
        await reset(page, start);
      }
    }
    ok(tried > least, `only ${tried} entries could be chosen`);
    ok(examples < tried / 4, `${examples} of ${tried} were refused or put into another`);
    ok(seen.size > 20, `only ${seen.size} knobs were found`);
  },
});

// What stands in lists: taken away, then each other entry put in its place.
const chips = (name, every, more) => ({
  name,
  ...more,
  async run(page) {
    for (const slot of ['mask', 'position']) {
      const list = `.chips[data-path="/mechanism/${slot}"]`;
      await page.click(list, '.chip button');
      equal((await page.document()).mechanism[slot], undefined, `no ${slot}`);
      await compare(page, `no ${slot}`);
      const ids = await page.run(`
        await document.querySelector('attention-playground').store.learn();
        return find([values[0], 'ap-menu']).items().filter((item) => !item.refusal).map(({ id }) => id)`, list);
      ok(ids.length > 4, `${ids.length} are offered for ${slot}`);
      for (const id of ids.filter((_, k) => k % every === 0)) {
        await page.click(list, 'ap-menu', 'button');
        await page.click(list, 'ap-menu', `li[data-id="${id}"]`);
        equal(await refused(page), null, id);
        await compare(page, id);
        await page.click('ap-header', '[aria-label="Undo"]');
      }
      await page.click('ap-header', '[aria-label="Undo"]');
    }
  },
});

export const controls = [
  {
    name: 'what records say is read without raw maths: in the panel, its menus, above the picture and in the gallery',
    async run(page) {
      // The words on the page, whole sentences, without the formulas that are drawn.
      const raw = () => page.run(`
        const found = [];
        const walk = (node) => {
          for (const child of node.childNodes) {
            if (child.nodeType === 3) found.push(child.data);
            else if (child.nodeType === 1 && !child.matches('ap-math, style, script, code, pre, textarea'))
              walk(child.shadowRoot ?? child);
          }
        };
        walk(document.body);
        return found.filter((text) => text.includes(' ') && /\`|\\\\[A-Za-z]|(?<!\\w)[A-Za-z][_^]/.test(text));`);
      const { mechanisms } = await page.catalogue();
      const marked = mechanisms.filter(({ note, sentence, learns }) =>
        [note, sentence, learns].some((text) => /`|\b[A-Za-z][_^]/.test(text ?? '')));
      ok(marked.length > 15, `${marked.length} records with symbols`);
      let maths = 0;
      for (const id of ['luna', 'routing', 'gtrxl', 'multi-head']) {
        await page.run(`document.querySelector('attention-playground').store.documents.begin(values[0])`,
          await example(id));
        await page.settled();
        const labels = await page.count('ap-panel', 'button[aria-expanded]');
        for (let k = 0; k < labels; k++) {
          await page.run(`find(['ap-panel', 'button[aria-expanded]'], true)[values[0]]?.click()`, k);
          await page.settled();
          equal(await raw(), [], `${id}, ${k}`);
          maths += await page.count('ap-panel', '.about .note ap-math, .about .note code, .about .note bdi');
        }
      }
      ok(maths > 3, `${maths} symbols drawn in notes`);
      for (const id of ['resan', 'attention-unet']) {
        await page.run(`document.querySelector('attention-playground').store.documents.begin(values[0])`,
          JSON.parse(readFileSync(new URL(`../../../systems/${id}.json`, import.meta.url))).document);
        await page.settled();
        equal(await raw(), [], id);
        ok(await page.count('[data-part="system"] ap-math') > 0, `${id}: its symbols`);
      }
    },
  },
  {
    name: 'the first memory of a cell is offered where the cell keeps one, and where the document has it',
    async run(page) {
      const document = await example('om-decoder');
      const [path, decoder] = Object.entries(document.model ?? {}).map(([name, one]) => [`/model/${name}`, one])
        .find(([, one]) => one.type === 'om-decoder') ?? ['/mechanism', document.mechanism];
      const offered = async (cell, more = {}) => {
        const set = structuredClone(document);
        const at = path === '/mechanism' ? set.mechanism : set.model[path.split('/')[2]];
        Object.assign(at, { ...decoder, cell: { type: cell }, ...more });
        await reset(page, set);
        return (await knobs(page)).some((one) => one.path === `${path}/first-memory`);
      };
      equal([await offered('lstm'), await offered('gru'), await offered('rnn'),
        await offered('gru', { 'first-memory': 'zeros' })], [true, false, false, true], 'by cell');
    },
  },
  sweep('every structure, key and score, and every knob of theirs, computes what attend computes',
    (path) => FIRST.includes(path), 30),
  sweep('every other entry of a menu, and every knob of theirs, computes what attend computes',
    (path) => !FIRST.includes(path), 30),
  chips('every sixth mask and position can be added, and what stood there removed', 6),
  chips('every mask and position can be added', 1, { sweep: true, limit: 1_200_000 }),
  {
    name: 'a slider drags live and is one undo step',
    async run(page) {
      const before = await page.document();
      const chain = ['ap-knob[data-path="/mechanism/heads/count"]', 'input[type="range"]'];
      const box = await page.spot(...chain);
      await page.driver.mouse.move(box.left + 10, box.y);
      await page.driver.mouse.down();
      for (let k = 1; k <= 6; k++) await page.driver.mouse.move(box.left + 10 + k * 8, box.y);
      await page.driver.mouse.up();
      await page.settled();
      ok((await page.document()).mechanism.heads.count !== before.mechanism.heads.count, 'the number of heads changed');
      await compare(page, 'after the drag');
      await page.click('ap-header', '[aria-label="Undo"]');
      equal(await page.document(), before, 'one step back');
    },
  },
  {
    name: 'arrow keys on a slider that follow each other are one undo step, until the focus leaves it',
    async run(page) {
      const before = await page.document();
      const chain = ['ap-knob[data-path="/mechanism/heads/count"]', 'input[type="range"]'];
      const depth = () => page.run(`return document.querySelector('attention-playground').store.documents.depth`);
      const first = await depth();
      // However slow the machine is, the presses follow each other within a second.
      await page.run(`const now = performance.now.bind(performance); performance.now = () => now() / 1000;
        find(values[0]).focus()`, chain);
      for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowRight']) await page.press(key);
      equal(await depth(), first + 1, 'three presses');
      const after = await page.document();
      ok(after.mechanism.heads.count !== before.mechanism.heads.count, 'the number of heads changed');
      await page.run(`find(values[0]).blur(); find(values[0]).focus()`, chain);
      await page.press('ArrowRight');
      equal(await depth(), first + 2, 'a press after the focus was elsewhere');
      await page.chord('Control', 'z');
      equal(await page.document(), after, 'one step back');
      await page.chord('Control', 'z');
      equal(await page.document(), before, 'and another');
    },
  },
  {
    name: 'an impossible value is refused beside its control, and the last picture stays',
    async run(page) {
      const shown = await page.table('weights');
      await page.fill('-3', 'ap-knob[data-path="/mechanism/heads/count"]', 'input.num');
      const said = await page.text('ap-knob[data-path="/mechanism/heads/count"]', '.error');
      ok(said?.includes('Still showing'), `said: ${said}`);
      equal(await page.table('weights'), shown, 'the picture');
      await page.fill('2', 'ap-knob[data-path="/mechanism/heads/count"]', 'input.num');
      equal(await page.count('ap-knob[data-path="/mechanism/heads/count"]', '.error'), 0, 'the word is gone');
      await compare(page, 'after the error');
    },
  },
  {
    name: 'empty places that few ask for stand behind one button, which opens them all',
    async run(page) {
      const empty = () => page.run(`return find(['ap-panel', 'ap-menu[data-path$="/core"]'], true).length`);
      equal(await empty(), 0, 'the place of a core, at first');
      await page.click('ap-panel', '[data-more]');
      ok((await empty()) > 0, 'the place of a core, opened');
      equal(await page.run(`return find(['ap-panel', '[data-more]'], true).length`), 0, 'buttons left');
    },
  },
  {
    name: 'what is taken home stands in one menu, which the keys open, walk through and shut',
    async run(page) {
      const items = () => page.run(`return find(['ap-home', '[role="menuitem"]'], true).map((e) => e.dataset.dialog)`);
      const focus = () => page.run(`return find(['ap-home'])?.shadowRoot.activeElement?.dataset.dialog ?? ''`);
      equal(await items(), [], 'shut at first');
      await page.click('ap-home', '[data-part="home"]');
      equal(await items(), ['share', 'embed', 'take', 'lecture'], 'what it holds');
      equal(await focus(), 'share', 'the first has the focus');
      await page.press('ArrowUp');
      equal(await focus(), 'lecture', 'round to the last');
      await page.press('Escape');
      equal(await items(), [], 'shut by Escape');
      equal(await page.run(`return find(['ap-home']).shadowRoot.activeElement?.dataset.part`), 'home', 'focus returns');
    },
  },
];

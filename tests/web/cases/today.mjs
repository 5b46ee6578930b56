// SPDX-License-Identifier: Apache-2.0
import { equal, ok } from '../check.mjs';

// All of them are a sweep; these are of every family.
const EVERY = 16;

const store = `document.querySelector('attention-playground').store`;

async function open(page, id) {
  await page.run(`const { sessions, documents } = ${store};
    const reply = await sessions.client.ask({ kind: 'example', of: values[0] });
    documents.replace(JSON.parse(reply.text));`, id);
  await page.settled();
}

async function openSystem(page, id) {
  const { systems } = await page.catalogue();
  await page.run(`${store}.documents.replace(values[0])`, systems.find((one) => one.id === id).document);
  await page.settled();
}

const opening = (name, which, more) => ({
  name,
  ...more,
  async run(page) {
    const all = (await page.catalogue()).mechanisms;
    ok(all.length > 300, `${all.length} mechanisms`);
    for (const { id } of all.filter(which)) {
      await open(page, id);
      equal(await page.run(`return ${store}.sessions.error ?? null`), null, id);
      ok((await page.count('ap-flow', 'ap-matrix')) > 0, `${id}: a picture`);
      ok((await page.count('ap-steps', 'li')) > 0, `${id}: stages`);
      equal(await page.run(`return document.scrollingElement.scrollWidth - innerWidth`), 0,
        `${id}: nothing is wider than the page`);
    }
  },
});

export const today = [
  opening('mechanisms: every sixteenth example opens, is computed, and is drawn with its stages',
    (_, k) => k % EVERY === 0),
  opening('mechanisms: each example opens, is computed, and is drawn with its stages', () => true,
    { sweep: true, limit: 1_800_000 }),
  {
    name: 'a core of today has a signed map, and its memory follows the row that is pointed at',
    async run(page) {
      await open(page, 'gated-deltanet');
      const kind = await page.run(`return find(['ap-flow', 'ap-legend'], true).map((one) => one.kind)`);
      ok(kind.includes('signed'), `scales: ${kind}`);
      const row = () => page.until(`return find(['ap-view', '[data-row]'])?.dataset.row`);
      equal(await row(), '4', 'the last row at first');
      const map = await page.run(`return find(['ap-flow', 'ap-matrix'], true)
        .map((one) => one.plane.tensor).find((one) => one.role === 'weights').name`);
      await page.run(`${store}.selection.hold({ group: 'outputs', tensor: values[0], index: [2, 1] })`, map);
      await page.settled();
      equal(await row(), '2', 'the row of the locked cell');
      equal(await page.text('ap-view', '.followed span'), '2');
      equal(await page.count('ap-view', '.strip-of li'), 5);
    },
  },
  {
    name: 'chosen blocks are as wide as their keys, and two maps of a differential head are no hops',
    async run(page) {
      await open(page, 'quest');
      await page.until(`return find(['ap-view', '.block-names li'], true).length === 6`);
      equal(await page.run(`return find(['ap-view', '.block-names li'], true).slice(0, 3)
        .map((one) => one.textContent.trim()).join('; ')`), '0 – 1; 2 – 3; 4 – 5');
      await open(page, 'differential');
      equal(await page.count('ap-timeline'), 0);
    },
  },
  {
    name: 'cost says what must be kept: a window stops growing, a latent row is small, a state stays as it is',
    async run(page) {
      const kept = async (id) => {
        await openSystem(page, id);
        await page.clickText('button', 'Cost');
        const found = await page.until(`const cells = find(['ap-kept', 'td[data-bytes]'], true);
          return cells.length === 3 && cells.map((one) => Number(one.dataset.bytes))`);
        await page.press('Escape');
        return found;
      };
      // Two layers of two key heads, 8 wide, in four bytes.
      equal((await kept('llama')).join(), [128, 1024, 16_384].map((n) => n * 256).join());
      equal((await kept('mistral')).join(), [1024, 1024, 1024].join());
      equal((await kept('deepseek-v2')).join(), [128, 1024, 16_384].map((n) => n * 128).join());
      equal(new Set(await kept('retnet')).size, 1);
    },
  },
  {
    name: 'Compare sets two systems side by side: what differs, what a part does, and that part alone in A',
    async run(page) {
      await openSystem(page, 'llama');
      await page.run(`${store}.view.show({ place: 'compare' })`);
      await page.until(`return find(['ap-beside', '[data-part="beside"]'])?.options.length > 70`);
      await page.run(`const menu = find(['ap-beside', '[data-part="beside"]']);
        menu.value = 'gpt-oss'; menu.dispatchEvent(new Event('change'));`);
      await page.settled();
      const heading = () => page.until(
        `return find(['ap-beside', '[data-part="beside-heading"]'])?.textContent.trim()`);
      ok(/: 5 of \d+ parts differ/.test(await heading()), await heading());
      equal(await page.count('ap-beside', '.row'), 5);
      await page.until(`return find(['ap-beside', 'figure[data-side]'], true).length === 2`);
      const sums = await page.until(`const map = find(['ap-beside', 'figure[data-side="B"] ap-matrix']);
        return map && Array.from({ length: map.plane.rows }, (_, i) => Array.from({ length: map.plane.cols },
          (__, j) => map.plane.at(i, j)).reduce((a, b) => a + b, 0))`);
      ok(sums.every((sum) => Math.abs(sum - 1) < 1e-3), `rows with the weight on nothing sum to ${sums}`);
      // The part that is an alignment, by keyboard.
      await page.run(`find(['ap-beside', '.row'])?.focus()`);
      await page.press('ArrowDown');
      await page.run(`find(['ap-beside', '.row'], true)
        .find((one) => one.textContent.includes('Alignment')).focus()`);
      await page.press('Enter');
      ok((await page.text('ap-beside', '[data-part="more"]')).includes('sink'), 'it is explained');
      await page.click('ap-beside', '[data-part="give"]');
      ok(/: 4 of \d+ parts differ/.test(await heading()), await heading());
      equal(await page.run(`return ${store}.documents.document.model[1].attention.alignment`), 'learned-sink');
      await page.chord('Control', 'z');
      ok(/: 5 of \d+ parts differ/.test(await heading()), 'undo takes it back');
    },
  },
  {
    name: 'Compare sets two trained translators side by side: both maps are learned, and both decoders are counted',
    async run(page) {
      await openSystem(page, 'luong');
      await page.run(`${store}.view.show({ place: 'compare', beside: 'rnnsearch' })`);
      const tops = (side) => page.until(`const map = find(['ap-beside', 'figure[data-side="${side}"] ap-matrix']);
        return map && Array.from({ length: map.plane.rows }, (_, i) => Math.max(...Array.from(
          { length: map.plane.cols }, (__, j) => map.plane.at(i, j))))`);
      ok(Math.max(...await tops('B')) > 0.8, `B aligns: ${await tops('B')}`);
      // A has random weights here, and says so; with those that ship it does not.
      equal(await page.run(`return find(['ap-beside', 'figure[data-side]'], true)
        .map((one) => one.querySelector('[data-part="untrained"]')?.textContent ?? '')`), ['untrained', '']);
      const kept = await page.until(`const all = find(['ap-kept', 'details[data-kept]'], true);
        return all.length === 2 && all.map((one) => [...one.querySelectorAll('tbody tr')]
          .map((row) => row.cells[0].textContent + ' ' + row.cells[2].textContent))`);
      equal(kept, [['decoder 12', 'decoder 12', 'decoder 12'], ['decoder 24']], 'what each decoder keeps');
      equal(await page.count('ap-kept', '[data-part="until"]'), 0, 'both are counted up to one result');
      ok(!(await page.run(`return find(['ap-beside', '.rows'])?.textContent`)).includes('null'), 'no raw null');
      // Names of rows stand beside their own map.
      const [a, b] = await page.run(`return ['A', 'B'].map((side) => find(['ap-beside',
        'figure[data-side="' + side + '"]'])).map((one) => [one.querySelector('ap-matrix'), ...one
        .querySelectorAll('.queries span')].map((each) => each.getBoundingClientRect())
        .map(({ left, right }) => [left, right]))`);
      ok(b.length === 5 && b.slice(1).every(([left]) => left >= a[0][1]), `${JSON.stringify([a[0], b])}`);
    },
  },
];

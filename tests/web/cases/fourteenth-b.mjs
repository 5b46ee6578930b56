// SPDX-License-Identifier: Apache-2.0
// What the fourteenth stranger stumbled over: names in the diagram, classes, and the order of the Tab key.
import { equal, ok } from '../check.mjs';
import { open } from '../gallery.mjs';

const store = `document.querySelector('attention-playground').store`;

// Where the focus is: the element that holds it, and its place on the whole sheet of Compare.
const stop = (page) => page.run(`
  let at = document.activeElement;
  let host = '';
  while (at?.shadowRoot?.activeElement) [host, at] = [at.localName, at.shadowRoot.activeElement];
  const { left, top, right, bottom } = at.getBoundingClientRect();
  const down = -find(['ap-beside']).getBoundingClientRect().top;
  return { host: at === document.body ? 'body' : host, left, right, top: top + down, bottom: bottom + down };`);

const inCompare = (width) => ({
  first: true,
  view: { width, height: 900 },
  name: `fourteenth: in Compare, the Tab key follows what is seen at ${width} px and is never lost`,
  async run(page) {
    await page.run(`${store}.documents.replace(values[0])`, (await import('../../../examples/transformer-head.json',
      { with: { type: 'json' } })).default);
    await page.settled();
    await page.click('ap-header', '[data-place="compare"]');
    const menu = `find(['ap-efficient', 'select[aria-label="A cheaper form"]'])`;
    await page.until(`return !!${menu}`);
    await page.run(`${menu}.value = [...${menu}.options].find(({ textContent }) => textContent.trim() === 'Performer')
      .value; ${menu}.dispatchEvent(new Event('change', { bubbles: true }))`);
    await page.until(`return find(['ap-implied', 'ap-heat'], true).length === 3
      && !!find(['ap-growth', 'summary']) && !!find(['ap-cost-table', '[data-part="json"]'])`);
    await page.settled();
    await page.run(`find(['ap-beside', 'select']).focus()`);
    const stops = [await stop(page)];
    for (let k = 0; k < 40 && stops.at(-1).host !== 'ap-cost-table'; k++) {
      await page.driver.keyboard.press('Tab');
      await page.settled();
      stops.push(await stop(page));
    }
    const hosts = stops.map(({ host }) => host);
    ok(!hosts.includes('body'), `no stop is lost: ${hosts}`);
    for (const host of ['ap-heat', 'ap-knob-error', 'ap-growth', 'ap-cost-table']) ok(hosts.includes(host), host);
    // Each further one is below, or beside it to the right; a column of charts is read as a whole.
    for (const [k, next] of stops.slice(1).entries()) {
      const before = stops[k];
      ok(next.top >= before.bottom - 1 || next.left >= before.right - 1 || next.top >= before.top,
        `${next.host} after ${before.host}: ${JSON.stringify([before, next])}`);
    }
    const maps = stops.filter(({ host }) => host === 'ap-heat');
    equal(maps, maps.toSorted((a, b) => a.top - b.top || a.left - b.left), 'maps in the order in which they are seen');
    equal(maps.length, 3, 'maps');
  },
});

export const fourteenthB = [
  ...[1440, 1100, 360].map(inCompare),
  {
    first: true,
    name: 'fourteenth: the far end of a wire is named by the module that it comes from or goes to',
    async run(page) {
      await open(page, 'llama');
      await page.until(`return find(['ap-structure', '.node'], true).length > 8`);
      const flags = await page.run(`return find(['ap-structure', '.flag'], true).map((one) =>
        [...one.childNodes].filter((part) => part.nodeType === Node.TEXT_NODE).map((part) => part.data).join('')
          .trim())`);
      ok(flags.length > 0 && !flags.some((one) => one.includes('Output')), `${flags}`);
      ok(flags.some((one) => one.startsWith('block 1')), `${flags}`);
      const boxes = await page.run(`return find(['ap-structure', '.node b'], true)
        .map((one) => one.textContent.trim())`);
      ok(boxes.includes('Output of block 1') && !boxes.includes('Output'), `${boxes}`);
      equal(await page.axe(), [], 'axe');
    },
  },
];

// SPDX-License-Identifier: Apache-2.0
// The diagram of a system of several modules: frames, wires, and the loop of what runs in time.
import { readFileSync } from 'node:fs';
import { equal, ok } from '../check.mjs';

const store = `document.querySelector('attention-playground').store`;
const system = (id) => JSON.parse(
  readFileSync(new URL(`../../../systems/${id}.json`, import.meta.url), 'utf8')).document;
const show = async (page, id) => {
  await page.run(`${store}.documents.replace(values[0])`, system(id));
  await page.settled();
  // With a single attention the diagram is unfolded on demand.
  if ((await page.count('ap-flow', 'details.structure')) > 0) await page.click('ap-flow', 'details.structure summary');
  await page.until(`return find(['ap-structure', '.node'], true).length > 2`);
};
const box = (page, id) => page.run(`
  const node = find(['ap-structure', '[data-node="' + values[0] + '"]']);
  const { left, top, right, bottom } = node.getBoundingClientRect();
  return { left, top, right, bottom };`, id);
// The middle of the wire that is drawn between two boxes: where a pointer would aim at.
const onWire = (page, from, to) => page.run(`
  const host = find(['ap-structure']);
  const at = host.drawn.graph.edges.findIndex((one) => one.from === values[0] && one.to === values[1]);
  host.scrollIntoView({ block: 'center' });
  const hit = host.shadowRoot.querySelectorAll('.hit')[at];
  const { x, y } = hit.getPointAtLength(hit.getTotalLength() / 2);
  const spot = new DOMPoint(x, y).matrixTransform(hit.getScreenCTM());
  return { x: spot.x, y: spot.y };`, from, to);
const carried = (page) => page.text('ap-structure', '[data-part="carried"]');

export const structure = [
  {
    name: 'structure: a wire says what it brings, with its letter, and leads to it',
    async run(page) {
      await show(page, 'pointer-network');
      equal(await page.run(`return find(['ap-structure', 'svg text'], true).map((e) => `
        + `[...e.querySelectorAll('tspan')].map((t) => t.textContent).join(''))`), ['Q', 'KV'], 'letters at the wires');
      const { x, y } = await onWire(page, 'module encoder', 'module pointer.attention');
      const tops = () => page.run(`return find(['ap-structure', '.node'], true).map((e) => `
        + `e.getBoundingClientRect().top - find(['ap-structure']).getBoundingClientRect().top)`);
      const stood = await tops();
      ok(Math.min(...stood) < 40, `the diagram begins under the line above it: ${stood}`);
      await page.driver.mouse.move(x, y);
      await page.settled();
      equal(await tops(), stood, 'nothing moves');
      ok((await carried(page)).startsWith('encoder feeds attention: Keys and Values'), await carried(page));
      ok((await carried(page)).includes('5 × 8'), 'with its shape');
      await page.driver.mouse.click(x, y);
      await page.until(`return ${store}.view.module === 'pointer.attention'`);
      await page.until(`
        let at = document.activeElement;
        while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
        return at?.getRootNode().host?.dataset.tensor === 'pointer.attention.key';`);
    },
  },
  {
    name: 'structure: what stands inside a module stands in its frame, before and after in boxes of their own',
    async run(page) {
      await show(page, 'han');
      equal(await page.run(`return find(['ap-structure', '.node'], true).map((e) => e.dataset.node)`),
        ['input text', 'module document', 'module document 2', 'module document.sentence', 'module class'], 'boxes');
      const frame = await page.run(`const { left, top, right, bottom } = find(['ap-structure', `
        + `'.frame']).getBoundingClientRect(); return { left, top, right, bottom }`);
      for (const id of ['module document', 'module document 2', 'module document.sentence', 'module class']) {
        const one = await box(page, id);
        const inside = one.left >= frame.left && one.right <= frame.right && one.top >= frame.top
          && one.bottom <= frame.bottom;
        equal(inside, id !== 'module class', `${id} in the frame`);
      }
      // What is computed first stands first, and what has no results of its own is named.
      ok((await box(page, 'module document')).right < (await box(page, 'module document.sentence')).left, 'order');
      ok((await page.text('ap-structure', '[data-node="module document"]')).includes('words: '), 'holds words');
      await page.click('ap-structure', '[data-node="frame document"]');
      equal(await page.run(`return ${store}.view.control?.path ?? null`), '/model/0', 'its controls');
      // The keyboard comes to the frame's name, too.
      await page.run(`find(['ap-structure', '[data-node="module document"]']).focus()`);
      await page.press('ArrowUp');
      equal(await page.run(`return find(['ap-structure']).at`), 'frame document', 'by arrow');
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    name: 'structure: what runs in time has a dashed loop below its box, beside it on a phone',
    async run(page) {
      await show(page, 'rnnsearch');
      const loops = () => page.run(`return find(['ap-structure', 'svg .later'], true).map((e) => { const { left, top, `
        + `right, bottom } = e.getBoundingClientRect(); return { left, top, right, bottom } })`);
      const [wide, ...more] = await loops();
      equal(more, [], 'one loop');
      const decoder = await box(page, 'module decoder');
      ok(wide.bottom > decoder.bottom && wide.left >= decoder.left && wide.right <= decoder.right, 'below');
      ok((await page.text('ap-structure', '[data-part="hint"]')).includes('Dashed lines: '),
        'it is said what dashed is');
      await page.driver.setViewportSize({ width: 390, height: 844 });
      await page.until(`return find(['ap-flow', 'details.structure'], true).length > 0`);
      await page.click('ap-flow', 'details.structure summary');
      await page.until(`return find(['ap-structure'], true).length > 0 && find(['ap-structure']).width < 400`);
      await page.settled();
      const [narrow] = await loops();
      const small = await box(page, 'module decoder');
      ok(narrow.right > small.right && narrow.top >= small.top && narrow.bottom <= small.bottom, 'beside');
      ok(await page.run(`return document.scrollingElement.scrollWidth <= 390`), 'no sideways scrolling');
    },
  },
  {
    name: 'structure: the chosen module stands large below the whole diagram, and nothing scrolls sideways',
    async run(page) {
      await show(page, 'transformer');
      const at = () => page.run(`
        const box = (e) => { const { left, top, right, bottom } = e.getBoundingClientRect();
          return { left, top, right, bottom }; };
        const host = find(['ap-structure']);
        const large = host.shadowRoot.querySelector('.large');
        return { name: large.querySelector('h2').textContent, large: box(large), host: box(host),
          weights: box(find(['ap-structure', '.place.weights ap-matrix'])),
          nodes: [...host.shadowRoot.querySelectorAll('.node')].map(box),
          ends: [...large.querySelectorAll('.ends button')].map((e) => e.textContent) };`);
      for (const width of [1440, 1024]) {
        await page.driver.setViewportSize({ width, height: 900 });
        await page.settled();
        await page.run(`find(['ap-structure', '[data-node="module cross-1"]']).click()`);
        await page.until(`return find(['ap-structure']).shadowRoot.querySelector('.large h2').textContent === `
          + `'cross 1'`);
        await page.settled();
        const { large, host, weights, nodes, ends } = await at();
        ok(nodes.every((one) => one.left >= host.left - 1 && one.right <= host.right + 1), `${width}: boxes fit`);
        ok(weights.left > large.left && weights.right < large.right && weights.top > large.top
          && weights.bottom < large.bottom, `${width}: the picture stands in the frame`);
        ok(nodes.every((one) => one.bottom <= large.top + 1), `${width}: it parts nothing`);
        equal(ends, ['decoder 1', 'encoder ffn 2', 'decoder ffn 1'], 'whom it takes from and gives to');
      }
      // What is no attention stands large, too, with what it gives.
      await page.run(`find(['ap-structure', '[data-node="module encoder-ffn-1"]']).click()`);
      await page.until(`return find(['ap-structure', 'figure ap-matrix[data-tensor="encoder-ffn-1.output"]'], true)`
        + `.length === 1`);
      equal((await at().catch(() => ({ name: 'no weights' }))).name, 'no weights', 'no map of another module');
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    name: 'structure: the boxes fit the names of another language, and the title of a frame stays readable',
    async run(page) {
      await show(page, 'transformer');
      const places = () => page.run(`return find(['ap-structure', '.node'], true).map((e) => e.getAttribute('style'))`);
      const english = await places();
      await page.run(`const select = find(['ap-language', 'select']);
        select.value = 'de';
        select.dispatchEvent(new Event('change', { bubbles: true }))`);
      await page.until(`return find(['ap-structure'])?.drawn.language === 'de'`);
      await page.settled();
      const german = await places();
      ok(String(german) !== String(english), 'German names need other boxes');
      await page.run(`const diagram = find(['ap-structure']);
        diagram.drawn = undefined;
        diagram.requestUpdate();`);
      await page.settled();
      equal(await places(), german, 'the boxes are those of a diagram that begins in German');
      ok(!(await page.run(`return find(['ap-structure', '.named'], true).map((e) => getComputedStyle(e)
        .backgroundColor)`)).includes('rgba(0, 0, 0, 0)'), 'letters of a wire end before a title');
    },
  },
];

// SPDX-License-Identifier: Apache-2.0
// Systems that open trained: from the gallery, with their weights, and what is said of them.
import { readFileSync } from 'node:fs';
import { compare, equal, ok, patiently } from '../check.mjs';

const record = JSON.parse(readFileSync(new URL('../../../data/learned.json', import.meta.url), 'utf8'));
const THREE = ['llama', 'memn2n', 'luong'];
const item = (id) => ['ap-gallery', `.preset[data-kind="system"][data-id="${id}"]`];
const gallery = async (page) => {
  await page.click('ap-header', '[data-dialog="presets"]');
  await page.until(`return !!find(['ap-gallery', '.preset[data-kind="system"]'])`);
};
const unfold = (page) => page.run(`for (let k = 0; k < 40; k++) { const more = find(['ap-gallery', `
  + `'[data-all][aria-expanded="false"]']); if (!more) break; more.click(); await `
  + `find(['ap-gallery']).updateComplete; }`);
const keepNothing = (page) => page.run(
  `const keep = find(['ap-gallery', '.foot input']); if (keep.checked) keep.click()`);
const shown = (page, ...chain) => page.until(`return find(values)?.textContent.replace(/\\s+/g, ' ')`, ...chain);
const percent = (share) => (share > 0.99 && share < 1 ? `${Math.min(100 * share, 99.9).toFixed(1)}%`
  : `${(100 * share).toFixed(0)}%`);

export const learned = [
  {
    name: 'learned: three systems open from the gallery with their weights, and say what they show and where they fail',
    async run(page) {
      for (const id of THREE) {
        const { measured, bytes, map, hops } = record[id];
        await gallery(page);
        await unfold(page);
        await keepNothing(page);
        const short = await shown(page, ...item(id), '[data-part="measure"]');
        ok(short.includes(percent(measured.accuracy)) && short.includes(`${Math.round(bytes / 1000)} kB`), short);
        await page.click(...item(id));
        // Its weights are on their way for a moment.
        await page.until(`return document.querySelector('attention-playground').store.documents.document.parameters`
          + `?.from === values[0]`, `systems/${id}.safetensors`);
        await page.settled();
        const document = await page.document();
        // The map that the text describes is drawn large.
        const [module, head] = await page.run(`const { store } = document.querySelector('attention-playground'); `
          + `return [store.view.module, store.selection.chosen.head ?? 0]`);
        equal(module.replace(/\.attention$/, ''), map.map.replace(/(\.attention)?\.weights.*$/, ''),
          `${id}: the module of its map`);
        if (map.heads > 1) equal(head, map.head, `${id}: the head of its map`);
        await compare(page, id);
        const said = await shown(page, 'ap-story', '[data-part="shown"]');
        // Of hops each is told of, in place of one map.
        const told = hops ? hops.each.flatMap(({ first, second }) => [first, second])
          : [map.share, map.untrained, map.pinned.meant.weight];
        for (const share of told) ok(said.includes(percent(share)), `${id}, ${percent(share)}: ${said}`);
        const fails = await shown(page, 'ap-story', '[data-part="fails"]');
        ok(/held-out|instead of/.test(fails), `${id}: ${fails}`);
        // What is said of the pinned example is what the picture holds.
        const weight = await page.run(`
          const tensor = document.querySelector('attention-playground').store.sessions.result.all('outputs')
            .find(({ name }) => name === values[0]);
          const [rows, columns] = tensor.shape.slice(-2);
          const row = values[2] === 'last' ? rows - 1 : values[3];
          return tensor.data[(values[1] * rows + row) * columns + values[4]];`,
        map.map, map.head, map.reading, map.pinned.row, map.pinned.meant.at);
        ok(Math.abs(weight - map.pinned.meant.weight) < 1e-3, `${id}: ${weight}, told as ${map.pinned.meant.weight}`);
      }
    },
  },
  {
    name: 'learned: what is open says what it learned or why nothing, and its caveats are those of this document',
    async run(page) {
      const caveats = () => page.until(`return find(['ap-card', '[data-part="simplified"]'])?.textContent`);
      const opened = async (id, chosen = item(id)) => {
        await gallery(page);
        await unfold(page);
        await keepNothing(page);
        if (chosen[1] !== item(id)[1]) await page.run(`find(values).focus()`, ...item(id));
        await page.click(...chosen);
        await page.settled();
      };
      // It has no loss, and its reviews are drawn: nothing is right or wrong.
      await opened('multi-pointer-coattention');
      const nothing = await shown(page, 'ap-story', '[data-part="untrained"]');
      for (const said of ['Nothing.', 'no loss', '(person and thing)', 'drawn from the seed', 'not where an answer'])
        ok(nothing.includes(said), `${said}: ${nothing}`);
      ok((await caveats()).includes('one pointer'), 'what is simpler here');
      equal(await page.count('ap-story', '[data-part="train-system"]'), 0, 'nothing to train');
      await opened('kvp-lm');
      ok((await shown(page, 'ap-story', '[data-part="shown"]')).length > 50, 'trained');
      const trained = await caveats();
      ok(trained.includes('only at the last token') && !trained.includes('no loss'), trained);
      equal(await page.count('ap-story', '[data-part="untrained"]'), 0, 'not both');
      await opened('kvp-lm', ['ap-gallery', '[data-part="untrained"]']);
      const said = await shown(page, 'ap-story', '[data-part="untrained"]');
      ok(said.includes('also open the system with trained'), 'untrained');
      const untrained = await caveats();
      ok(untrained.includes('no loss') && !untrained.includes('only at the last token'), untrained);
    },
  },
  {
    name: 'learned: the gallery narrows to trained systems, and says of the others why their weights are random',
    async run(page) {
      await gallery(page);
      await page.click('ap-gallery', '[data-facet="weights"] [data-value="trained"]');
      await unfold(page);
      const ids = await page.run(`return find(['ap-gallery', '.preset[data-kind="system"]'], true)
        .map((e) => e.dataset.id).toSorted()`);
      equal(ids, Object.keys(record).filter((id) => !record[id].left).toSorted(), 'the trained systems');
      await page.click('ap-gallery', '[data-facet="weights"] [data-value="form"]');
      await unfold(page);
      await page.run(`find(['ap-gallery', '.preset[data-id="draw"]']).focus()`);
      ok((await shown(page, 'ap-gallery', '[data-part="form"]')).includes('random'), 'why');
      // One that was trained and did not learn its task says how much it got right.
      for (const [left, { measured }] of Object.entries(record).filter(([, one]) => one.left)) {
        await page.run(`find(['ap-gallery', '.preset[data-id="${left}"]']).focus()`);
        await page.until(`return find(['ap-gallery', '[data-part="form"]'])?.textContent.includes(values[0])`,
          percent(measured.accuracy));
      }
      // Those that fail beyond what they learned.
      await page.click('ap-gallery', '[data-facet="weights"] [data-value="form"]');
      await page.click('ap-gallery', '[data-facet="fails"] [data-value="beyond"]');
      await unfold(page);
      const beyond = await page.run(`return find(['ap-gallery', '.preset[data-kind="system"]'], true)
        .map((e) => e.dataset.id).toSorted()`);
      equal(beyond, Object.keys(record).filter((id) => !record[id].left && record[id].longer
        && record[id].longer.accuracy < record[id].measured.accuracy - 0.05).toSorted(), 'fail at longer inputs');
    },
  },
  {
    name: 'learned: one whose weights do not arrive says so, and opens with random weights',
    async run(page) {
      await gallery(page);
      await unfold(page);
      await keepNothing(page);
      await page.run(`const own = globalThis.fetch;
        globalThis.fetch = (to, ...more) => (String(to).includes('/learned/')
          ? Promise.resolve(new Response(new Uint8Array(40))) : own(to, ...more));`);
      await page.click(...item('qwen3'));
      await page.settled();
      equal((await page.document()).parameters ?? null, null, 'no weights');
      ok((await shown(page, '.notice.over')).includes('random weights'), 'it is said');
    },
  },
  {
    name: 'learned: one press trains from the first weights a system that opens trained, and one that did not learn',
    async run(page) {
      const losses = () => page.run(`const ap = find(['ap-train-bar']);
        return { step: ap?.desk.training.step ?? 0, title: ap?.desk.trained.title ?? '',
          losses: (ap?.desk.training.history.steps ?? []).map(({ loss }) => loss) }`);
      const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;
      const pressed = async (id, chain, title) => {
        await page.click(...chain);
        await patiently(3, () => page.until(`const ap = find(['ap-train-bar']);
          return ap && ap.desk.trained.title === values[0] && ap.desk.training.step >= 200`, title));
        const { step, losses: all } = await losses();
        // From the first weights: its first losses are those of the record.
        for (const [k, loss] of record[id].losses.slice(0, 3).entries())
          ok(Math.abs(all[k] - loss) < 2e-3 * loss, `${id}: step ${k + 1} has the loss ${all[k]}, recorded ${loss}`);
        ok(mean(all.slice(-40)) < 0.9 * mean(all.slice(0, 40)), `${id}: at step ${step} the loss fell`);
        ok((await shown(page, 'ap-train-bar', '.said')).includes('steps per second'), 'its speed is shown');
        equal(await page.run(`return find(['ap-train-bar', 'select']).value`), '0', 'its pace is the one chosen');
        await page.click('ap-train-bar', '[data-part="play"]');
      };
      // Today there is none: every system that was tried has learned its task.
      for (const left of Object.keys(record).filter((id) => record[id].left).toSorted().slice(0, 1)) {
        await gallery(page);
        await unfold(page);
        await page.run(`find(values).focus()`, ...item(left));
        const said = await shown(page, 'ap-gallery', '[data-part="train-system"]');
        ok(/^Train it here \(about \d+ (second|minute)s?\)$/.test(said.trim()), said);
        ok((await shown(page, 'ap-gallery', '[data-part="lasts"]')).includes(record[left].steps.toLocaleString('en')),
          'its steps');
        const { title } = JSON.parse(readFileSync(new URL(`../../../systems/${left}.json`, import.meta.url), 'utf8'));
        await pressed(left, ['ap-gallery', '[data-part="train-system"]'], title);
        equal((await page.document()).parameters ?? null, null, 'no weights came with it');
        await page.click('ap-header', '[data-place="look"]');
      }
      await gallery(page);
      await unfold(page);
      await keepNothing(page);
      await page.click(...item('llama'));
      await page.settled();
      const again = await shown(page, 'ap-story', '[data-part="train-system"]');
      ok(/^Train it from the start \(about \d+ (second|minute)s?\)$/.test(again.trim()), again);
      await pressed('llama', ['ap-story', '[data-part="train-system"]'], 'Llama');
      equal((await page.document()).parameters, { from: 'systems/llama.safetensors' }, 'Look keeps what it learned');
    },
  },
];

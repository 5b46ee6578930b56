// SPDX-License-Identifier: Apache-2.0
// Words of a trained model: what of them can be changed, and what stays when the model or the document changes.
import { equal, ok } from '../check.mjs';

const store = `document.querySelector('attention-playground').store`;

export const words = [
  {
    first: true,
    name: 'words: where a model reads words alone, no numbers are offered to be changed, but another word is',
    async run(page) {
      await page.clickText('.chip', '1see');
      equal(await page.count('ap-tokens', '[data-row]'), 0, 'rows to be doubled');
      equal(await page.count('ap-matrix[data-tensor="source"]'), 0, 'numbers that nothing reads');
      await page.click('ap-tokens', '[data-part="another"]');
      await page.driver.keyboard.type('love');
      await page.press('Enter');
      equal((await page.document()).inputs.source.tokens, ['they', 'love', 'the', 'red', 'car'], 'another word');
      await page.until(`return !!find(['ap-card', '[data-part="numbers"]'])`);
      equal(await page.count('ap-card', '.feed') > 0, true, 'what feeds the cell');
    },
  },
  {
    first: true,
    name: 'words: a score that does not fit keeps words, model and what was learned; what is new is to be trained',
    async run(page) {
      const path = '/model/3/attention/score';
      const before = await page.document();
      await page.click(`ap-menu[data-path="${path}"]`, 'button');
      await page.driver.keyboard.type('scaled dot');
      // The first that fits is tried out when the arrows come to it.
      await page.press('ArrowUp');
      await page.until(`return ${store}.trial.misfit`);
      ok(/32 and 64/.test(await page.text('ap-menu', '.help')), 'which widths differ');
      const unfit = await page.text('ap-flow', '[data-part="unfit"]');
      ok(/^Scaled dot product.*32 and 64/.test(unfit), `where the map was: ${unfit}`);
      const visible = `const map = find(['ap-matrix[data-tensor="decoder.weights"]']);
        return map.checkVisibility({ visibilityProperty: true })`;
      equal(await page.run(visible), false, 'the map of the score before is not shown under the new name');
      const work = await page.text('ap-card', '.mech ul');
      ok(/Additive/.test(work) && !/Scaled dot/.test(work), `what made the numbers on show: ${work}`);
      const covered = await page.run(`const menu = find(['ap-menu', '.menu']).getBoundingClientRect();
        const map = find(['ap-matrix[data-tensor="decoder.weights"]']).getBoundingClientRect();
        return Math.min(menu.right, map.right) > Math.max(menu.left, map.left)`);
      equal(covered, false, 'the menu covers the matrix');
      await page.press('Escape');
      equal(await page.run(visible), true, 'Escape brings the map back');
      equal(await page.count('[data-part="unfit"]'), 0, 'and nothing is said any more');
      await page.click(`ap-menu[data-path="${path}"]`, 'button');
      await page.driver.keyboard.type('scaled dot');
      await page.press('Enter');
      await page.until(`return !!find(['[data-part="train-it"]'])`);
      const after = await page.document();
      equal(after.inputs.source, before.inputs.source, 'words');
      equal(after.model[3].attention.score, { type: 'projected-query', base: { type: 'scaled-dot' } },
        'it is used inside of what maps one width to the other');
      equal(after.model[3].vocabulary, before.model[3].vocabulary, 'vocabulary');
      ok(after.parameters.from !== before.parameters.from, 'weights of its own');
      const said = await page.text('ap-panel', `.notice[data-at="${path}"]`);
      ok(/32 and 64/.test(said) && /untrained: Score \(decoder\): W\./.test(said), said);
      equal(await page.count('.notice'), 1, 'it is said at the control, and nowhere else');
      const target = await page.until(`const { documents, sessions, writer } = ${store};
        const { tokens } = documents.document.inputs.target;
        return !writer.writing && !sessions.busy && tokens.join() !== values[0] && tokens`,
      before.inputs.target.tokens.join());
      equal(await page.text('ap-inputs', '.wrote b'), target.filter((word) => word !== '<end>').join(' ')
        .replaceAll("' ", "'"), 'the model with the new score answers again');
      ok(/· 1 edit$/.test(await page.text('ap-header', '.preset')), await page.text('ap-header', '.preset'));
      // All others are those that were learned: the encoder's states are what they were.
      const states = `return Array.from(${store}.sessions.result.find('encoder.output').data.slice(0, 8))`;
      const now = await page.run(states);
      await page.click('ap-header', '[aria-label="Undo"]');
      equal(await page.document(), before, 'undo brings all back');
      equal(await page.count('.notice'), 0, 'and takes away what was said of the choice');
      equal(now, await page.run(states), 'the encoder as it was learned');
      await page.choose(path, 'concat');
      await page.click('[data-part="train-it"]');
      equal(await page.run(`return ${store}.view.place`), 'train', 'the way to train it');
      equal((await page.document()).model[3].attention.score, { type: 'concat' }, 'another score with new weights');
    },
  },
  {
    first: true,
    name: 'words: those that the model does not know are told beside the sentence, and those that it knows in a fold',
    async run(page) {
      equal(await page.count('ap-tokens', '[data-part="unknown"]'), 0, 'all are known');
      await page.run(`${store}.documents.set('/inputs/source/tokens', 'we love the big banana'.split(' '))`);
      await page.settled();
      const said = await page.text('ap-tokens', '[data-part="unknown"]');
      ok(/36 words, but not .*big.* and .*banana/.test(said), said);
      equal(await page.run(`return find(['ap-tokens', '.unknown span'], true).map((one) => one.textContent)`),
        ['big', 'banana'], 'marked');
      const list = (await page.text('ap-tokens', '[data-part="known"]')).split(' ');
      equal([list.length, list.includes('love'), list.includes('banana')], [36, true, false], 'what it knows');
    },
  },
  ...[1440, 1024, 390].map((width) => ({
    first: true,
    name: `words: several typed sentences leave all in sight, and a way to a model that knows them, at ${width}`,
    view: { width, height: 900 },
    async run(page) {
      if (width < 760) await page.click('button.summary');
      await page.clickText('.link', 'Type your own words');
      await page.driver.keyboard.type('The girl does not cross the street. She was too tired. '
        + 'The street was wide, and the cars were fast.');
      await page.press('Enter');
      await page.settled();
      const words = (await page.document()).inputs.source.tokens;
      equal([words[0], words.length], ['the', 24], 'a capital makes no new word of one that it knows');
      const gap = await page.run(`return find(['ap-tokens', '[data-part="unknown"]'])
        .getBoundingClientRect().top - find(['ap-tokens', 'ul']).getBoundingClientRect().bottom`);
      ok(gap >= 3, `words and what is said of them touch: ${gap}`);
      const outside = `const middle = (find(['main.middle']) ?? document.documentElement).getBoundingClientRect();
        return find(['ap-flow', 'ap-margin button, .under button, .views button'], true)
          .map((one) => one.getBoundingClientRect())
          .filter(({ width, left, right }) => width > 0 && (left < middle.left || right > middle.right + 1)).length`;
      equal(await page.run(outside), 0, 'notes and switch within the page');
      await page.click('[data-part="by-vectors"]');
      await page.until(`return document.querySelector('attention-playground').store.documents.document.title !== `
        + `values[0]`, 'A trained translator');
      const { inputs, title } = await page.document();
      equal([Object.values(inputs)[0].tokens, title], [words, 'Words that keep company'], 'the same words, known');
    },
  })),
  {
    first: true,
    name: 'words: numbers of a trained model were learned, not drawn from a seed',
    async run(page) {
      const told = `return find(['ap-flow', 'h2'], true).map((one) => one.textContent).find((text) =>
        text.startsWith('Parameters'))`;
      await page.click('.how');
      await page.until(told);
      ok(/learned from examples/.test(await page.run(told)), await page.run(told));
      await page.until(`return find(['[data-part="parameters"] tbody td:last-child'], true).length > 0`);
      equal(await page.run(`return [...new Set(find(['[data-part="parameters"] tbody td:last-child'], true)
        .map((one) => one.textContent))]`), ['learned from examples'], 'in the list too');
    },
  },
  {
    first: true,
    name: 'words: the reader\'s words stay when a system of the gallery is opened',
    async run(page) {
      const mine = ['she', 'loves', 'purple', 'cats'];
      await page.run(`${store}.documents.set('/inputs/source/tokens', values[0]); await ${store}.learn()`, mine);
      for (const id of ['gpt', 'transformer']) {
        await page.dialog('presets');
        await page.until(`return !!find(['ap-gallery', '[data-kind="system"][data-id="' + values[0] + '"]'])
          || (find(['ap-gallery', '[data-all]'], true).forEach((one) => one.getAttribute('aria-expanded') === 'false'
            && one.click()), false)`, id);
        await page.click('ap-gallery', `[data-kind="system"][data-id="${id}"]`);
        await page.until(`return ${store}.documents.base.title === ${store}.documents.document.title
          && !find(['ap-gallery'])`);
        const { inputs, title } = await page.document();
        ok(Object.values(inputs).some(({ tokens }) => JSON.stringify(tokens) === JSON.stringify(mine)),
          `${title}: ${JSON.stringify(inputs)}`);
      }
    },
  },
  {
    name: 'words: a lesson has no edits when it begins, and nothing of the document before it; leaving brings all back',
    async run(page) {
      await page.run(`${store}.documents.set('/seed', 4)`);
      const edits = await page.text('ap-header', '.preset');
      ok(/1 edit/.test(edits), edits);
      await page.run(`${store}.view.show({ lesson: 'divide-by-root-d' })`);
      await page.until(`return !!find(['ap-lesson, ap-player'])`).catch(() => undefined);
      await page.settled();
      ok(!/edit/.test(await page.text('ap-header', '.preset')), await page.text('ap-header', '.preset'));
    },
  },
  {
    name: 'words: T brings the table into view with the focus in it, and Escape leads back to the matrix',
    async run(page) {
      await page.run(`find(['ap-matrix[data-tensor="weights"]', '.stop']).focus()`);
      await page.press('t');
      const seen = await page.until(`const sheet = find(['[data-part="table"]']);
        const box = sheet?.getBoundingClientRect();
        return box && { focus: sheet.getRootNode().activeElement === sheet,
          inside: box.top < innerHeight && box.bottom > 0 }`);
      equal(seen, { focus: true, inside: true }, 'the table');
      await page.press('Escape');
      equal(await page.run(`return [${store}.view.table ?? null,
        find(['ap-matrix[data-tensor="weights"]']).shadowRoot.activeElement?.className]`), [null, 'stop'], 'back');
    },
  },
  {
    name: 'words: what is typed takes the place of the sentence',
    async run(page) {
      await page.clickText('ap-inputs button, .head button', 'Type your own words');
      await page.driver.keyboard.type('cat');
      await page.settled();
      equal((await page.document()).inputs.x.tokens, ['cat'], 'tokens');
    },
  },
];

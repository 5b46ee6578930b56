// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { attend } from '../attend.mjs';
import { equal, ok, patiently } from '../check.mjs';
import { catchSaved, saved } from '../files.mjs';
import { FULL, pace, pause, playTo, press, trainsOn } from '../play.mjs';

export { FULL, pace, pause, playTo, press, trainsOn };

const view = { width: 1440, height: 900 };
export const MAP = `!!find(['ap-train-shown', '[data-part="learned"] ap-heat'])`;

/** A document that comes with the page and learns. */
export const trained = (name) =>
  JSON.parse(readFileSync(new URL(`../../../examples/trained/${name}.json`, import.meta.url), 'utf8'));
/** A trained model with three words to read and four that it wrote: its map has twelve cells. */
export const translated = trained('translated');

/** What is trained where the page's own document is not. */
const begins = trained('translate');

/** Goes to the place where one trains, with another document than the page's own, and waits for the first map. */
export const toTrain = async (page, document) => {
  if (document) {
    await page.run(`document.querySelector('attention-playground').store.documents.begin(values[0])`, document);
    await page.settled();
  }
  await page.click('ap-header', '[data-place="train"]');
  await page.until(`return !!find(['ap-train-shown', '[data-part="learned"] ap-heat'])`);
};
// The state as the page shows it: nothing here is asked of the worker.
export const state = (page) => page.run(`
  const bar = find(['ap-train-bar', 'input[type="range"]']);
  return {
    looksAt: Number(bar.value), steps: Number(bar.max), said: find(['ap-train-bar', '.said']).textContent.trim(),
    playing: find(['ap-train-bar', '[data-part="play"]']).textContent.trim(),
      able: !find(['ap-train-bar', '[data-part="play"]']).disabled,
    map: find(['ap-train-shown', '[data-part="learned"] ap-heat'], true).flatMap(({ plane }) =>
      Array.from({ length: plane.rows * plane.cols }, (_, k) => plane.at(Math.floor(k / plane.cols), k % plane.cols))),
    wrote: find(['ap-train-shown', '.wrote li'], true).map((word) => word.textContent.trim()),
    chances: find(['ap-train-curves', '.bands svg'])?.getAttribute('aria-label'),
    legend: find(['ap-train-curves', '.legend'], true).map((text) => text.textContent.trim()),
    thumb: find(['ap-train-curves', '.thumb'])?.getAttribute('d'),
  }`);
export const at = async (page) => (await state(page)).looksAt;
// Play can be pressed again, and a part that said why not is gone.
const whenReady = (page, gone) => page.until(`return !find(['ap-train', '[data-part="' + values[0] + '"]'])
  && !find(['ap-train-bar', '[data-part="play"]']).disabled`, gone);
const look = (page, step) => page.run(`
  const bar = find(['ap-train-bar', 'input[type="range"]']);
  bar.value = values[0];
  bar.dispatchEvent(new Event('input'));
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));`, String(step));
const type = (page, path, value) => page.run(`
  const field = find(['ap-train-side', '[data-setting="' + values[0] + '"] input[inputmode]']);
  field.value = values[1];
  field.dispatchEvent(new Event('change'));`, path, value);
const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;
export const apart = (one, other) => Math.max(...one.map((x, k) => Math.abs(x - other[k])));
const fits = (page) => page.run(`return document.documentElement.scrollWidth <= innerWidth
  && (find(['ap-train-bar'])?.getBoundingClientRect().right ?? 0) <= innerWidth + 1
  && find(['ap-train', '.scroll']).scrollWidth <= find(['ap-train', '.scroll']).clientWidth + 1`);

export const train = [
  {
    name: 'training: a step is one step, playing moves the map and the curves, a pause stops, and it learns',
    view,
    async run(page) {
      await toTrain(page);
      const first = await state(page);
      equal([first.looksAt, first.steps, first.playing], [0, begins.training.steps, 'Play'], 'before the first step');
      ok(Math.abs(mean(first.map) - 1 / 3) < 1e-4, 'rows of three columns sum to one');
      await press(page, 'step');
      await page.until(`return Number(find(['ap-train-bar', 'input[type="range"]']).value) === 1`);
      await page.until(`return find(['ap-train-shown', 'figcaption .quiet']).textContent === 'at step 1'`);
      await playTo(page, 151);
      const later = await state(page);
      equal(await page.text('ap-train-shown', 'figcaption .quiet'), `at step ${later.looksAt}`, 'the paused step');
      ok(apart(first.map, later.map) > 0.2, 'the map moved');
      // A single step may have a batch that is much harder than those around it.
      const losses = await page.run(
        `return find(['ap-train-bar']).desk.training.history.steps.map(({ loss }) => loss)`);
      const [early, late] = [mean(losses.slice(0, 30)), mean(losses.slice(-30))];
      ok(late < early / 2, `the loss fell from ${early} to ${late}`);
      const said = Number(later.legend.find((text) => text.endsWith('in training')).split(' ')[0]);
      ok(Math.abs(said - losses[later.looksAt - 1]) < 0.06, `${said} is the loss of the paused step`);
      await page.frames(30);
      equal(await at(page), later.looksAt, 'a pause is a pause');
    },
  },
  {
    name: 'training: the thumb moves map, outputs and curves together, and back to now returns',
    view,
    async run(page) {
      await toTrain(page);
      const tops = () => page.run(`return [['ap-train-shown', '.maps ap-heat'], ['ap-train-curves', '.panel']]
        .map((chain) => find(chain).getBoundingClientRect().top)`);
      // Which other scores can be trained is asked while nothing moves.
      await page.until(`return find(['ap-train-again', 'button'], true).length === 3`);
      const [map, curves] = await tops();
      await playTo(page, 120);
      await page.until(`return find(['ap-train-again', '[data-part="once-more"] button'], true).length === 3`);
      const now = await state(page);
      const stood = await tops();
      equal(stood[1] - stood[0], curves - map, 'what is offered after a training moves no curve away from its map');
      await look(page, 0);
      const before = await state(page);
      equal(await tops(), stood, 'what is looked at keeps its place');
      equal(before.looksAt, 0, 'looks at the first moment');
      ok(apart(now.map, before.map) > 0.1, 'the map is another');
      ok(now.wrote.join() !== before.wrote.join(), 'what was written is another');
      for (const what of ['chances', 'thumb']) ok(now[what] !== before[what], `${what} did not move`);
      ok(now.legend.join() !== before.legend.join(), 'the numbers beside the curves did not move');
      await press(page, 'now', 'ap-train');
      equal((await state(page)).map, now.map, 'and back');
      // On the curves themselves, and by keys.
      await page.clickAt(['ap-train-curves', '.panel'], 0.15, 0.5);
      ok((await at(page)) < now.looksAt, 'a press on a curve looks there');
      await page.run(`find(['ap-train-bar', 'input[type="range"]']).focus()`);
      const here = await at(page);
      await page.press('ArrowLeft');
      equal(await at(page), Math.max(0, here - 10), 'an arrow is ten steps');
      await press(page, 'go-on', 'ap-train');
      await page.until(`return !find(['ap-train-bar', '[data-part="play"]']).disabled`);
      ok((await at(page)) < now.looksAt, 'it goes on from an earlier step');
    },
  },
  {
    name: 'training: start again gives the same first map, another seed another; changed settings say so',
    view,
    async run(page) {
      await toTrain(page);
      const first = await state(page);
      await playTo(page, 20);
      await press(page, 'start-again');
      await page.until(`return Number(find(['ap-train-bar', 'input[type="range"]']).value) === 0
        && !find(['ap-train-bar', '[data-part="play"]']).disabled && ${MAP}`);
      equal((await state(page)).map, first.map, 'the same weights');
      ok(!(await page.count('ap-train', '[data-part="edited"]')), 'nothing is changed yet');
      // Before the first step another seed is taken at once, later at the next Play.
      const drawn = async () => (await state(page)).map;
      const seed = () => page.run(`return find(['ap-train-bar']).desk.trained.seed`);
      await press(page, 'draw', 'ap-train-side');
      const other = (await page.document()).seed;
      await page.until(`return find(['ap-train-bar']).desk.trained.seed === values[0] && ${MAP}
        && !find(['ap-train-bar', '[data-part="play"]']).disabled`, other);
      ok(apart(await drawn(), first.map) > 1e-3, 'other weights');
      await playTo(page, 10);
      const taken = await drawn();
      await press(page, 'draw', 'ap-train-side');
      ok((await page.text('ap-train', '[data-part="edited"]')).includes('Start again'),
        'it says that settings changed');
      equal([await drawn(), await seed()], [taken, other], 'what was there stays');
      await trainsOn(page, 'again', 0);
      equal(await page.run(`return find(['ap-train-bar']).desk.training.history.steps[0].step`), 1, 'from the first');
      ok(apart(await drawn(), taken) > 1e-3, 'other weights');
      // What was learned goes on with another rate.
      await playTo(page, (await at(page)) + 20);
      const learned = await state(page);
      const steps = () => page.run(`return find(['ap-train-bar']).desk.training.history.steps`);
      const before = await steps();
      await type(page, '/training/optimiser/rate', '0.001');
      equal((await page.document()).training.optimiser.rate, 0.001, 'the setting is in the document');
      await trainsOn(page, 'keep-on', learned.looksAt);
      const after = await steps();
      equal(after.slice(0, before.length), before, 'nothing is lost');
      ok(after.length > before.length && after.at(-1).rate < 0.0011, `with the new rate: ${after.at(-1).rate}`);
      await page.click('ap-header', '[aria-label="Undo"]');
      equal((await page.document()).training.optimiser.rate, 0.005, 'undone');
    },
  },
  {
    name: 'training: a reload goes on where the page was left, with its curves and its settings',
    view,
    async run(page) {
      await toTrain(page);
      await type(page, '/training/word-dropout', '0.2');
      await page.until(`return find(['ap-train-bar']).desk.trained.training['word-dropout'] === 0.2`);
      await whenReady(page, 'edited');
      await playTo(page, 90);
      const left = await at(page);
      await page.until(`return location.hash.length > 2`);
      const address = await page.run(`return location.href`);
      await page.leave();
      await page.driver.goto(address);
      await page.until(`return !!find(['ap-train', '[data-part="resumed"]']) && ${MAP}
        && Number(find(['ap-train-bar', 'input[type="range"]']).value) >= values[0]`, left);
      const again = await state(page);
      equal([again.looksAt, again.playing], [left, 'Play'], 'goes on at the step where it was left');
      ok(again.legend.length > 3, 'the curves are there');
      equal((await page.document()).training['word-dropout'], 0.2, 'the settings came with the link');
      ok(!(await page.count('ap-train', '[data-part="edited"]')), 'and are those of the training');
    },
  },
  {
    name: 'training: a rate too large goes back to the last good step, says so, and another rate goes on from there',
    view,
    async run(page) {
      await toTrain(page);
      await playTo(page, 40);
      await type(page, '/training/optimiser/rate', '0.004');
      await page.run(`const { documents } = document.querySelector('attention-playground').store;
        documents.set('/training/clip', 0);
        documents.set('/training/optimiser', { type: 'sgd', rate: 1000, momentum: 0.9 });`);
      await press(page, 'keep-on', 'ap-train');
      await page.until(`return !!find(['ap-train', '[data-part="failure"]'])`);
      const failed = await state(page);
      ok(failed.looksAt >= 40, `back at step ${failed.looksAt}`);
      ok(!failed.able, 'it does not go on like that');
      ok(failed.map.every(Number.isFinite), 'numbers');
      await type(page, '/training/optimiser/rate', '0.001');
      await trainsOn(page, 'keep-on', failed.looksAt + 20);
      ok(!(await page.count('ap-train', '[data-part="failure"]')), 'nothing failed');
      ok((await state(page)).map.every(Number.isFinite), 'and goes on');
    },
  },
  {
    first: true,
    name: 'training: what was left is a run beside the next, with what changed and the numbers of the step looked at',
    view,
    async run(page) {
      await toTrain(page, translated);
      equal(await page.count('ap-train-runs', 'table'), 0, 'nothing to compare yet');
      await playTo(page, 60);
      await page.run(`document.querySelector('attention-playground').store.documents.set('/model/3/attention/score', { `
        + `type: 'general' })`);
      await page.until(`return !!find(['ap-train', '[data-part="keep-on"]'])`);
      ok((await page.text('ap-train', '[data-part="keep-on"]')).includes('fit'), 'another model keeps what fits');
      await press(page, 'keep-on', 'ap-train');
      await page.until(`return !!find(['ap-train', '[data-part="fitted"]']) && !find(['ap-train-bar', `
        + `'[data-part="play"]']).disabled`);
      const said = await page.text('ap-train', '[data-part="fitted"]');
      const { parameters: _, ...model } = await page.document();
      const all = Object.keys((await attend(model)).parameters).length;
      ok(said.includes(`${all - 1} of ${all}`) && /Score.*: W\b/.test(said), `of ${all}, it says what stays: ${said}`);
      await playTo(page, 30);
      const rows = () => page.run(`return find(['ap-train-runs', 'tbody tr'], true).map((row) => `
        + `[...row.children].map((cell) => cell.textContent.trim()))`);
      const [first, second] = await rows();
      equal([first[0], second[0]], ['1', '2'], 'two runs');
      equal(second[1], 'Score: General (bilinear)', 'what changed, and nothing else');
      ok(first[2].endsWith('%') && second[2].endsWith('%'), 'both measured');
      await look(page, 0);
      ok((await rows())[0][2] !== first[2] || (await rows())[0].at(-1) === '0',
        'the numbers are those of the step that is looked at');
      ok((await page.count('ap-train-curves', 'polyline.other')) === 2, 'and its curves lie behind');
      await page.click('ap-train-runs', '[data-run="1"]');
      equal(await page.count('ap-train-curves', 'polyline.other'), 0, 'the chosen one in ink');
      await press(page, 'make-mine', 'ap-train-runs');
      await page.until(`return !find(['ap-train-bar', '[data-part="play"]']).disabled`);
      ok(JSON.stringify((await page.document()).model[3].attention.score).includes('additive'),
        'its document is the page’s');
    },
  },
  {
    first: true,
    name: 'training: finished weights are begun with, looked at without what they need, saved, and taken again',
    view,
    async run(page) {
      await toTrain(page, translated);
      await press(page, 'begin-trained', 'ap-train');
      await page.until(`return !!find(['ap-train', '[data-part="fitted"]']) && !!find(['ap-train-shown', '.wrote li']) `
        + `&& find(['ap-train-shown', '.wrote li'], true).every((word) => !word.classList.contains('wrong'))`);
      const finished = (await state(page)).map;
      await press(page, 'ablate', 'ap-train-ablate');
      await page.until(`return find(['ap-train-ablate', 'tbody tr'], true).length > 5 && !find(['ap-train-ablate', `
        + `'[data-part="ablate"]']).disabled`);
      const shares = await page.run(`return Object.fromEntries(find(['ap-train-ablate', 'tbody tr'], true).map((row) `
        + `=> [row.dataset.trial.split(' ').at(-1), parseFloat(row.children[1].textContent)]))`);
      ok(shares[''] >= 95, `the model as it is: ${shares['']} %`);
      ok(shares.uniform < shares[''] - 15, `even weights: ${shares.uniform} %`);
      await catchSaved(page);
      await press(page, 'save', 'ap-train');
      const { bytes, name } = await saved(page);
      ok(name.endsWith('.safetensors') && bytes.length < 140_000, `${name}, ${bytes.length} bytes`);
      await press(page, 'csv', 'ap-train');
      ok((await saved(page)).text.startsWith('step,loss,'), 'curves as a table');
      await press(page, 'start-again');
      await page.until(`return !find(['ap-train', '[data-part="fitted"]']) && ${MAP}`);
      ok(apart((await state(page)).map, finished) > 0.1,
        `first weights: ${JSON.stringify([(await state(page)).map, finished])}`);
      const give = (list) => page.run(`
        const input = find(['ap-train', '[data-part="load"]']);
        const files = new DataTransfer();
        files.items.add(new File([Uint8Array.from(values[0])], 'a.safetensors'));
        input.files = files.files;
        input.dispatchEvent(new Event('change'));`, list);
      await give([...bytes.subarray(0, 300)]);
      await page.until(`return !!find(['ap-train', '[data-part="said"]'])`);
      await give([...bytes]);
      await page.until(`return !!find(['ap-train', '[data-part="fitted"]']) && !find(['ap-train', `
        + `'[data-part="said"]']) && ${MAP} && !find(['ap-train-bar', '[data-part="play"]']).disabled`);
      ok(apart((await state(page)).map, finished) < 0.01, 'the same map again');
      // What was learned here is looked at like any other model.
      await press(page, 'look', 'ap-train');
      await page.until(`return !!find(['ap-matrix[data-tensor="decoder.weights"]']) && `
        + `!document.querySelector('attention-playground').store.sessions.busy`);
      const shown = await page.run(`const { result } = document.querySelector('attention-playground').store.sessions;
        return Array.from(result.find('decoder.weights').data)`);
      ok(apart(shown, finished) < 0.01, 'the page computes what was learned');
      await page.click('ap-header', '[data-place="train"]');
      await page.until(`return !!find(['ap-train-shown', '[data-part="learned"] ap-heat'])`);
      ok(!(await page.count('ap-train', '[data-part="edited"]')), 'and the training is as it was');
    },
  },
  {
    first: true,
    name: 'training: several models at once learn from one start over two choices of the catalogue, and one becomes '
      + 'the reader’s own',
    view,
    async run(page) {
      await toTrain(page, translated);
      await page.click('ap-train', '[data-tab="several"]');
      const tick = (id, on) => page.run(
        `const box = find(['ap-train-several', '[data-option="' + values[0] + '"]']); if (box.checked !== values[1]) `
        + `box.click()`, id, on);
      const ticked = () => page.run(`return find(['ap-train-several', 'input[type="checkbox"]'], true).filter((box) => `
        + `box.checked).map((box) => box.dataset.option)`);
      for (const id of await ticked()) if (!['additive', 'softmax'].includes(id)) await tick(id, false);
      await tick('general', true);
      await tick('dot', true);
      await tick('sparsemax', true);
      equal((await ticked()).length, 5, 'three by two');
      await page.run(`const steps = find(['ap-train-several', '.steps input']); steps.value = '20'; `
        + `steps.dispatchEvent(new Event('change'))`);
      await press(page, 'begin-several', 'ap-train-several');
      await patiently(3, () => page.until(`return find(['ap-train-several', '.cell'], true).length === 6
        && find(['ap-train-several', '[data-part="pause-several"]']).disabled`));
      const cells = await page.run(`return find(['ap-train-several', '.cell'], true).map((cell) => ({ failed: `
        + `cell.classList.contains('failed'), map: cell.querySelector('ap-heat')?.plane.tensor.data.length, text: `
        + `cell.textContent.replace(/\\s+/g, ' ').trim() }))`);
      equal(cells.filter(({ failed }) => failed).length, 2,
        'a product of unequal widths keeps its place, with the reason');
      for (const { failed, map, text } of cells)
        ok(failed ? text.includes('equally wide') : map === 12 && text.includes('%'), text);
      await page.click('ap-train-several', '.cell:not(.failed)');
      await press(page, 'make-mine', 'ap-train-several');
      await page.until(`return !!find(['ap-train-bar', '[data-part="play"]']) && Number(find(['ap-train-bar', `
        + `'input[type="range"]']).value) === 20`);
      ok((await page.count('ap-train-runs', 'tbody tr')) >= 4, 'all of them are runs');
    },
  },
  {
    first: true,
    name: 'training: a lesson is done by what the reader trained, and not before',
    view,
    async run(page) {
      await page.run(`document.querySelector('attention-playground').store.view.show({ lesson: 'bottleneck' })`);
      await page.until(`return !!find(['ap-train', 'ap-lesson', '.do']) && ${MAP}`);
      const done = () => page.run(`return !!find(['ap-lesson', '.do.well'])`);
      ok(!(await done()), 'done before anything was trained');
      await pace(page, FULL);
      await press(page, 'play');
      await patiently(13, () => page.until(`return !!find(['ap-lesson', '.do.well'])`));
      ok((await at(page)) >= 200, `at step ${await at(page)}`);
      await page.click('ap-lesson', '[data-next]');
      ok(!(await done()), 'even weights are not enough');
      if ((await state(page)).playing === 'Pause') await press(page, 'play');
      await page.run(
        `document.querySelector('attention-playground').store.documents.set('/model/3/attention/alignment', { type: `
        + `'softmax' })`);
      ok(!(await done()), 'nor is choosing');
      await press(page, 'again', 'ap-train');
      await patiently(13, () => page.until(`return !!find(['ap-lesson', '.do.well'])`));
      ok((await page.count('ap-train-runs', 'tbody tr')) >= 2, 'the two runs stand beside each other');
    },
  },
  ...[['wide', { width: 1440, height: 900 }], ['wide and dark', { width: 1440, height: 900, dark: true }],
  ['narrow', { width: 360, height: 740 }], ['narrow and dark', { width: 360, height: 740, dark: true }]].map(
  ([name, size]) => ({
    name: `training: axe finds nothing, and all fits: ${name}`,
    view: size,
    async run(page) {
      await toTrain(page);
      equal(await page.axe(), [], 'at first');
      await playTo(page, 12);
      await look(page, 4);
      const narrow = size.width < 700;
      for (const tab of narrow ? ['curves', 'settings', 'several', 'map'] : ['mechanism', 'several', 'training']) {
        await page.click('ap-train', `[data-${narrow ? 'tab' : 'side'}="${tab}"]`);
        equal(await page.axe(), [], tab);
        ok(await fits(page), `${tab}: something reaches past the edge`);
      }
    },
  })),
];

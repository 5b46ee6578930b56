// SPDX-License-Identifier: Apache-2.0
// What can be set of a training where one trains: that it stops at a target, how the optimiser and the rate go, and
// which task the model is for.
import { equal, ok } from '../check.mjs';
import { FULL, pace, playTo, press, state, toTrain, trained, trainsOn } from './train.mjs';

const view = { width: 1440, height: 900 };
const training = `find(['ap-train-bar']).desk.training`;
const type = (page, path, value) => page.run(`
  const field = find(['ap-train-side', '[data-setting="' + values[0] + '"] input[inputmode]']);
  field.value = values[1];
  field.dispatchEvent(new Event('change'));
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));`, path, value);
const choose = (page, part, value) => page.run(`
  const menu = find(['ap-train-side', '[data-part="' + values[0] + '"]']);
  menu.value = values[1];
  menu.dispatchEvent(new Event('change'));
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));`, part, value);
const settings = (page) => page.run(`return [...find(['ap-train-side', '[data-setting]'], true)]
  .map((one) => one.dataset.setting)`);
const document = (page) => page.run(`
  return document.querySelector('attention-playground').store.documents.document`);
const ready = (page) => page.until(`return ['ready', 'finished'].includes(${training}.phase)`);

export const trainSettings = [
  {
    name: 'training: it stops at the target that was set, says so, and plays on from there once more',
    view,
    async run(page) {
      await toTrain(page, trained('reverse'));
      await type(page, '/training/stop/accuracy', '0.8');
      equal((await document(page)).training.stop, { accuracy: 0.8 }, 'part of the document');
      await page.until(`return ${training}.trained.training.stop !== undefined`);
      await ready(page);
      await pace(page, FULL);
      await press(page, 'play');
      await page.until(`return ${training}.phase === 'ready' && ${training}.step > 0`);
      const { step, all, last, reached } = await page.run(`return { step: ${training}.step,
        reached: ${training}.reached, all: ${training}.history.measured.map(({ accuracy }) => accuracy),
        last: ${training}.lastMeasured }`);
      ok(step > 0 && step < 600, `stopped at ${step}`);
      equal([reached, last.step, last.heldOut], [step, step, 500], 'all held-out examples were asked');
      ok(last.accuracy >= 0.8 && all.slice(0, -1).every((one) => one < 0.8), `the first of ${all}`);
      ok((await page.text('ap-train', '[data-part="reached"]')).includes(String(step)), 'it says so');
      await press(page, 'play');
      await page.until(`return ${training}.phase === 'finished'`);
      equal((await state(page)).looksAt, 600, 'and goes on to the end');
      ok(!(await page.count('ap-train', '[data-part="reached"]')), 'the note is gone');
      // Off again is no part of the document.
      await type(page, '/training/stop/accuracy', '0');
      equal((await document(page)).training.stop, undefined, 'off');
    },
  },
  {
    name: 'training: finer settings come when they are asked for, fit the optimiser, and train',
    view,
    async run(page) {
      await toTrain(page, trained('translate'));
      const before = await settings(page);
      ok(!before.includes('/training/clip'), 'out of the way');
      await press(page, 'finer', 'ap-train-side');
      const adamw = await settings(page);
      for (const one of ['optimiser/weight-decay', 'clip', 'schedule/warmup', 'schedule/end', 'dropout'])
        ok(adamw.includes(`/training/${one}`), one);
      ok(!adamw.includes('/training/optimiser/momentum'), 'AdamW has no momentum of this kind');
      await playTo(page, 40);
      await choose(page, 'optimiser', 'sgd');
      await type(page, '/training/optimiser/momentum', '0.9');
      await type(page, '/training/optimiser/rate', '0.05');
      await choose(page, 'schedule', 'inverse-square-root');
      ok(!(await settings(page)).includes('/training/schedule/end'), 'this schedule has no end');
      equal((await document(page)).training.optimiser, { type: 'sgd', rate: 0.05, 'weight-decay': 0.25, momentum: 0.9 },
        'what SGD knows');
      await trainsOn(page, 'keep-on', 40);
      // And back to Adam, which begins with nothing remembered: no weight flies away.
      await playTo(page, (await state(page)).looksAt + 40);
      await choose(page, 'optimiser', 'adam');
      await type(page, '/training/optimiser/rate', '0.003');
      const { loss: from, step } = await page.run(`return ${training}.history.steps.at(-1)`);
      await trainsOn(page, 'keep-on', step + 30);
      const { failure, loss } = await page.run(`return { failure: ${training}.failure,
        loss: ${training}.history.steps.slice(-10).reduce((sum, { loss }) => sum + loss / 10, 0) }`);
      equal(failure, undefined, 'no failure');
      ok(loss < from + 0.3, `from ${from} to ${loss}`);
    },
  },
  {
    name: 'training: the same model on another task, and a task that does not fit is refused and nothing lost',
    view,
    async run(page) {
      await toTrain(page, trained('reverse'));
      await playTo(page, 20);
      const menu = await page.run(`return [...find(['ap-train-side', '[data-part="task"] optgroup option'], true)]
        .map(({ value }) => value)`);
      for (const one of ['copy', 'sort', 'addition', 'dates', 'recall', 'two-hop', 'induction', 'sets', 'translate'])
        ok(menu.includes(`task:task-${one}`), one);
      ok(!menu.some((one) => /reverse|pairs|text|labels|shapes/.test(one)), `only what fits: ${menu}`);
      await choose(page, 'task', 'task:task-sort');
      await page.until(`return ${training}.begun?.task === 'task-sort' && ${training}.phase === 'ready'`);
      const sort = await document(page);
      equal(sort.training.task, { type: 'task-sort', shortest: 8, longest: 8, end: 0 }, 'with the settings of both');
      const [source, target] = [sort.inputs.source.tokens, sort.inputs.target.tokens];
      equal(target, [...source].sort(), 'the example that is watched is one of the task');
      ok(!(await page.count('ap-train', '[data-part="edited"]')), 'nothing is changed');
      ok((await page.text('ap-train-side', '[data-part="about-task"]')).includes('largest'), 'what it is about');
      await playTo(page, 30);
      // One answer for a whole row of symbols: this model writes one for each.
      await choose(page, 'task', 'task:task-recall');
      await page.until(`return find(['ap-train-side', '[data-part="unfit"]'])?.textContent.includes(': ')`);
      ok(await page.run(`return find(['ap-train-side', 'option[value="task:task-recall"]']).disabled`), 'disabled');
      ok(await page.run(`return !find(['ap-train-side', '[data-part="task"]']).value.includes('recall')`), 'as before');
      equal(await page.count('ap-train', '[data-part="problem"]'), 0, 'nothing was begun');
      equal(await page.run(`return [${training}.begun.task, ${training}.step >= 30, ${training}.phase]`),
        ['task-sort', true, 'ready'], 'the session as it was');
      equal((await document(page)).training.task.type, 'task-sort', 'and the document');
    },
  },
];

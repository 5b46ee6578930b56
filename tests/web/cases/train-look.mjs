// SPDX-License-Identifier: Apache-2.0
// Between Train and Look: what was trained is offered and described, and what comes back begins again.
import { equal, ok } from '../check.mjs';
import { catchSaved, drop, saved } from '../files.mjs';
import { playTo, press, toTrain } from './train.mjs';

const view = { width: 1440, height: 900 };
const STORE = `document.querySelector('attention-playground').store`;
const training = `find(['ap-train-bar']).desk.training`;
const said = (page, ...chain) => page.until(`return find(values)?.textContent.replace(/\\s+/g, ' ')`, ...chain);
const from = (page) => page.run(`return ${STORE}.documents.document.parameters.from`);
const look = async (page) => {
  await page.click('ap-header', '[data-place="look"]');
  await page.settled();
};
// What was measured last, as the page writes it.
const measured = (page) => page.run(`const { accuracy, heldOut, step } = ${training}.lastMeasured;
  return { right: (100 * accuracy).toFixed(0) + ' %', heldOut, step }`);

export const trainLook = [
  {
    name: 'training: a system that is opened where one trains is trained from its first step; the other stays as a run',
    first: true,
    view,
    async run(page) {
      await toTrain(page);
      await playTo(page, 30);
      const before = (await page.document()).title;
      await page.click('ap-header', '[data-dialog="presets"]');
      await page.until(`return !!find(['ap-gallery', '.preset[data-kind="system"]'])`);
      await page.run(`for (let k = 0; k < 40; k++) { const more = find(['ap-gallery', `
        + `'[data-all][aria-expanded="false"]']); if (!more) break; more.click(); await `
        + `find(['ap-gallery']).updateComplete; }`);
      await page.click('ap-gallery', '.preset[data-kind="system"][data-id="luong"]');
      await page.until(`const { title } = ${STORE}.documents.document;
        return title !== values[0] && ${training}.phase === 'ready' && ${training}.trained.title === title`, before);
      equal(await page.count('ap-train', '[data-part="edited"]'), 0, 'nothing of the other is compared with it');
      equal(await page.run(`return [${training}.step, find(['ap-train-bar']).desk.runs.all.length]`), [0, 1], 'a run');
    },
  },
  {
    name: 'training: Look offers what was trained, and says of it what Train measured',
    first: true,
    view,
    async run(page) {
      const shipped = await from(page);
      await toTrain(page);
      await playTo(page, 80);
      const { right, heldOut, step } = await measured(page);
      const steps = await page.run(`return ${training}.step`);
      await look(page);
      equal(await from(page), shipped, 'Look shows what it showed before');
      const hint = await said(page, 'ap-story', '[data-part="untaken"]');
      ok(hint.includes(`for ${steps} steps`) && hint.includes('the weights that come with this page'), hint);
      await page.click('ap-story', '[data-part="show-trained"]');
      await page.until(`return ${STORE}.documents.document.parameters.from.startsWith('own-')`);
      await page.settled();
      equal(await page.count('ap-story', '[data-part="untaken"]'), 0, 'what is shown is offered no more');
      const figures = await page.until(`const text = find(['ap-card', '[data-part="figures"]'])?.textContent
        .replace(/\\s+/g, ' '); return /trained/.test(text ?? '') && text`);
      ok(figures.includes(`for ${steps} steps`) && figures.includes(right) && figures.includes(`${heldOut} held-out`)
        && (step === steps || figures.includes(`step ${step}`)), `${right} of ${heldOut} at ${step}: ${figures}`);
      ok(!/not been measured/.test(figures), figures);
      equal(await page.count('ap-card', '[data-part="figures"] [data-part="measure"]'), 0, 'it was measured');
      // The model around the weights is another: what was measured is not said of it.
      await page.run(`const { documents } = ${STORE};
        const at = documents.document.model.findIndex(({ name }) => name === 'decoder');
        documents.set('/model/' + at + '/attention/alignment', 'sparsemax')`);
      await page.settled();
      await page.until(`return /no longer/.test(find(['ap-card', '[data-part="figures"]'])?.textContent)`);
    },
  },
  {
    name: 'training: a file of trained weights is named with its steps, where one trains and where one looks',
    first: true,
    view,
    async run(page) {
      await toTrain(page);
      await playTo(page, 60);
      const { right } = await measured(page);
      const steps = await page.run(`return ${training}.step`);
      await catchSaved(page);
      await press(page, 'save', 'ap-train');
      const { bytes } = await saved(page);
      // Where one trains it is chosen with a button.
      await press(page, 'start-again');
      await page.until(`return ${training}.phase === 'ready' && ${training}.step === 0`);
      await page.run(`const input = find(['ap-train', '[data-part="load"]']); const given = new DataTransfer();
        given.items.add(new File([Uint8Array.from(atob(values[0]), (c) => c.charCodeAt(0))], 'mine.safetensors'));
        input.files = given.files; input.dispatchEvent(new Event('change'))`, bytes.toString('base64'));
      const fitted = await said(page, 'ap-train', '[data-part="fitted"]');
      ok(fitted.includes('mine.safetensors') && fitted.includes(`after ${steps} steps`), fitted);
      // Where one looks it is dropped.
      await look(page);
      await drop(page, 'theirs.safetensors', '', bytes);
      await page.click('ap-bring', '[data-use]');
      await page.until(`return find(['ap-dialogs', 'dialog'], true).length === 0`);
      await page.settled();
      const figures = await page.until(`const text = find(['ap-card', '[data-part="figures"]'])?.textContent
        .replace(/\\s+/g, ' '); return /file/.test(text ?? '') && text`);
      ok(figures.includes('theirs.safetensors') && figures.includes(`after ${steps} steps`) && figures.includes(right),
        figures);
    },
  },
  {
    name: 'training: after another score and a reset it begins again, with nothing of the mixed weights',
    first: true,
    view,
    async run(page) {
      await page.run(`await ${STORE}.learn()`);
      const shipped = await page.document();
      const at = shipped.model.findIndex(({ name }) => name === 'decoder');
      await page.choose(`/model/${at}/attention/score`, 'dot');
      // The weights that fit are kept, once it is known that the choice does not fit as it is.
      await page.until(`return ${STORE}.documents.document.parameters?.from?.startsWith('own-')`);
      await page.settled();
      // What is new is called as the menus call it, over the whole width of the controls.
      const notice = await said(page, 'ap-panel', '.notice');
      ok(notice.includes('Score (decoder): W') && !notice.includes('decoder.attention'), notice);
      const [wide, room] = await page.run(`const box = find(['ap-panel', '.notice']);
        return [box, box.parentElement].map((one) => one.getBoundingClientRect().width)`);
      ok(wide > room - 2, `${wide} of ${room}`);
      await toTrain(page);
      await page.until(`return ${training}.phase === 'ready' && ${training}.fitted`);
      const fitted = await said(page, 'ap-train', '[data-part="fitted"]');
      ok(fitted.includes('Score (decoder): W'), fitted);
      await page.click('ap-header', '[aria-label="Reset"]');
      await page.until(`return ${STORE}.documents.document.parameters.from === values[0]`, shipped.parameters.from);
      await page.until(`return ${training}.phase === 'ready' && !${training}.fitted && ${training}.step === 0`);
      equal(await page.count('ap-train', '[data-part="fitted"]'), 0, 'no weights are brought');
      const score = await page.run(`return ${training}.trained.model.find(({ name }) => name === 'decoder')
        .attention.score`);
      equal(score, shipped.model[at].attention.score, 'the score of the first page');
    },
  },
];

// SPDX-License-Identifier: Apache-2.0
// A reader's own data are pasted, dropped, and learned; what is wrong with them leaves all as it was.
import { equal, ok } from '../check.mjs';
import { FULL, pace, press, state, toTrain } from './train.mjs';

/** Forty pairs of a toy language: it says the colour first. */
const toy = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
  .flatMap((a) => ['red', 'green', 'blue', 'big', 'new'].map((b) => `${a} ${b}\tx${b} x${a}`)).join('\n');

const million = 'a\tb\n'.repeat(1_000_000);

const open = async (page) => {
  await page.run(`const menu = find(['ap-train-side', '[data-part="task"]']);
    menu.value = 'own';
    menu.dispatchEvent(new Event('change'));`);
  await page.until(`return !!find(['ap-train-own', 'textarea'])`);
};
const paste = (page, text, kind = 'pairs') => page.run(`find(['ap-train-own', '[value="' + values[1] + '"]']).click();
  const field = find(['ap-train-own', 'textarea']);
  field.value = values[0];
  field.dispatchEvent(new Event('input'));
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));`, text, kind);
// As from the clipboard: the field itself is not made to lay out what is too long for it.
const pasteMillion = (page) => page.run(`const given = new DataTransfer();
  given.setData('text/plain', 'a\\tb\\n'.repeat(1_000_000));
  find(['ap-train-own', 'textarea']).dispatchEvent(new ClipboardEvent('paste',
    { clipboardData: given, bubbles: true, composed: true, cancelable: true }));
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));`);
const drop = (page, text, name) => page.run(`const files = new DataTransfer();
  files.items.add(new File([values[0]], values[1]));
  find(['ap-train-own', 'textarea']).dispatchEvent(new DragEvent('drop',
    { dataTransfer: files, bubbles: true, composed: true, cancelable: true }));`, text, name);
const pasted = (page) => page.run(`return find(['ap-train-own', 'textarea']).value`);
const learns = (page) => press(page, 'own-train', 'ap-train-own');
const refused = async (page) => {
  await page.until(`return !!find(['ap-train-own', '[data-part="own-problem"]'])`);
  equal(await page.count('ap-train', '[data-part="problem"]'), 0, 'what is wrong is said once');
  return page.text('ap-train-own', '[data-part="own-problem"]');
};

export const trainOwn = [
  {
    first: true,
    name: 'training: pairs that are pasted are learned at once, and one undo brings back what was there',
    view: { width: 1440, height: 900 },
    async run(page) {
      await toTrain(page);
      const { title } = await page.document();
      await open(page);
      equal(await page.axe(), [], 'the part');
      await paste(page, toy);
      equal(await page.text('ap-train-own', '[data-part="understood"]'),
        '40 lines, 160 words (26 different); 4 held out.', 'what was understood');
      equal((await page.document()).title, title, 'nothing is changed by pasting');
      await pace(page, FULL);
      await learns(page);
      await page.until(`return Number(find(['ap-train-bar', 'input[type="range"]']).value) > 40
        && !!find(['ap-train-shown', '.wrote li'])`);
      const { training, inputs } = await page.document();
      equal([training.task.type, training.task.text], ['task-pairs', toy], 'the document carries the text');
      equal(inputs.source.tokens, ['one', 'red'], 'its first line is watched');
      equal((await state(page)).map.length, 6, 'three words written while two are read');
      ok((await page.run(`return find(['ap-train-side'], true)[0].shadowRoot.textContent`)).includes('36 examples'),
        'it says what it learns from');
      await page.click('ap-header', '[aria-label="Undo"]');
      equal((await page.document()).title, title, 'one step back');
    },
  },
  {
    first: true,
    name: 'training: own data that are wrong are refused beside what was pasted, and the session is as it was',
    view: { width: 390, height: 844 },
    async run(page) {
      await toTrain(page);
      await press(page, 'step');
      await page.until(`return Number(find(['ap-train-bar', 'input[type="range"]']).value) === 1`);
      const before = await state(page);
      const document = await page.document();
      await page.click('ap-train', '[data-tab="settings"]');
      await open(page);
      for (const [text, says] of [[`${toy}\nnine red\t`, 'line 41'], ['one red\txred xone', 'two different sources'],
        [million, '1000000 lines']]) {
        await (text === million ? pasteMillion(page) : paste(page, text));
        await learns(page);
        await page.until(`return find(['ap-train-own', '[data-part="own-problem"]'])?.textContent.includes(values[0])`,
          says);
        ok((await refused(page)).includes(says), says);
        equal(await pasted(page), text.slice(0, 2000), 'what was pasted stays');
        equal(await page.document(), document, 'the document');
      }
      ok(await page.run(`return find(['ap-train', '.scroll']).scrollWidth
        <= find(['ap-train', '.scroll']).clientWidth + 1`), 'something reaches past the edge');
      await press(page, 'own-empty', 'ap-train-own');
      // Nothing is lost by looking at the map meanwhile.
      await paste(page, 'short', 'text');
      await page.click('ap-train', '[data-tab="map"]');
      const after = await state(page);
      equal([after.looksAt, after.map, after.able], [1, before.map, true], 'the session');
      await page.click('ap-train', '[data-tab="settings"]');
      equal(await pasted(page), 'short', 'the draft');
      await page.run(`find(['ap-train-own', '[value="labels"]']).click()`);
      await drop(page, toy.split('\n').map((line, k) => `"${line.split('\t')[0]}",${k % 5 ? 'odd' : 'well known'}`)
        .join('\r\n'), 'lines.csv');
      await page.until(`return find(['ap-train-own', 'textarea']).value.startsWith('one red\\twell known\\n')`);
      await learns(page);
      await page.until(`return find(['ap-train-shown'])?.shadowRoot.textContent.includes('well known')
        && Number(find(['ap-train-bar', 'input[type="range"]']).value) > 3`);
      equal((await page.document()).training.task.type, 'task-labels', 'labels are learned');
    },
  },
];

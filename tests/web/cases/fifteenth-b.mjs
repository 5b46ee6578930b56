// SPDX-License-Identifier: Apache-2.0
// What the fifteenth stranger could not do: change all layers at once, see what was probable before a change, compare
// one token in two sentences, and be asked something by a teacher. Each case begins at the first page.
import { equal, ok } from '../check.mjs';
import { drop, dropAll } from '../files.mjs';
import { llama2c, scoredPieces } from '../../models.mjs';

const store = `document.querySelector('attention-playground').store`;
const PIECES = ['<unk>', '<s>', '</s>', ...'abcdefghijklmnopq ', 'ab', 'cd'];
const LAYERS = 3;
const HEADS = 'ap-menu[data-path="/model/1/attention/heads"]';

async function openLlama(page) {
  await dropAll(page, [['stories.bin', llama2c({ layers: LAYERS, groups: 4 })], ['tok23.bin', scoredPieces(PIECES)]]);
  await page.until(`return find(['ap-drop', '[data-part="ready"]'])`);
  await page.click('ap-drop', '[data-part="open"]');
  await page.until(`return !find(['ap-drop'])`);
  await page.until(`return find(['ap-pieces', '.next'])`);
}
const headsOf = async (page) => (await page.document()).model.map((one) => one.attention?.heads).filter(Boolean);
const depth = (page) => page.run(`return ${store}.documents.depth`);

const QUESTION = {
  schema: 'attention-playground-lesson/1',
  document: { schema: 'attention-playground/1', seed: 7,
    inputs: { x: { tokens: ['the', 'cat', 'slept', 'since', 'they', 'fed', 'it'],
      features: { type: 'words', dim: 24 } } },
    mechanism: { type: 'attention', query: 'self-attention', mask: ['mask-causal'] } },
  show: [{ of: 'weights', what: 'max', row: 'cat', col: 'they' }],
  steps: [{ until: { measure: { of: 'weights', what: 'max', row: 'cat', col: 'they' }, is: '>', than: 0.01 } }],
  text: { title: 'What does a mask hide?', show: ['weight of cat on they'],
    steps: [{ do: 'Let “cat” attend to “they”.', done: 'Later words count again.' }] },
};

export const fifteenthB = [
  {
    first: true,
    name: 'layers: one edit changes the heads of all layers, and Compare and Cost show what that saves',
    async run(page) {
      await openLlama(page);
      await page.click('ap-panel', '[data-part="together"] input');
      await page.until(`return find(['ap-panel', '[data-part="layers"]'])?.dataset.follow === values[0]`, `${LAYERS}`);
      const before = await depth(page);
      await page.choose('/model/1/attention/heads', 'multi-query');
      await page.until(`return ${store}.view.notice.length > 0 && !${store}.sessions.busy`);
      equal(await headsOf(page), Array(LAYERS).fill({ type: 'multi-query' }), 'all layers');
      equal(await depth(page), before + 1, 'one step');
      await page.until(`return find(['ap-pieces', '.next'])`);
      equal(await page.axe(), [], 'axe');
      const kept = async () => {
        await page.until(`return find(['ap-kept', '[data-part="kept"] td'], true).length === 6`);
        return page.run(`return find(['ap-kept', '[data-part="kept"] td'], true)
          .map((one) => Number(one.dataset.bytes))`);
      };
      await page.dialog('cost');
      const bytes = await kept();
      // Four heads of keys and values became one.
      for (let k = 0; k < bytes.length; k += 2) equal(bytes[k] * 4, bytes[k + 1], `row ${k}`);
      await page.press('Escape');
      await page.click('ap-header', '[data-place="compare"]');
      await page.until(`return find(['ap-beside', 'option[value="opened"]'])`);
      await page.run(`const select = find(['ap-beside', 'select[data-part="beside"]']);
        select.value = 'opened'; select.dispatchEvent(new Event('change'))`);
      equal(await kept(), bytes, 'the same in Compare');
      equal(await page.run(`return find(['ap-beside', '.row'], true).length`), 1, 'one part differs');
      await page.run(`${store}.documents.undo()`);
      equal((await headsOf(page)).map(({ type }) => type), Array(LAYERS).fill('multi-head'), 'one Undo takes it back');
    },
  },
  {
    first: true,
    name: 'layers: a knob moves and a head is switched off in all layers, and the next words say what they were',
    async run(page) {
      await openLlama(page);
      const listed = `Object.fromEntries(find(['ap-pieces', '.next button'], true).map((one) =>
        [one.dataset.id, one.nextElementSibling.nextElementSibling.textContent]))`;
      const first = await page.run(`return ${listed}`);
      await page.until(`return find(['ap-all-heads', '.head'], true).length === values[0]`, 4 * LAYERS);
      await page.run(`find(['ap-all-heads', '.head'], true)[1].click()`);
      await page.until(`return find(['ap-all-heads', '[data-part="switch-layers"]'])`);
      const before = await depth(page);
      await page.click('ap-all-heads', '[data-part="switch-layers"]');
      equal(await page.run(`return ${store}.documents.document.interventions.map(({ of, head }) => [of, head])`),
        Array.from({ length: LAYERS }, (_, k) => [`layer-${k + 1}.attention.heads`, 1]), 'the head of each layer');
      equal(await depth(page), before + 1, 'one step');
      await page.until(`return find(['ap-pieces', '[data-part="changed"]'])`);
      const was = await page.run(`return find(['ap-pieces', '[data-before]'], true).map((one) =>
        [one.dataset.before, one.textContent])`);
      ok(was.some(([id]) => first[id] !== undefined), 'some words are in both lists');
      for (const [id, text] of was)
        equal(text, first[id] === undefined ? 'new in the list' : `before: ${first[id]}`, id);
      const now = await page.run(`return ${listed}`);
      const gone = Object.keys(first).filter((id) => now[id] === undefined);
      equal((await page.text('ap-pieces', '[data-part="changed"]')).includes('No longer in the list'), gone.length > 0,
        'words that left');
      equal(await page.axe(), [], 'axe');
      await page.click('ap-all-heads', '[data-part="switch-layers"]');
      equal(await page.run(`return ${store}.documents.document.interventions ?? null`), null, 'on again');
      await page.click('ap-panel', '[data-part="together"] input');
      await page.fill('0.25', 'ap-knob[data-path="/model/1/attention/score/scale"]', 'input.num');
      equal((await page.document()).model.map((one) => one.attention?.score?.scale).filter(Boolean),
        Array(LAYERS).fill(0.25), 'the scale of each layer');
      await page.run(`${store}.documents.undo()`);
      equal((await page.document()).model.some((one) => one.attention?.score?.scale), false, 'one Undo');
    },
  },
  {
    first: true,
    name: 'a token in two sentences: its rows are side by side, and what differs is said',
    async run(page) {
      await page.clickAt(['ap-matrix[data-tensor="decoder.weights"]'], 0.3, 0.25);
      await page.until(`return find(['ap-elsewhere', 'textarea'])`);
      await page.fill('they see him', 'ap-elsewhere', 'textarea');
      await page.until(`return find(['ap-elsewhere', '[data-row="there"] li'], true).length === 3`);
      const keys = await page.run(`return find(['ap-elsewhere', '[data-row="there"] li span'], true)
        .map((one) => one.textContent).sort()`);
      equal(keys, ['him', 'see', 'they'], 'the keys of the other sentence');
      ok((await page.text('ap-elsewhere', '[data-part="differs"]')).includes('see'), 'what differs');
      const cosine = Number(await page.run(`return find(['ap-elsewhere', '[data-part="cosine"]']).dataset.value`));
      ok(cosine > -1 && cosine < 0.9999, `${cosine}`);
      equal((await page.document()).inputs.source.tokens, ['they', 'see', 'the', 'red', 'car'], 'the document stays');
      await page.fill('I love you', 'ap-elsewhere', 'textarea');
      await page.until(`return find(['ap-elsewhere', '[data-part="absent"]'])`);
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    first: true,
    name: 'words: a special token that is typed among the words is marked as what it is',
    async run(page) {
      await page.run(`${store}.documents.change((draft) => {
        draft.inputs.source.tokens = ['they', '<end>', 'see']; })`);
      await page.until(`return find(['ap-tokens', '[data-part="special"]'])?.textContent.includes('<end>')`);
      equal(await page.run(`return find(['ap-tokens', '.chip.special'], true).map((one) => one.textContent.trim())`),
        ['1<end>'], 'the chip');
    },
  },
  {
    first: true,
    name: 'a question of a teacher: by a file, checked by the page, with a link that opens it again',
    async run(page, origin) {
      await drop(page, 'broken.json', 'application/json', JSON.stringify({ ...QUESTION,
        steps: [{ until: { measure: QUESTION.show[0], is: '=>', than: 0.01 } }] }));
      await page.until(`return find(['ap-bring', '[role="alert"]'])?.textContent.includes('/steps/0/until/is')`);
      await page.press('Escape');
      await drop(page, 'question.json', 'application/json', JSON.stringify(QUESTION));
      await page.until(`return find(['ap-bring', '[data-found="lesson"]'])`);
      await page.click('ap-bring', '[data-use]');
      await page.until(`return find(['ap-lesson', 'h2'])?.textContent === values[0]`, QUESTION.text.title);
      await page.settled();
      equal(await page.run(`return find(['ap-lesson', '.do.well']) ?? null`), null, 'not done yet');
      equal(await page.axe(), [], 'axe');
      await page.click('ap-panel', '.chip button');
      await page.until(`return find(['ap-lesson', '.do.well'])`);
      const link = await page.run(`return find(['ap-lesson']).address`);
      await page.leave();
      await page.go(link.replace(/^[^#]*/, `${origin}/`));
      await page.until(`return find(['ap-lesson', 'h2'])?.textContent === values[0]`, QUESTION.text.title);
      equal(await page.run(`return find(['ap-lesson', '.do.well']) ?? null`), null, 'the task begins again');
      await page.leave();
      await page.go(`${origin}/#lesson=1.AAAA`);
      await page.until(`return ${store}.view.notice.length === 1`);
    },
  },
  {
    name: 'a question of a teacher: Share makes it of the locked cell',
    async run(page, origin) {
      await page.run(`document.querySelector('attention-playground').dialog('share')`);
      await page.click('ap-share', '[data-part="question"] summary');
      const top = `const [form, field] = [find(['ap-share']), find(['ap-question-form', 'textarea'])]
        .map((one) => one.getBoundingClientRect().top);
      return Math.round(field - form);`;
      const before = await page.run(top);
      await page.fill('Let “it” attend to “animal” by more.', 'ap-question-form', 'textarea');
      equal([await page.run(top), await page.run(`return find(['ap-share', '[data-part="no-question"]']) ?? null`)],
        [before, null], 'nothing moves, and no link is named that is not there');
      const value = await page.run(`const { store } = document.querySelector('attention-playground');
        return store.numberAt(store.selection.lock)`);
      await page.fill((value / 2).toFixed(3), 'ap-question-form', '[data-part="bound"]');
      await page.until(`return find(['ap-question-form', '[data-part="already"]'])`);
      await page.fill((value * 1.5).toFixed(3), 'ap-question-form', '[data-part="bound"]');
      const link = await page.until(`return find(['ap-question-form', '.link-field'])?.value`);
      equal(await page.axe(), [], 'axe');
      // The button that stands out copies the link with the question, and the other link says what it lacks.
      const first = `return find(['ap-share', '.button.first'], true)
        .map((one) => one.dataset.part ?? one.dataset.copy)`;
      equal(await page.run(first), ['copy-question'], 'the prominent button');
      ok((await page.text('ap-question-form', '[data-part="no-question"]'))
        .includes('leaves your question out'), 'the note');
      await page.press('Escape');
      await page.until(`return !find(['ap-share'])`);
      await page.run(`document.querySelector('attention-playground').dialog('share')`);
      equal(await page.until(`return find(['ap-question-form', '.link-field'])?.value`), link, 'the question is kept');
      equal(await page.run(`return find(['ap-question-form', 'textarea']).value`),
        'Let “it” attend to “animal” by more.', 'the task is kept');
      await page.leave();
      await page.go(link.replace(/^[^#]*/, `${origin}/`));
      await page.until(`return find(['ap-lesson', '[data-reading="0"]'])`);
      const read = Number((await page.text('ap-lesson', '[data-reading="0"]')).replace('−', '-'));
      ok(Math.abs(read - value) < 0.001, `${read} for ${value}`);
      await page.settled();
      equal(await page.run(`return find(['ap-lesson', 'h2, h3, b'])?.textContent.trim()`), 'A question', 'its title');
      ok(await page.run(`return ${store}.selection.lock !== undefined`), 'the cell of the question is locked');
      equal(await page.run(`return find(['ap-lesson', '.do.well']) ?? null`), null, 'not done yet');
    },
  },
  {
    name: 'a question of a teacher: the reader chooses an answer, or types a number or a word, and the page checks it',
    async run(page, origin) {
      const makes = async (check, task) => {
        await page.run(`document.querySelector('attention-playground').dialog('share')`);
        const open = await page.until(`const part = find(['ap-share', '[data-part="question"]']);
          return part && String(part.open)`);
        if (open === 'false') await page.click('ap-share', '[data-part="question"] summary');
        await page.until(`return find(['ap-question-form', '[data-part="check"]'])`);
        await page.run(`const menu = find(['ap-question-form', '[data-part="check"]']); menu.value = values[0];
          menu.dispatchEvent(new Event('change'))`, check);
        await page.until(`return find(['ap-question-form', '[data-part="task"]'])`);
        await page.fill(task, 'ap-question-form', '[data-part="task"]');
      };
      const opens = async () => {
        const link = await page.until(`return find(['ap-question-form', '.link-field'])?.value`);
        await page.leave();
        await page.go(link.replace(/^[^#]*/, `${origin}/`));
        await page.until(`return find(['ap-answer', 'form'])`);
        await page.settled();
      };
      const checks = () => page.click('ap-answer', '[data-part="check"]');
      await makes('choice', 'Which word gets most of the weight of “it”?');
      await page.fill('the street', 'ap-question-form', '[aria-label="Answer 1"]');
      await page.until(`return find(['ap-question-form', '[data-part="need"]'])`);
      await page.fill('the animal', 'ap-question-form', '[aria-label="Answer 3"]');
      await page.click('ap-question-form', '[aria-label="Answer 3 is the right one"]');
      await page.fill('Look at the row of “it”.', 'ap-question-form', '[data-part="hint"]');
      equal(await page.axe(), [], 'axe of the form');
      await opens();
      equal(await page.run(`return find(['ap-answer', 'label'], true).map((one) => one.textContent.trim())`),
        ['the street', 'the animal'], 'the empty answer is left out');
      await page.click('ap-answer', 'input[value="0"]');
      await checks();
      ok((await page.text('ap-answer', '[data-part="wrong"]')).includes('Look at the row of “it”.'), 'the hint');
      equal(await page.axe(), [], 'axe of the answer');
      await page.click('ap-answer', 'input[value="1"]');
      equal(await page.run(`return find(['ap-answer', '[data-part="wrong"]']) ?? null`), null, 'no longer wrong');
      await checks();
      await page.until(`return find(['ap-lesson', '.do.well'])`);
      equal(await page.text('ap-lesson', '.seen'), 'Right.', 'what is said');
      equal(await page.run(`return find(['ap-lesson', '.seen']).matches(':focus')`), true, 'focus');
      await page.leave();
      await page.go(`${origin}/`);
      await page.settled();
      await makes('number', 'How large is the softmax of 1 over 1, 2 and 3?');
      await page.until(`return find(['ap-question-form', '[data-part="need"]'])`);
      await page.fill('0,09', 'ap-question-form', '[data-part="typed"]');
      equal(await page.text('ap-question-form', '[data-part="understood"]'), 'This is read as 0.09.', 'the comma');
      await page.fill('That is 1 / (1 + e + e²).', 'ap-question-form', '[data-part="done"]');
      await opens();
      await page.fill('a tenth', 'ap-answer', '[data-part="answer"]');
      await checks();
      await page.until(`return find(['ap-answer', '.error'])?.textContent.includes('“a tenth” is not one')`);
      await page.fill('0,0925', 'ap-answer', '[data-part="answer"]');
      await checks();
      await page.until(`return find(['ap-lesson', '.do.well'])`);
      equal(await page.text('ap-lesson', '.seen'), 'That is 1 / (1 + e + e²).', 'the explanation');
    },
  },
  {
    first: true,
    name: 'a question of a teacher about the page as it opens: the first change is translated',
    async run(page, origin) {
      await page.settled();
      await page.run(`const { selection, sessions } = ${store};
        const { group, name, shape } = sessions.result.all('outputs').find((one) => one.name.endsWith('weights'));
        selection.hold({ group, tensor: name, index: shape.map(() => 0) })`);
      await page.run(`document.querySelector('attention-playground').dialog('share')`);
      await page.click('ap-share', '[data-part="question"] summary');
      await page.fill('Make this weight larger.', 'ap-question-form', 'textarea');
      await page.fill('0.999', 'ap-question-form', '[data-part="bound"]');
      const link = await page.until(`return find(['ap-question-form', '.link-field'])?.value`);
      await page.leave();
      await page.go(link.replace(/^[^#]*/, `${origin}/`));
      await page.until(`return find(['ap-lesson', '[data-reading="0"]'])`);
      await page.settled();
      equal(await page.run(`return ${store}.documents.document.inputs.source.tokens`),
        ['they', 'see', 'the', 'red', 'car'], 'the words of the page');
      await page.run(`${store}.documents.set('/inputs/source/tokens', ['they', 'see', 'the', 'red', 'house'])`);
      await page.until(`return ${store}.documents.document.inputs.target.tokens.join(' ') === values[0]`,
        'ils voient la maison rouge <end>');
    },
  },
];

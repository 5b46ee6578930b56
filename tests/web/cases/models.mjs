// SPDX-License-Identifier: Apache-2.0
// Models of other programs that somebody drops on the page: they open as documents, read texts and write words; what is
// wrong with a file is said with its name, and nothing is lost.
import { equal, ok } from '../check.mjs';
import { catchSaved, dropAll, saved } from '../files.mjs';
import { gpt2, harm, json, marian, marianConfig, predicted, safetensors, tokenizer, torch, unigram }
  from '../../models.mjs';

const CONFIG = { model_type: 'gpt2', n_embd: 16, n_layer: 2, n_head: 4, vocab_size: 11, n_positions: 12 };
const tensors = gpt2();
const whole = { 'tiny.safetensors': safetensors(tensors),
  'config.json': json(CONFIG), 'tokenizer.json': json(tokenizer()) };
const give = (page, files) => dropAll(page, Object.entries(files));

// What the dialog has to say: the weights are read, a question, or what is wrong.
const heard = (page) => page.until(`
  const drop = find(['ap-drop']);
  const part = (selector) => find(['ap-drop', selector]);
  if (part('[data-part="ready"]')) return 'ready';
  if (part('[data-part="question"]')) return 'question';
  return part('[role="alert"]')?.textContent.replace(/\\s+/g, ' ').trim();`);
const shut = async (page) => {
  await page.press('Escape');
  await page.until(`return !find(['ap-drop'])`);
};
const open = async (page) => {
  await page.click('ap-drop', '[data-part="open"]');
  await page.until(`return find(['ap-pieces', '[data-part="next"]'])`);
  await page.settled();
};
const type = (page, text) => page.run(`const box = find(['ap-pieces', 'textarea']); box.value = values[0]; `
  + `box.dispatchEvent(new Event('input'))`, text);
const listed = (page) => page.run(`return find(['ap-pieces', '.next button'], true).map((button) => [Number(`
  + `button.dataset.id), Number(button.nextElementSibling.nextElementSibling.textContent)])`);
const ids = async (page) => (await page.document()).inputs.text.data;

export const models = [
  {
    name: 'models: three files open as a document, and its words follow a plain forward pass',
    async run(page) {
      const before = await page.document();
      await give(page, whole);
      equal(await heard(page), 'ready', 'read');
      equal(await page.axe(), [], 'axe of the dialog');
      ok((await page.text('ap-drop', '[data-part="counts"]')).startsWith('28 found, 0 missing, 1 tied, 0 left over'),
        await page.text('ap-drop', '[data-part="counts"]'));
      ok((await page.text('ap-drop', '.files')).includes('tokenizer (BPE), 11 tokens'), 'the tokenizer');
      await open(page);
      const document = await page.document();
      equal(document.parameters, { from: 'own-tiny.safetensors' }, 'weights');
      ok(document.title.startsWith('tiny, GPT-2'), document.title);
      // A text of the reader's.
      await type(page, 'ab ab.');
      await page.until(`return JSON.stringify(document.querySelector('attention-playground').store.documents.document`
        + `.inputs.text.data) === '[0,1,9,7]'`);
      await page.settled();
      equal((await page.document()).inputs.text.labels, ['a', 'b', ' ab', '.'], 'pieces');
      const right = predicted(tensors, [0, 1, 9, 7], 4);
      await page.until(`return find(['ap-pieces', '[data-part="took"]'])?.dataset.rows === '4' || find(['ap-pieces', `
        + `'.next button'])?.dataset.id === values[0]`, String(right.indexOf(Math.max(...right))));
      for (const [id, probability] of await listed(page))
        ok(Math.abs(probability - right[id]) <= 0.00501, `${id}: ${probability}, not ${right[id]}`);
      // One word more is one row more, and one step back.
      await page.click('ap-pieces', '[data-part="write"]');
      await page.until(`return find(['ap-pieces', '[data-part="took"]'])?.dataset.rows === '1'`);
      const best = right.indexOf(Math.max(...right));
      equal(await ids(page), [0, 1, 9, 7, best], 'the likeliest word is written');
      equal(await page.axe(), [], 'axe of the texts');
      // The maps that are drawn are those of the text.
      ok(await page.run(`return document.querySelector('attention-playground').store.sessions.result.tensors`
        + `.some((one) => one.role === 'weights' && one.shape.at(-1) === 5)`), 'maps of five tokens');
      await page.click('ap-header', '[aria-label="Undo"]');
      equal(await ids(page), [0, 1, 9, 7], 'undone');
      for (let k = 0; k < 2; k++) await page.click('ap-header', '[aria-label="Undo"]');
      equal(await page.document(), before, 'the document before');
    },
  },
  {
    name: 'models: without a config the heads are asked for; without a tokenizer tokens are numbers',
    async run(page) {
      await give(page, { 'tiny.safetensors': whole['tiny.safetensors'] });
      equal(await heard(page), 'question', 'asked');
      await page.click('ap-drop', '[data-choice="4"]');
      await page.click('ap-drop', '[data-part="answer"]');
      equal(await heard(page), 'ready', 'read');
      await open(page);
      await type(page, '3 10 99');
      const refused = await page.until(`return find(['ap-pieces', '[role="alert"]'])?.textContent`);
      ok(refused.includes('from 0 to 10'), refused);
      await type(page, '3 10');
      await page.until(`return JSON.stringify(document.querySelector('attention-playground').store.documents.document`
        + `.inputs.text.data) === '[3,10]'`);
      const right = predicted(tensors, [3, 10], 4);
      await page.until(`return find(['ap-pieces', '.next button'])?.dataset.id === values[0]`,
        String(right.indexOf(Math.max(...right))));
    },
  },
  {
    name: 'models: a translator reads a source, writes a target to its end, and shows its cross-attention',
    async run(page) {
      const translator = marian();
      const pieces = [['</s>', 0], ['<unk>', 0], ...['the', 'a', 'house', 'cat', 'das', 'ein', 'haus', 'ist']
        .map((word, k) => [`\u2581${word}`, -2 - k]), ['.', -4], ['s', -9], ['\u2581', -8], ['<pad>', 0]];
      await give(page, { 'translator.safetensors': safetensors(translator),
        'config.json': json(marianConfig(translator, 4)), 'tokenizer.json': json(unigram(pieces)) });
      equal(await heard(page), 'ready', 'read');
      await open(page);
      const of = async (name) => (await page.document()).inputs[name].data;
      // A source of the reader's: the target begins again and follows it to its end.
      await page.run(`const box = find(['ap-source', 'textarea']); box.value = 'the cat.'; `
        + `box.dispatchEvent(new Event('input'))`);
      await page.until(`return JSON.stringify(document.querySelector('attention-playground').store.documents.document`
        + `.inputs.source.data) === '[2,5,10,0]'`);
      await page.until(`const list = find(['ap-pieces']); return list.said?.ended && !list.writing && !list.isAtStart`);
      await page.settled();
      const target = await of('target');
      equal(target, [13, 10, 10, 10, 4, 4], 'what attend write gives');
      // It opens at the map between both texts, and says whose words attend to whose.
      equal(await page.run(`return document.querySelector('attention-playground').store.view.module`),
        'decoder-2.cross', 'what is large');
      const see = await page.text('ap-story', '[data-part="see"]');
      ok(see.startsWith('In decoder 2.cross, head 1: '), see);
      // What one row at a time found is what all rows together give.
      const last = await page.run(`const { result } = document.querySelector('attention-playground').store.sessions;
        const { data, shape } = result.find('predict.probabilities', 'outputs');
        return [...data.slice(data.length - shape.at(-1))]`);
      const kept = 1 - last[13];
      for (const [id, probability] of await listed(page))
        ok(Math.abs(probability - last[id] / kept) <= 0.00501, `${id}: ${probability}, not ${last[id] / kept}`);
      equal((await listed(page))[0][0], 0, 'it ended');
      // Each cross map has the words of the target along its rows and those of the source along its columns.
      const maps = await page.run(`const { result } = document.querySelector('attention-playground').store.sessions;
        return result.all('outputs').filter(({ name }) => /cross.weights$/.test(name)).map((one) => [one.name,
          result.labels(one.axes.at(-2).symbol), result.labels(one.axes.at(-1).symbol), one.shape])`);
      equal(maps.map(([name]) => name), ['decoder-1.cross.weights', 'decoder-2.cross.weights'], 'cross maps');
      equal(maps[0][3], [4, target.length, 4], 'their shape');
      // All heads name the stack and the attention of each row.
      const rows = await page.run(`return find(['ap-heads-overview', 'ap-all-heads', '[data-layer]'], true)
        .map((one) => one.textContent.trim())`);
      equal(rows, ['encoder 1', 'encoder 2', 'decoder 1.attention', 'decoder 1.cross', 'decoder 2.attention',
        'decoder 2.cross'], 'rows of heads');
      // Positions of two texts are not compared: of the 24 heads those of both cross maps have no number.
      const found = () => page.text('ap-all-heads', '[data-part="found"]');
      ok((await found()).startsWith('Ranked first of 16 heads: '), await found());
      ok((await found()).endsWith('8 heads have no number. Queries and keys are different tokens.'), await found());
      await page.click('ap-all-heads', '[data-measure="entropy"]');
      ok((await found()).startsWith('Ranked first of 24 heads: '), await found());
      await page.click('ap-all-heads', '[data-measure="previous"]');
      equal(await page.axe(), [], 'axe');
      // A target of the reader's follows the start token, without the end that the tokenizer puts behind every text.
      await type(page, 'das haus.');
      await page.until(`return JSON.stringify(document.querySelector('attention-playground').store.documents.document`
        + `.inputs.target.data) === '[13,6,8,10]'`);
      await page.settled();
      equal((await page.document()).inputs.target.labels, ['<pad>', ' das', ' haus', '.'], 'its tokens');
      const cross = await page.run(`const { result } = document.querySelector('attention-playground').store.sessions;
        const { axes, shape } = result.find('decoder-2.cross.weights', 'outputs');
        return [result.labels(axes.at(-2).symbol), shape]`);
      equal(cross[1], [4, 4, 4], 'a row for each of its tokens');
      equal(await page.run(`return find(['ap-pieces', 'textarea']).value`), 'das haus.', 'what was typed stays');
      await page.until(`const list = find(['ap-pieces']); return list.said && list.of === list.saidOf`);
      equal(await of('target'), [13, 6, 8, 10], 'nothing is written after it unasked');
      await page.click('ap-header', '[aria-label="Undo"]');
      equal(await of('target'), target, 'what the model wrote');
      await page.click('ap-pieces', '[data-part="again"]');
      equal(await of('target'), [13], 'begun again');
      await page.until(`return find(['ap-pieces', '[data-part="write"]'])?.disabled === false`);
      await page.click('ap-pieces', '[data-part="write"]');
      await page.until(`return document.querySelector('attention-playground').store.documents.document.inputs.target`
        + `.data.length === 2`);
      equal(await of('target'), target.slice(0, 2), 'word by word it writes the same');
    },
  },
  {
    name: 'models: with int8 weights a model takes a third of its memory and answers nearly the same',
    async run(page) {
      const sizes = { width: 256, vocabulary: 300 };
      const wide = gpt2(sizes);
      for (const [name, { data }] of Object.entries(wide))
        if (!name.includes('ln_')) data.forEach((x, k) => (data[k] = Math.fround(x / 6)));
      await give(page, { 'wide.safetensors': safetensors(wide),
        'config.json': json({ ...CONFIG, n_embd: 256, vocab_size: 300 }) });
      equal(await heard(page), 'ready', 'read');
      const megabytes = async () => Number(/([0-9.]+) MB/.exec(await page.text('ap-drop', '[data-part="sizes"]'))[1]);
      const before = await megabytes();
      // What the button does is a sentence of the page, for a finger and for a reader of the screen.
      const why = await page.run(`const [described] = find(['ap-drop', '[data-part="small"]']).ariaDescribedByElements;
        return described.offsetHeight > 0 && described.textContent`);
      ok(why.includes('−127 to 127') && why.includes('Results change'), why);
      await page.click('ap-drop', '[data-part="small"]');
      await page.until(`return find(['ap-drop', '[data-part="ready"]']) && !find(['ap-drop', '[data-part="small"]'])`);
      ok(await megabytes() < before / 3, `${await megabytes()} MB of ${before}`);
      await open(page);
      await type(page, '3 10 299');
      await page.until(`return JSON.stringify(document.querySelector('attention-playground').store.documents.document`
        + `.inputs.text.data) === '[3,10,299]'`);
      await page.settled();
      const right = predicted(wide, [3, 10, 299], 4);
      await page.until(`return find(['ap-pieces', '.next button'])?.dataset.id === values[0]`,
        String(right.indexOf(Math.max(...right))));
      for (const [id, probability] of await listed(page))
        ok(Math.abs(probability - right[id]) <= 0.02, `${id}: ${probability}, not ${right[id]}`);
      // int8 activations: the document says so, and the page how far its words are from those before.
      const exact = new Map(await listed(page));
      await page.click('ap-pieces', '[data-part="int8-activations"]');
      equal((await page.document()).parameters.activations, 'int8', 'in the document');
      const most = Number(await page.until(
        `return find(['ap-pieces', '[data-part="activations-difference"]'])?.dataset.most`));
      ok(most > 0 && most < 0.02, `${most}`);
      for (const [id, probability] of await listed(page))
        ok(Math.abs(probability - (exact.get(id) ?? probability)) <= most + 0.01, `${id}: ${probability}`);
      equal(await page.axe(), [], 'axe of the choice');
      await page.click('ap-header', '[aria-label="Undo"]');
      await page.until(`return find(['ap-pieces', '[data-part="int8-activations"]'])?.checked === false`);
      await page.until(`return !find(['ap-pieces', '[data-part="activations-difference"]'])`);
    },
  },
  {
    name: 'models: what is wrong is said with the name of the file, and the page stays as it was',
    async run(page) {
      const before = await page.document();
      const lying = (change) => ({ ...whole, 'tiny.safetensors': safetensors(tensors, change) });
      const nan = gpt2();
      nan['h.0.attn.c_proj.weight'].data[3] = NaN;
      for (const [what, files, says] of [
        ['cut short', { ...whole, 'tiny.safetensors': whole['tiny.safetensors'].subarray(0, 20_000) },
          ['tiny.safetensors', 'cut short']],
        ['a lying header', lying((header) => (header['wte.weight'].shape = [2 ** 30, 2 ** 30])),
          ['tiny.safetensors', 'wte.weight']],
        ['an unknown type', lying((header) => (header['wte.weight'].dtype = 'F8_E4M3')),
          ['tiny.safetensors', 'F8_E4M3']],
        ['NaN', { ...whole, 'tiny.safetensors': safetensors(nan) },
          ['tiny.safetensors', 'h.0.attn.c_proj.weight', 'NaN']],
        ['a config of another model', { ...whole, 'config.json': json({ ...CONFIG, n_layer: 12 }) },
          ['config.json', 'contradicts the tensors']],
        ['a foreign tokenizer', { ...whole, 'tokenizer.json': json(tokenizer(['x', 'y'])) },
          ['tokenizer.json', '13 pieces', 'another model']],
        ['two models', { ...whole, 'other.safetensors': safetensors(gpt2({ seed: 6 })) }, ['one model only']],
        ['a pickle that calls', { 'pytorch_model.bin': torch(tensors, harm) },
          ['os.system', 'nothing was run', 'never runs']],
        ['a pickle with another opcode', { 'pytorch_model.bin': torch(tensors, Uint8Array.of(0x49, 0x31, 0x0a)) },
          ['opcode 0x49', 'nothing was run']],
      ]) {
        await give(page, files);
        const said = await heard(page);
        for (const part of says) ok(said.includes(part), `${what}: “${said}” does not name ${part}`);
        await shut(page);
        equal(await page.document(), before, `${what}: the document`);
      }
      await give(page, whole);
      equal(await heard(page), 'ready', 'the model itself opens');
      // A file that changes between reading and opening: no slice of it is given any more.
      await page.run(`globalThis.sliced = Blob.prototype.slice;
        const arrayBuffer = () => Promise.reject(new DOMException('changed', 'NotReadableError'));
        Blob.prototype.slice = () => Object.assign(new Blob(), { arrayBuffer });`);
      await page.click('ap-drop', '[data-part="open"]');
      const said = await page.until(`return find(['ap-drop', '[role="alert"]'])?.textContent`);
      ok(/tiny\.safetensors.*changed/s.test(said), said);
      await page.run(`Blob.prototype.slice = globalThis.sliced`);
      await shut(page);
      equal(await page.document(), before, 'changed: the document');
    },
  },
  {
    name: 'models: a text longer than the model reads is refused, and what was there stays',
    async run(page) {
      await give(page, whole);
      equal(await heard(page), 'ready', 'read');
      await open(page);
      const now = await ids(page);
      await type(page, 'abcdefabcdefabcdef');
      const said = await page.until(`return find(['ap-pieces', '[role="alert"]'])?.textContent`);
      ok(said.includes('18 tokens') && said.includes('at most 12'), said);
      equal(await ids(page), now, 'the text');
    },
  },
  {
    name: 'models: a reload finds the model again, and it is saved as a document with its weights',
    async run(page) {
      await give(page, whole);
      equal(await heard(page), 'ready', 'read');
      await catchSaved(page);
      await page.click('ap-drop', '[data-part="save"]');
      const weights = await saved(page);
      const document = JSON.parse((await saved(page)).text);
      equal(document.parameters, { from: weights.name }, 'the document names its weights');
      equal(weights.bytes.length > 27_000, true, 'the weights');
      await open(page);
      const text = await page.run(`return find(['ap-pieces', 'textarea']).value`);
      await page.until(`return document.querySelector('attention-playground').resting`);
      const address = await page.run(`return location.href`);
      await page.leave();
      await page.driver.goto(address);
      await page.until(`return find(['ap-pieces', '[data-part="next"]'])`);
      equal(await page.run(`return find(['ap-pieces', 'textarea']).value`), text, 'the same text');
    },
  },
];

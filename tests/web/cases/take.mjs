// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { attend, attendSays } from '../attend.mjs';
import { equal, ok } from '../check.mjs';
import { catchSaved, runPython, saved } from '../files.mjs';

const open = async (page, tab) => {
  await page.dialog('take');
  await page.until(`return !!find(['ap-take', '[role="tab"]'])`);
  await page.click('ap-take', `#tab-${tab}`);
  await catchSaved(page);
};
const save = async (page, ...chain) => {
  await page.click(...chain);
  return saved(page);
};
const close = (one, other) => Math.abs(one - other) <= 1e-4 * Math.max(1, Math.abs(other));

function same(got, wanted, what) {
  equal(got.shape, wanted.shape, `${what}: shape`);
  equal(got.data.length, wanted.data.length, `${what}: numbers`);
  got.data.forEach((value, k) =>
    ok(close(value, wanted.data[k]), `${what}[${k}]: ${value}, computed ${wanted.data[k]}`));
}

const image = { inputs: { x: { tokens: ['a<b', '&', '"q"', 'é', '😀', '\u0001'],
  features: { type: 'embedding', dim: 4 } } } };

// Whether letters of an SVG are outlines or text.
const lettered = (page, how) => page.run(`const menu = find(['ap-picture', '[data-part="lettering"]']);
  menu.value = values[0];
  menu.dispatchEvent(new Event('change'));`, how);

export const take = [
  {
    name: 'take home: the SVG is well formed, its text is text, its numbers are the ones computed',
    async run(page) {
      await page.run(`document.querySelector('attention-playground').store.documents.change((d) => void `
        + `Object.assign(d.inputs, values[0].inputs))`, image);
      await page.settled();
      await open(page, 'picture');
      equal(await page.axe(), [], 'axe');
      await lettered(page, 'text');
      const { text, name, type } = await save(page, 'ap-picture', '[data-save="svg"]');
      equal([name, type], ['transformer-decoder.svg', 'image/svg+xml'], 'the file');
      const seen = await page.run(`
        const svg = new DOMParser().parseFromString(values[0], 'image/svg+xml');
        if (svg.querySelector('parsererror')) return svg.querySelector('parsererror').textContent;
        return [...svg.querySelectorAll('text')].map((t) => t.textContent);`,
      text.replace(/<style>.*<\/style>/, ''));
      ok(Array.isArray(seen), `not well formed: ${seen}`);
      for (const token of ['a<b', '&', '"q"', 'é', '😀']) ok(seen.includes(token), `${token} cannot be selected`);
      const { outputs } = await attend(await page.document());
      const written = (value) => (value === 0 ? '0'
        : Math.abs(value) < 0.005 ? '<.01' : value.toFixed(2).replace(/^0\./, '.'));
      // What is less than a tenth of the scale is told by its colour.
      const last = outputs.weights.data.slice(30, 36).filter((value) => value >= 0.1).map(written);
      ok(last.length > 1, `${last.length} numbers to look for`);
      const at = seen.findIndex((t, k) => last.every((wanted, j) => seen[k + j] === wanted));
      ok(at >= 0, `the last row of weights ${last} is not in ${seen}`);
    },
  },
  {
    name: 'take home: an SVG looks the same where nobody has the font: as outlines, and as text',
    async run(page) {
      await page.run(`const { documents } = document.querySelector('attention-playground').store;
        documents.set('/inputs/x/tokens', ['AVATAR', 'Über', 'tired', 'so', 'it', '😀'])`);
      await page.settled();
      await open(page, 'picture');
      const outlined = (await save(page, 'ap-picture', '[data-save="svg"]')).text;
      await lettered(page, 'text');
      equal(await page.axe(), [], 'axe');
      const asText = (await save(page, 'ap-picture', '[data-save="svg"]')).text;
      const wide = await page.run(`const to = document.createElement('canvas').getContext('2d');
        to.font = "400 100px 'Source Sans 3'";
        const width = (word) => to.measureText(word).width / 100;
        return Object.fromEntries(['AVATAR', 'Über', 'tired'].map((word) => [word, width(word)]));`);
      await page.leave();
      // A page of nobody: it has no fonts of its own.
      const shown = async (svg) => {
        await page.driver.setContent(`<!doctype html><body>${svg}</body>`);
        await page.driver.evaluate(() => document.fonts.ready.then(() => undefined));
        return page.run(`return {
          fonts: [...document.fonts].map(({ family, status }) => [family.replaceAll('"', ''), status]),
          drawn: [...document.querySelectorAll('g[aria-label]')].map((g) => [g.getAttribute('aria-label'),
            g.getBBox().width / 1000]),
          texts: [...document.querySelectorAll('text')].map((t) => [t.textContent, t.getBBox().width,
            Number(t.getAttribute('textLength')), Number(t.getAttribute('font-size'))]) };`);
      };
      const { drawn, texts } = await shown(outlined);
      equal([...new Set(texts.map(([text]) => text))], ['😀'], 'what the font does not have stays text');
      for (const [word, width] of Object.entries(wide)) {
        const found = drawn.find(([label]) => label === word);
        // The room around a word's first and last letter is no part of its outline.
        ok(found && Math.abs(found[1] - width) < 0.15, `${word}: ${found}, the page has ${width}`);
      }
      const own = await shown(asText);
      ok(own.fonts.length === 2 && own.fonts.every(([family]) => family === 'Source Sans 3'), 'the file has its font');
      for (const file of [own, await shown(asText.replace(/<style>.*<\/style>/, ''))]) {
        ok(file.texts.length > 30, 'texts');
        for (const [text, width, length, size] of file.texts) {
          ok(length > 0 && Math.abs(width - length) < 1.5, `${text} is ${width} wide, its room is ${length}`);
          if (wide[text]) ok(Math.abs(length / size - wide[text]) < 0.01, `${text} has the room of the page's font`);
        }
      }
    },
  },
  {
    name: 'take home: the PNG is drawn, in the size of the figure',
    async run(page) {
      await open(page, 'picture');
      const svg = (await save(page, 'ap-picture', '[data-save="svg"]')).text;
      const [, width] = /width="(\d+)"/.exec(svg);
      const { bytes, name } = await save(page, 'ap-picture', '[data-save="png"]');
      equal([name, bytes.subarray(1, 4).toString()], ['transformer-decoder.png', 'PNG'], 'the file');
      equal(bytes.readUInt32BE(16), 3 * Number(width), 'three times as fine');
      const colours = await page.run(`
        const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(values[0]), (c) => c.charCodeAt(0))],
          { type: 'image/png' }));
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const to = canvas.getContext('2d');
        to.drawImage(bitmap, 0, 0);
        const { data } = to.getImageData(0, 0, bitmap.width, bitmap.height);
        const seen = new Set();
        for (let k = 0; k < data.length; k += 4) seen.add((data[k] << 16) | (data[k + 1] << 8) | data[k + 2]);
        return seen.size;`, bytes.toString('base64'));
      ok(colours > 100, `only ${colours} colours`);
      await page.run(`for (const b of find(['ap-picture', '.pick button[aria-pressed="true"][data-tensor]'], true)) `
        + `b.click()`);
      await page.settled();
      ok(await page.run(`return find(['ap-picture', '[data-save="svg"]']).disabled`),
        'nothing chosen, nothing to save');
    },
  },
  {
    name: 'take home: JSON, CSV and NumPy hold every tensor as computed',
    async run(page) {
      await open(page, 'numbers');
      equal(await page.axe(), [], 'axe');
      const document = await page.document();
      const computed = await attend(document);
      const all = JSON.parse((await save(page, 'ap-tensors', '[data-save="all-json"]')).text);
      for (const group of ['outputs', 'parameters', 'inputs']) {
        for (const [name, tensor] of Object.entries(computed[group] ?? {}))
          same(all[group][name], tensor, `${group} ${name}`);
      }
      equal(all.steps.map((step) => step.shape), computed.steps.map((step) => step.shape), 'steps');
      const csv = (await save(page, 'ap-tensors', '[data-tensor="outputs.weights"] [data-save="csv"]')).text.trim()
        .split('\r\n');
      equal(csv[0], 'h,m,n,value', 'columns');
      equal(csv.length - 1, computed.outputs.weights.data.length, 'lines');
      csv.slice(1).forEach((line, k) =>
        ok(close(Number(line.split(',').at(-1)), computed.outputs.weights.data[k]), line));
      ok(csv[9].startsWith('0,animal,the,'), csv[9]);
      const one = JSON.parse((await save(page, 'ap-tensors',
        '[data-tensor="outputs.context"] [data-save="json"]')).text);
      same(one, computed.outputs.context, 'context');
      const npz = await save(page, 'ap-tensors', '[data-save="all-npz"]');
      const { arrays: read, labels } = JSON.parse(await runPython(`
import base64, io, json, numpy as np
held = np.load(io.BytesIO(base64.b64decode("${npz.bytes.toString('base64')}")))
about = json.loads(held["about.json"])
print(json.dumps({"arrays": {name: {"shape": list(held[name].shape), "data": held[name].ravel().tolist(),
  "axes": about["axes"][name]} for name in about["axes"]},
  "labels": {name: held[name].tolist() for name in held.files if name.startswith("labels.")}}))`));
      same(read['outputs.weights'], computed.outputs.weights, 'weights in NumPy');
      equal(Object.keys(read).length,
        await page.run(`return document.querySelector('attention-playground').store.sessions.result.tensors.length`),
        'arrays');
      equal(labels[read['outputs.weights'].axes.at(-1)], Object.values(document.inputs)[0].tokens, 'words in NumPy');
      const zip = await save(page, 'ap-tensors', '[data-save="all-csv"]');
      // Every table again as an array: a matrix has names around it, more axes one line a number.
      const tables = JSON.parse(await runPython(`
import base64, csv, io, json, zipfile
held = zipfile.ZipFile(io.BytesIO(base64.b64decode("${zip.bytes.toString('base64')}")))
shapes = {name: len(tensor) for name, tensor in json.loads('${JSON.stringify(
  Object.fromEntries(Object.entries(read).map(([name, { shape }]) => [name, shape])))}').items()}
found = {}
for name in held.namelist():
    if name.startswith("rows_of_"):
        continue
    rows = list(csv.reader(io.StringIO(held.read(name).decode(), newline="")))
    rank = shapes[name.removesuffix(".csv")]
    found[name] = [float(x) for row in (rows[1:] if rank else rows) for x in (row[1:] if rank == 2 else row if rank
      < 2 else row[-1:])]
print(json.dumps(found))`));
      const names = Object.keys(tables);
      for (const name of names) {
        const { data } = read[name.replace(/\.csv$/, '')];
        equal(tables[name].length, data.length, `numbers in ${name}`);
        tables[name].forEach((value, k) =>
          ok(close(value, data[k]), `${name}, number ${k}: ${value} is not ${data[k]}`));
      }
      equal(names.length, Object.keys(read).length, 'files');
    },
  },
  ...['numpy', 'pytorch'].map((format) => ({
    name: `take home: the ${format} code runs and gives the numbers of the page`,
    async run(page) {
      await open(page, 'code');
      await page.click('ap-code', `[data-pick="${format}"]`);
      await page.until(`return !!find(['ap-code', 'pre[data-code="' + values[0] + '"]'])`, format);
      const { text, name } = await save(page, 'ap-code', '[data-save="code"]');
      equal([name, text], [`transformer-decoder-${format}.py`,
        await page.run(`return find(['ap-code', 'pre']).textContent`)], 'what is shown is what is saved');
      const printed = JSON.parse(await runPython(text));
      const { outputs } = await attend(await page.document());
      const values = printed.outputs ?? printed;
      for (const output of ['weights', 'context']) {
        const got = Array.isArray(values[output]) ? values[output].flat(9) : values[output].data.flat(9);
        got.forEach((value, k) => ok(close(value, outputs[output].data[k]), `${output}[${k}]: ${value}`));
        equal(got.length, outputs[output].data.length, output);
      }
    },
  })),
  {
    name: 'take home: LaTeX of what is computed; axe finds nothing',
    async run(page) {
      await open(page, 'code');
      await page.until(`return !!find(['ap-code', 'pre'])`);
      const { text, name } = await save(page, 'ap-code', '[data-save="code"]');
      ok(name === 'transformer-decoder.tex' && text.includes('\\begin{align*}') && text.includes('weights'),
        text.slice(0, 400));
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    name: 'take home: a module of PyTorch is that of `attend export`, is copied, and its weights are saved with it',
    async run(page) {
      await open(page, 'code');
      await page.click('ap-code', '[data-pick="pytorch"]');
      await page.click('ap-code', '[data-pick="module"]');
      await page.until(`return !!find(['ap-code', 'pre[data-code="module"]'])`);
      equal(await page.axe(), [], 'axe');
      const shown = await page.run(`return find(['ap-code', 'pre']).textContent`);
      const document = await page.run(`
        return document.querySelector('attention-playground').store.sessions.result.directory.document`);
      const own = await attendSays(['export', 'pytorch', '--module', '-'], JSON.stringify(document));
      equal(shown.trimEnd().split('\n'), own.trimEnd().split('\n'), 'the lines of the module');
      await page.run(`navigator.clipboard.writeText = async (text) => void (globalThis.copied = text);`);
      await page.click('ap-code', '[data-copy="code"]');
      equal(await page.run('return globalThis.copied'), shown, 'what is copied');
      const { name, text } = await save(page, 'ap-code', '[data-save="code"]');
      equal([name, text], ['model.py', shown], 'what is saved');
      const weights = await save(page, 'ap-code', '[data-save="weights"]');
      equal(weights.name, 'weights.safetensors', 'the file of the weights');
      const head = JSON.parse(weights.bytes.subarray(8, 8 + Number(weights.bytes.readBigUInt64LE(0))).toString());
      const { parameters } = await attend(await page.document());
      equal(Object.keys(head).filter((one) => one !== '__metadata__').toSorted(), Object.keys(parameters).toSorted(),
        'the names of the weights');
      await page.click('ap-code', '[data-pick="numpy"]');
      await page.until(`return find(['ap-code', 'pre'])?.textContent.includes('import numpy')`);
      ok((await save(page, 'ap-code', '[data-save="code"]')).text.includes('def model(parameters, '), 'NumPy');
    },
  },
  {
    name: 'take home: a document that trains gives its training script; one without a module says why and what else',
    async run(page) {
      const trains = readFileSync(new URL('../../../examples/trained/reverse.json', import.meta.url), 'utf8');
      await page.run(`document.querySelector('attention-playground').store.documents.change((d) => {
        for (const name of Object.keys(d)) delete d[name];
        Object.assign(d, JSON.parse(values[0]));
      })`, trains);
      await page.settled();
      await open(page, 'code');
      await page.click('ap-code', '[data-pick="pytorch"]');
      await page.click('ap-code', '[data-pick="train"]');
      await page.until(`return !!find(['ap-code', 'pre[data-code="train"]'])`);
      const { name, text } = await save(page, 'ap-code', '[data-save="code"]');
      ok(name === 'train.py' && text.includes('from model import DOCUMENT') && text.includes('torchrun'), name);
      // Its steps depend on its words, so that a module would serve one text only.
      const system = new URL('../../../systems/attention-sum-reader.json', import.meta.url);
      const own = JSON.parse(readFileSync(system, 'utf8')).document;
      await page.run(`document.querySelector('attention-playground').store.documents.change((d) => {
        for (const name of Object.keys(d)) delete d[name];
        Object.assign(d, values[0]);
      })`, own);
      await page.settled();
      await page.until(`return !find(['ap-code', '[data-pick="train"]'])`);
      await page.click('ap-code', '[data-pick="module"]');
      await page.until(`return !!find(['ap-code', '[role="alert"]'])`);
      const refused = await page.run(`return find(['ap-code', '[role="alert"]']).textContent`);
      ok(refused.includes('cannot be written as a module: ') && refused.length > 60, refused);
      await page.click('ap-code', '[data-script]');
      await page.until(`return !!find(['ap-code', 'pre[data-code="pytorch"]'])`);
    },
  },
];

// SPDX-License-Identifier: Apache-2.0
// Work leaves whole: what was trained in one browser is opened by link, by file and by embed in another that has seen
// nothing of it.
import { readdirSync, readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { browsers } from '../browsers.mjs';
import { equal, ok } from '../check.mjs';
import { catchSaved, drop, saved } from '../files.mjs';
import { frame, host, untilIn, visit } from '../hosts.mjs';
import { Page } from '../page.mjs';
import { playTo, toTrain, translated } from './train.mjs';

const root = new URL('../../../', import.meta.url);
const json = (path) => JSON.parse(readFileSync(new URL(path, root), 'utf8'));
const bytes = (path) => readFileSync(new URL(path, root));
const names = (folder) => readdirSync(new URL(folder, root)).filter((name) => name.endsWith('.json'));
const trained = names('examples/trained/').filter((name) => name !== 'translated.json')
  .map((name) => name.slice(0, -5));
const STORE = `document.querySelector('attention-playground').store`;

/** Another browser, whose profile has seen nothing. */
async function elsewhere(origin, run) {
  const browser = await browsers.chromium();
  try {
    const page = new Page(await browser.open({ origin, width: 1440, height: 900 }), origin);
    const given = await run(page);
    equal([...page.errors, ...page.foreign, ...(await page.policyBroken())], [], 'the other browser');
    return given;
  } finally {
    await browser.close();
  }
}

/** Every number that comes out, as text. */
const numbers = (page) => page.run(`const { result, error } = ${STORE}.sessions;
  return error && !result ? error.message : result.all('outputs').map((one) => [one.name, one.shape.join(),
    [...one.data].map((x) => Number.isNaN(x) ? 'NaN' : x).join(' ')])`);
/** The same results, with numbers that differ by no more than rounded weights make them. */
function alike(found, wanted, most) {
  equal(found.map(([name, shape]) => [name, shape]), wanted.map(([name, shape]) => [name, shape]), 'the results');
  found.forEach(([name, , text], k) => {
    const others = wanted[k][2].split(' ');
    text.split(' ').forEach((x, at) => ok(x === others[at] || Math.abs(x - others[at]) <= most,
      `${name}: ${x}, not ${others[at]}`));
  });
}
const open = async (page, name) => {
  await page.dialog(name);
  await page.until(`return !!find(['ap-' + values[0]])`, name);
};
const shut = (page) => page.click('ap-dialogs', 'dialog .head [aria-label="Close"]');
const openFile = async (page, { name, type, bytes: file }) => {
  await drop(page, name, type ?? 'application/json', file);
  await page.click('ap-bring', '[data-use]');
  await page.until(`return find(['ap-dialogs', 'dialog'], true).length === 0`);
  await page.settled();
};
const savedFile = async (page) => {
  await catchSaved(page);
  await open(page, 'share');
  await page.click('ap-share', '[data-save="document"]');
  const file = await saved(page);
  await shut(page);
  return file;
};
/** What Share says of the link, and the link. */
const shared = async (page) => {
  await open(page, 'share');
  await page.until(`return !find(['ap-share'])?.shadowRoot.textContent.includes('Checking what fits')`);
  const found = await page.run(`const part = (name) => find(['ap-share', '[data-part="' + name + '"] li'], true)
    .map((one) => one.textContent);
    return { link: find(['ap-share', '#link']).value, holds: part('holds'), lacks: part('lacks'),
      warned: find(['ap-share', '[data-part="too-many"]'])?.textContent ?? '' }`);
  await shut(page);
  return found;
};
const show = async (page, document) => {
  await page.run(`${STORE}.documents.open(values[0])`, document);
  await page.settled();
};
const notice = (page) => page.text('.notice');

/** A file of weights with these tensors, in single precision. */
function weightsFile(tensors) {
  const header = {};
  let at = 0;
  for (const { name, shape, data } of tensors)
    header[name] = { dtype: 'F32', shape, data_offsets: [at, (at += 4 * data.length)] };
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...tensors.map(({ data }) => Buffer.from(Float32Array.from(data).buffer))]);
}

const wide = (dim) => ({ schema: 'attention-playground/1', seed: 3, title: `Wide ${dim}`,
  inputs: { x: { tokens: ['one', 'two', 'three'], features: { type: 'embedding', dim } } },
  mechanism: { query: 'self-attention', heads: { type: 'multi-head', count: 2 } } });

/** A document of the reader's own weights that no page ships: what its parameters are, doubled. */
async function ownWide(page, dim) {
  await show(page, wide(dim));
  const tensors = await page.run(`return ${STORE}.sessions.result.all('parameters').map(({ name, shape, data }) =>
    ({ name, shape, data: [...data].map((x) => x * 2) }))`);
  const file = JSON.stringify({ ...wide(dim), parameters: { from: `own-wide-${dim}` },
    weights: { [`own-wide-${dim}`]: weightsFile(tensors).toString('base64') } });
  await openFile(page, { name: 'wide.json', bytes: Buffer.from(file) });
  return tensors.reduce((sum, { data }) => sum + data.length, 0);
}

// From one page into a file, and from that into another browser.
async function roundTrips(page, origin, documents) {
  await elsewhere(origin, async (there) => {
    await there.go(`${origin}/`);
    for (const [name, document, compare] of documents) {
      await page.run(`${STORE}.documents.open(values[0], values[1] ?? undefined)`, document, compare);
      await page.settled();
      const before = [await page.document(), await numbers(page), await page.run(`return ${STORE}.comparison.held`)];
      const file = await savedFile(page);
      await openFile(there, file);
      const after = [await there.document(), await numbers(there), await there.run(`return ${STORE}.comparison.held`)];
      equal(after, before, name);
      equal(await there.run(`return ${STORE}.view.notice`), [], `${name}: nothing to say`);
    }
  });
}

const first = ['the first page', json('web/src/state/example.json').document];
const compared = ['a comparison', json('examples/bahdanau.json'),
  { editing: 'A', mechanism: { ...json('examples/bahdanau.json').mechanism, alignment: { type: 'sparsemax' } } }];
const systems = names('systems/').map((name) => [name, json(`systems/${name}`).document]);
const lessons = names('web/src/lessons/data/').flatMap((name) => {
  const { document, steps, model } = json(`web/src/lessons/data/${name}`);
  // The real model comes when a reader asks for it, in each browser anew.
  return model ? [] : [document, ...steps.map((step) => step.document)].filter(Boolean).map((one) => [name, one]);
});

export const carried = [
  {
    first: true,
    limit: 480_000,
    name: 'carried: what is trained here opens in another browser by its link and by its file, with the same numbers',
    async run(page, origin) {
      await toTrain(page);
      await playTo(page, 30);
      const before = await shared(page);
      ok(/has learned by step \d+/.test(before.lacks.join()) && !before.holds.join().includes('weights'),
        `before it is taken over: ${JSON.stringify(before.lacks)}`);
      await open(page, 'share');
      await page.click('ap-share', '[data-part="take-over"]');
      await page.until(`return find(['ap-share', '[data-part="holds"] li'], true)
        .some((one) => one.textContent.includes('trained weights'))`);
      equal(await page.axe(), [], 'axe');
      await shut(page);
      equal(await page.run(`return find(['ap-train']).desk.edited`), false, 'what was taken over is what is trained');
      await page.click('ap-train', '[data-part="look"]');
      await page.until(`return ${STORE}.view.place === 'look'`);
      await page.settled();
      const document = await page.document();
      ok(document.parameters.from.startsWith('own-'), document.parameters.from);
      const here = await numbers(page);
      const { link, holds, lacks, warned } = await shared(page);
      ok(link.length < 100_000 && link.includes('/#2.'), `${link.length} characters`);
      ok(/31,351 trained weights, rounded to half precision: a weight changes by at most 0\.00/.test(holds.join())
        && warned === '', JSON.stringify({ holds, warned }));
      ok(!/weights|learned/.test(lacks.join()), JSON.stringify(lacks));
      const file = await savedFile(page);
      // The address is the link, so that a reload or a bookmark keeps the model, too.
      await page.until(`return document.querySelector('attention-playground').resting`);
      equal(await page.run(`return location.href`), link, 'the address');
      await elsewhere(origin, async (there) => {
        await there.go(link);
        equal(await there.document(), document, 'by its link');
        const rounded = await numbers(there);
        alike(rounded, here, 0.02);
        ok((await notice(there)).includes('They are rounded: each differs from the trained weight by at most'),
          await notice(there));
        await there.leave();
        await there.go(link);
        equal([await numbers(there), await there.run(`return ${STORE}.view.notice`)], [rounded, []], 'again');
        // What goes on from there has them, too: the model answers other words.
        await there.run(`${STORE}.documents.set('/inputs/source/tokens', ['the', 'cat'])`);
        await there.settled();
        equal(await there.run(`return ${STORE}.sessions.error ?? null`), null, 'it computes on');
        // Where one trains, it begins with the weights that came.
        await toTrain(there);
        await there.until(`return find(['ap-train'])?.desk.training.fitted !== undefined`);
        equal(await there.count('ap-train', '.idle'), 0, 'no word of weights that are all alike');
      });
      await elsewhere(origin, async (there) => {
        await there.go(`${origin}/`);
        await openFile(there, file);
        equal([await there.document(), await numbers(there)], [document, here], 'by its file');
        ok((await notice(there)).includes('loaded with the document'), await notice(there));
        await there.click('ap-header', '[aria-label="Undo"]');
        await there.settled();
        equal([(await there.document()).parameters.from, await there.count('.notice')], ['translate.safetensors', 0],
          'undo takes the document and its notice away');
      });
    },
  },
  {
    first: true,
    limit: 480_000,
    name: 'carried: saved files of the first page, systems, lessons and a comparison open elsewhere as they were',
    async run(page, origin) {
      await roundTrips(page, origin, [first, compared, ...systems.filter((_, k) => k % 16 === 0),
        ...lessons.filter((_, k) => k % 8 === 0)]);
    },
  },
  {
    first: true, sweep: true, limit: 1_800_000,
    name: 'carried: saved files of all systems and lessons open elsewhere as they were',
    run: (page, origin) => roundTrips(page, origin, [...systems, ...lessons]),
  },
  {
    first: true,
    name: 'carried: every trained model opens elsewhere by its link and by its file, with the same numbers',
    limit: 480_000,
    async run(page, origin) {
      const links = [];
      await elsewhere(origin, async (there) => {
        await there.go(`${origin}/`);
        for (const name of trained) {
          // As the place where one trains saves it: the document lies in the weights.
          await openFile(page, { name: `${name}.safetensors`, bytes: bytes(`examples/trained/${name}.safetensors`) });
          const before = [await page.document(), await numbers(page)];
          equal(before[0].parameters, { from: `own-${name}.safetensors` }, name);
          const { link } = await shared(page);
          links.push([name, link, before]);
          await openFile(there, await savedFile(page));
          equal([await there.document(), await numbers(there)], before, `${name} by its file`);
        }
      });
      for (const [name, link, before] of links) {
        await elsewhere(origin, async (there) => {
          await there.go(link);
          equal([await there.document(), await numbers(there)], before, `${name} by its link`);
        });
      }
    },
  },
  {
    first: true,
    limit: 480_000,
    name: 'carried: many weights are rounded in the link, and of more the page says so before they are sent',
    async run(page, origin) {
      const some = await ownWide(page, 112);
      ok(some > 45_000 && some < 70_000, `${some} weights`);
      const here = await page.run(`return [...${STORE}.sessions.result.find('weights').data]`);
      const { link, holds } = await shared(page);
      ok(/rounded to 8 bits with one scale per column: a weight changes by at most 0\.00/.test(holds.join()),
        JSON.stringify(holds));
      ok(link.length < 100_000, `${link.length} characters`);
      await elsewhere(origin, async (there) => {
        await there.go(link);
        const said = await notice(there);
        ok(/They are rounded: each differs from the trained weight by at most 0\.00/.test(said), said);
        const found = await there.run(`return [...${STORE}.sessions.result.find('weights').data]`);
        const most = Math.max(...found.map((x, k) => Math.abs(x - here[k])));
        ok(most > 0 && most < 0.02, `the weights of the map differ by ${most}`);
      });
      const many = await ownWide(page, 256);
      ok(many > 200_000, `${many} weights`);
      const before = [await page.document(), await numbers(page)];
      const { link: without, lacks, warned } = await shared(page);
      ok(warned.includes('This link has no trained weights: send the file.'), warned);
      ok(lacks.join().includes('the link would be longer than 100 KB'), JSON.stringify(lacks));
      ok(without.length < 5000, `${without.length} characters`);
      const file = await savedFile(page);
      await elsewhere(origin, async (there) => {
        await there.go(`${origin}/`);
        await openFile(there, file);
        equal([await there.document(), await numbers(there)], before, 'by its file');
      });
    },
  },
  {
    first: true,
    limit: 600_000,
    name: 'carried: an embed has small weights in its code, and names a file beside the page for more',
    async run(page, origin) {
      const sites = [];
      const weights = `(() => { const store = document.querySelector('attention-playground')?.store;
        return store?.sessions.result && !store.sessions.busy ? JSON.stringify([...store.sessions.result.all('outputs')
          .find((one) => one.role === 'weights').data]) : ''; })()`;
      try {
        for (const [name, beside] of [['reverse', false], ['transformer', true]]) {
          await openFile(page, { name: `${name}.safetensors`, bytes: bytes(`examples/trained/${name}.safetensors`) });
          const here = await page.driver.evaluate(weights);
          await catchSaved(page);
          await open(page, 'embed');
          const code = async (way) => {
            await page.click('ap-embed', `[data-way="${way}"]`);
            return page.run(`return find(['ap-embed', 'textarea']).value`);
          };
          const files = { '/frame': `<!doctype html><title>f</title>${await code('frame')}`,
            '/element': `<!doctype html><title>e</title>${await code('element')}` };
          // A frame of its own origin has no database: the page hands the weights to the engine.
          files['/sandbox'] = files['/frame'].replace('allow-scripts allow-same-origin ', 'allow-scripts ');
          equal(await page.axe(), [], 'axe');
          if (beside) {
            const { name: file, text } = await (await page.click('ap-embed', '[data-save="beside"]'), saved(page));
            files[`/${file}`] = text;
            ok(files['/element'].includes(`src="${file}"`), files['/element']);
          }
          await page.click('ap-embed', '[data-part="preview"]');
          equal(await untilIn(await frame(page, 'embed.html'), weights), here, `${name}: the preview`);
          await shut(page);
          await elsewhere(origin, async (there) => {
            const site = await host(files);
            sites.push(site);
            await visit(there, site, '/frame');
            equal(await untilIn(await frame(there, 'embed.html'), weights), here, `${name}: framed`);
            await visit(there, site, '/sandbox');
            equal(await untilIn(await frame(there, 'embed.html'), weights), here, `${name}: in a sandbox`);
            await visit(there, site, '/element');
            equal(await untilIn(there.driver, weights), here, `${name}: as an element`);
            equal(await there.driver.evaluate(`indexedDB.databases().then((all) => all.length)`), 0,
              'nothing is kept on the site of a stranger');
          });
        }
      } finally {
        for (const site of sites) site.close();
      }
    },
  },
  {
    name: 'carried: an embed of one matrix has its words, to be changed, and leaves them out where it is told to',
    async run(page, origin) {
      const link = (await page.run(`return location.hash`)) || `#1.${deflateRawSync(JSON.stringify(translated))
        .toString('base64url')}`;
      await page.leave();
      await page.driver.goto(`${origin}/embed.html${link}`);
      await page.until(`return !!find(['ap-compact', 'ap-inputs', 'ap-tokens'])`);
      await page.settled();
      // A frame is a part of somebody's page, which has landmarks and headings of its own.
      equal((await page.axe()).filter((one) => !/^(landmark-one-main|page-has-heading-one|region):/.test(one)), [],
        'axe');
      equal(await page.count('ap-compact', '[data-dialog="bring"]'), 0, 'no dialog that is not there');
      await page.click('ap-compact', 'ap-inputs', '[data-part="type"]');
      await page.run(`const box = find(['ap-compact', 'ap-inputs', 'textarea']); box.value = 'I see';
        box.dispatchEvent(new Event('input', { bubbles: true })); box.dispatchEvent(new Event('change'));`);
      await page.click('ap-compact', 'ap-inputs', '[data-part="type"]');
      await page.until(`return Object.values(${STORE}.documents.document.inputs)
        .some(({ tokens }) => tokens?.join(' ') === 'I see')`);
      await page.driver.goto('about:blank');
      await page.driver.goto(`${origin}/embed.html${link}&hide=inputs`);
      await page.until(`return !!find(['ap-compact', 'ap-flow'])`);
      equal(await page.count('ap-compact', 'ap-inputs'), 0, 'left out');
    },
  },
  {
    first: true,
    limit: 480_000,
    name: 'carried: weights in a link that cannot be used are refused in words, and the work stays',
    async run(page) {
      const { training: _, ...model } = translated;
      const document = { ...model, parameters: { from: 'own-x' } };
      const text = deflateRawSync(JSON.stringify(document)).toString('base64url');
      const packed = (header, data) => {
        const head = Buffer.from(JSON.stringify({ __metadata__: { name: 'own-x', code: 'half' }, ...header }));
        const length = Buffer.alloc(8);
        length.writeBigUInt64LE(BigInt(head.length));
        return deflateRawSync(Buffer.concat([length, head, Buffer.from(data)])).toString('base64url');
      };
      const half = { dtype: 'F16', shape: [1], data_offsets: [0, 2] };
      await page.run(`${STORE}.documents.set('/inputs/source/tokens', ['I', 'see', 'them'])`);
      await page.settled();
      const held = await page.document();
      for (const [part, says] of [
        ['AAAA', 'damaged'],
        [packed({ w: half }, [0, 0x7c]), 'not a finite number'],
        [packed({ w: { ...half, shape: [9] } }, [0, 0]), 'needs 18 bytes'],
        [packed({ w: half, __metadata__: { name: 'own-y', code: 'half' } }, [0, 0]), 'the document asks for "own-x"'],
        [deflateRawSync(Buffer.alloc(40_000_000)).toString('base64url'), 'inflate to more than'],
        // What is sound by itself and belongs to no model of this document is the engine's to refuse.
        [packed({ w: half }, [0, 0]), 'could not be computed'],
      ]) {
        await page.run(`location.hash = values[0]`, `#2.${text}.${part}`);
        await page.until(`return find(['.notice'])?.textContent.includes(values[0])`, says);
        await page.settled();
        equal(await page.document(), held, `the work: ${says}`);
        await page.clickText('.notice button', 'Dismiss');
      }
      await drop(page, 'x.json', 'application/json', Buffer.from(JSON.stringify({ ...document,
        weights: { 'own-x': Buffer.from('no weights').toString('base64') } })));
      await page.click('ap-bring', '[data-use]');
      await page.until(`return find(['ap-bring', '[role="alert"]'])?.textContent.includes('cannot be used')`);
      equal(await page.document(), held, 'a file');
      await shut(page);
      // A link of before, which names weights and carries none.
      await page.run(`location.hash = values[0]`, `#1.${deflateRawSync(JSON.stringify({ ...translated,
        parameters: { from: 'own-lost' } })).toString('base64url')}`);
      await page.until(`return find(['.notice.bad'])?.textContent.includes('without its weights')`);
      const { lacks } = await shared(page);
      ok(lacks.join().includes('“own-lost”: they are not in this browser'), JSON.stringify(lacks));
    },
  },
];

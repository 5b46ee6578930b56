#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Trains the systems of the gallery: node tools/train_gallery.mjs [--again | --seed N ..] [ID ..]
// Each document of examples/trained/systems/ is trained from its seed by build/bin/attend and written beside itself as
// int8 by column. data/learned.json records the first losses, what the shipped weights do on held-out examples, and the
// numbers of the sentences that the page shows. A system whose document has not changed is left out, so that a run that
// was stopped goes on; --again trains it all the same. --seed trains from another seed and records what came out,
// without weights. docs/training.md describes the files.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { attend, engineWith, pinnedLinks, root } from './train_gallery/attend.mjs';
import { firstWrong, longer } from './train_gallery/fails.mjs';
import { countOf, packed, readFloats } from './train_gallery/file.mjs';
import { hopsOf } from './train_gallery/hops.mjs';
import { bestMap, CHOOSE, pinnedRow, REPORT } from './train_gallery/maps.mjs';

const FOLDER = `${root}examples/trained/systems/`;
const RECORD = `${root}data/learned.json`;
const PACE = `${root}data/learned-pace.json`;
const LARGEST = 60_000;
/** A system that gets fewer words right has not learned its task: its weights do not ship, and the page says so. */
const LEAST = 0.6;
const MEASURED = ['heldOut', 'accuracy', 'exact', 'heldOutLoss', 'alignment', 'agrees'];

const hashOf = (text) => createHash('sha256').update(text).digest('hex').slice(0, 16);
const measured = (line) => Object.fromEntries(MEASURED.filter((name) => line[name] !== undefined)
  .map((name) => [name, line[name]]));
const read = () => (existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, 'utf8')) : {});

/** The inputs of an example in the document's place; its other members stay. */
const filled = (document, { inputs }) => ({ ...document, inputs: { ...document.inputs, ...Object.fromEntries(
  Object.entries(inputs).map(([name, { tokens, shape, data }]) =>
    [name, tokens ? { ...document.inputs[name], tokens } : { shape, data }])) } });

const tasks = new Map(attend(['tasks']).flat().map((one) => [one.id, one]));
const taskOf = ({ training: { task } }) => tasks.get(task.type ?? task);

// What a document reads and writes, and its held-out examples.
function heldOutOf(document, task) {
  const inputOf = (field) => document.training.inputs?.[field] ?? field;
  const fields = { filled, source: inputOf(task.fields[0].name), target: inputOf(task.fields.find((one) =>
    one.answer).name), asked: task.fields.slice(1).filter((one) => !one.answer).map((one) => inputOf(one.name)) };
  const examples = attend(['examples', '-', '--held-out', '--count', String(CHOOSE + REPORT)], JSON.stringify(document))
    .map((one) => ({ ...one, truth: one.truth ?? one.inputs[fields.target].tokens }));
  return { fields, examples };
}

async function mapOf(id, document, { fields, examples }, weights) {
  const name = `systems/${id}.safetensors`;
  const engine = await engineWith(name, readFileSync(weights));
  const trained = { ...document, parameters: { from: name } };
  return { engine, trained, map: bestMap(engine, trained, document, examples, fields) };
}

async function facts(id, document, task, weights, exact) {
  const heldOut = heldOutOf(document, task), { fields, examples } = heldOut;
  const { engine, trained, map } = await mapOf(id, document, heldOut, weights);
  const [source, target] = [document.inputs[fields.source], document.inputs[fields.target]];
  // The document of a picture has the first held-out example filled in, whose links are pixels.
  const known = source.shape ? examples[0] : examples.find((one) => Object.entries(one.inputs)
    .every(([name, { tokens }]) => tokens?.join('\n') === document.inputs[name].tokens?.join('\n')));
  const truth = known ?? { links: await pinnedLinks(document) };
  const rows = map?.reading === 'compared' ? document.inputs[fields.asked[0]] : target;
  const row = map && pinnedRow(engine.run(trained), map, truth, { source: source.tokens, rows: rows.tokens,
    behind: fields.asked.flatMap((name) => document.inputs[name].tokens ?? []) }, source.shape);
  const guided = document.training.guide > 0 ? { guided: true } : {};
  const hops = hopsOf(engine, trained, examples.slice(CHOOSE), fields);
  return { map: map && { ...map, ...guided, ...(row ? { pinned: row } : {}) }, longer: longer(document, task, weights),
    ...(hops ? { hops } : {}), wrong: exact === 1 ? undefined : firstWrong(engine, trained, examples, fields) };
}

function write(all) {
  writeFileSync(RECORD, `${JSON.stringify(Object.fromEntries(Object.keys(all).toSorted().map((key) =>
    [key, all[key]])), undefined, 1)}\n`);
}

/** How fast another document of this system trained is not how fast this one does: tools/train_pace.mjs measures it. */
function forgetPace(id) {
  const { [id]: gone, ...paces } = JSON.parse(readFileSync(PACE, 'utf8'));
  if (gone !== undefined) writeFileSync(PACE, `${JSON.stringify(paces, undefined, 1)}\n`);
}

/** What the same document does from another seed, rounded to bytes as what ships is. */
async function trySeed(id, seed) {
  const document = { ...JSON.parse(readFileSync(`${FOLDER}${id}.json`, 'utf8')), seed };
  const text = JSON.stringify(document), file = `${root}build/gallery/${id}-${seed}.safetensors`;
  mkdirSync(`${root}build/gallery/`, { recursive: true });
  attend(['train', '--portable', '-', '--every', '1000000', '--weights', 'float', '--to', file], text);
  const floats = readFloats(readFileSync(file));
  writeFileSync(file, packed(floats));
  const { accuracy } = attend(['train', '-', '--from', file, '--measure'], text)[0];
  const whole = JSON.parse(floats.metadata.document);
  const heldOut = heldOutOf(whole, taskOf(whole));
  const { engine, trained, map } = await mapOf(id, whole, heldOut, file);
  const hops = hopsOf(engine, trained, heldOut.examples.slice(CHOOSE), heldOut.fields);
  const one = { seed, accuracy, ...(map ? { share: map.share, untrained: map.untrained } : {}),
    ...(hops ? { hops } : {}) };
  const all = read();
  const seeds = [...(all[id].seeds ?? []).filter((other) => other.seed !== seed), one];
  write({ ...all, [id]: { ...all[id], seeds: seeds.toSorted((a, b) => a.seed - b.seed) } });
  console.log(`${id} from seed ${seed}: words right ${accuracy.toFixed(3)}${
    map ? `, ${map.map} ${map.share.toFixed(3)} (untrained ${map.untrained.toFixed(3)})` : ''}`);
}

async function train(id) {
  const file = `${FOLDER}${id}.json`;
  const text = readFileSync(file, 'utf8');
  const cache = `${root}build/gallery/`;
  mkdirSync(cache, { recursive: true });
  const [whole, ships] = [`${cache}${id}.safetensors`, `${FOLDER}${id}.safetensors`];
  const began = performance.now();
  const losses = attend(['train', '--portable', file, '--steps', '6', '--every', '1']).map(({ loss }) => loss);
  const line = attend(['train', '--portable', file, '--every', '1000000', '--weights', 'float', '--to', whole]).at(-1);
  const seconds = (performance.now() - began) / 1000;
  const floats = readFloats(readFileSync(whole));
  const bytes = packed(floats);
  if (bytes.length > LARGEST) throw new Error(`${id}: ${bytes.length} bytes; at most ${LARGEST} ship`);
  writeFileSync(ships, bytes);
  const document = JSON.parse(floats.metadata.document);
  const own = measured(attend(['train', file, '--from', ships, '--measure'])[0]);
  const task = taskOf(document);
  const left = own.accuracy < LEAST;
  const record = { of: hashOf(text), task: task.id, taskTitle: task.title, numbers: countOf(floats.tensors),
    bytes: bytes.length, steps: line.step, losses, whole: measured(line), measured: own,
    ...(left ? { left } : await facts(id, document, task, ships, own.exact)) };
  if (left) rmSync(ships);
  write({ ...read(), [id]: record });
  forgetPace(id);
  const { map, longer: beyond } = record;
  if (left) return console.log(`${id}: ${seconds.toFixed(0)} s, words right ${own.accuracy.toFixed(3)}, left out`);
  return console.log(`${id}: ${seconds.toFixed(0)} s, ${bytes.length} bytes, words right ${own.accuracy.toFixed(3)}${
    map ? `, ${map.map} ${map.head} ${map.reading} ${map.share.toFixed(3)} (untrained ${map.untrained.toFixed(3)})`
      : ', no map to compare'}${beyond ? `, longer ${beyond.accuracy?.toFixed(3) ?? beyond.refused}` : ''}`);
}

const { values: { again, seed: seeds }, positionals: asked } = parseArgs({ allowPositionals: true,
  options: { again: { type: 'boolean', default: false }, seed: { type: 'string', multiple: true, default: [] } } });
const odd = seeds.find((one) => !/^[1-9]\d{0,8}$/.test(one));
if (odd !== undefined) throw new Error(`--seed needs a whole number from 1 to 999999999; found ${odd}`);
const all = readdirSync(FOLDER).filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5));
const unknown = asked.filter((id) => !all.includes(id));
if (unknown.length > 0) throw new Error(`no document examples/trained/systems/${unknown[0]}.json`);
for (const id of asked.length > 0 ? asked : all.toSorted()) {
  const known = read()[id];
  const same = known?.of === hashOf(readFileSync(`${FOLDER}${id}.json`, 'utf8'))
    && (known.left || existsSync(`${FOLDER}${id}.safetensors`));
  if (seeds.length > 0) {
    if (!same || known.left) throw new Error(`${id} has no trained weights to compare with: train it first`);
    const own = JSON.parse(readFileSync(`${FOLDER}${id}.json`, 'utf8')).seed;
    for (const seed of seeds.map(Number)) {
      if (seed === own) throw new Error(`${id} ships with seed ${seed}: name another one`);
      await trySeed(id, seed);
    }
  } else if (same && !again) console.log(`${id}: unchanged`);
  else {
    // One that cannot be trained holds up no other.
    await train(id).catch((problem) => {
      process.exitCode = 1;
      console.log(`${id}: ${problem.message.split('\n').at(-1)}`);
    });
  }
}

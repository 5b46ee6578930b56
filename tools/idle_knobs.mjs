#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Which knobs change nothing while another knob of the same mechanism has a certain value, such as the knobs of one way
// to scale positions while another is chosen: node tools/idle_knobs.mjs > web/src/controls/idle-knobs.json
// It moves every knob of every mechanism's own example and compares what comes out. A knob counts only if it changes
// something at another value of the same choice.
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = (path) => new URL(`../${path}`, import.meta.url);

const isNumber = ({ type }) => type === 'number' || type === 'integer';
const isChoice = ({ type }) => type === 'choice' || type === 'boolean';

// Values of a choice, or numbers from end to end of what a knob allows.
function valuesOf(knob) {
  if (knob.type === 'boolean') return [false, true];
  if (knob.type === 'choice') return knob.choices;
  const { minimum: low = 0, maximum: high = 1, at_least: least = low, default: usual } = knob;
  const all = [least, low, low + (high - low) / 3, high, ...(typeof usual === 'number' ? [usual] : []),
    ...(knob.type === 'integer' ? [least + 1, least + 2] : [])];
  return [...new Set(knob.type === 'integer' ? all.map(Math.round) : all)];
}

// The places of a document where a mechanism is chosen, by its id alone or with knobs of its own.
function* placesOf(value, id) {
  if (value === null || typeof value !== 'object') return;
  for (const [key, part] of Object.entries(value)) {
    if (part === id || part?.type === id) yield [value, key];
    else yield* placesOf(part, id);
  }
}

// The same document with three times as many rows: patterns over positions hardly differ among four.
function longer(document) {
  const made = structuredClone(document);
  for (const input of Object.values(made.inputs)) {
    const { shape, data, tokens } = input;
    if (tokens) input.tokens = [...tokens, ...tokens, ...tokens];
    if (!shape || !data || shape.length !== 2) continue;
    input.shape = [3 * shape[0], shape[1]];
    input.data = [...data, ...data.map((value) => 0.7 * value), ...data.toReversed()];
    if (input.labels) input.labels = [...input.labels, ...input.labels, ...input.labels];
  }
  return made;
}

// One number of everything that was computed: the same numbers have the same one.
function sumOf(data) {
  let sum = 0;
  data.forEach((value, k) => (sum = (sum * 31 + value * (1 + (k % 7))) % 1e9));
  return sum;
}

/** All numbers of a document, with gradients where there are any: a knob may change nothing else. */
export function numbersOf(engine, document) {
  for (const of of ['loss', 'context', 'output', undefined]) {
    const asked = of === undefined ? document : { ...document, gradient: { of } };
    const { directory, data } = engine.run(JSON.stringify(asked));
    if (JSON.parse(directory).ok) return data;
  }
  return undefined;
}

/** By choice and its value, the knobs of a mechanism that change nothing; `run` gives the numbers of a document. */
export function idleKnobs({ id, knobs }, example, run) {
  const found = {};
  const choices = knobs.filter(isChoice);
  // Numbers that the example gives may hold a size that a knob would change.
  const { parameters: _, ...free } = example;
  const examples = [example, longer(example), free, longer(free)].filter((one) => run(one) !== undefined);
  const tried = (from, settings) => {
    const document = structuredClone(from);
    const [place] = placesOf(document, id);
    if (!place) return undefined;
    const [owner, key] = place;
    const before = typeof owner[key] === 'object' ? owner[key] : { type: id };
    owner[key] = { ...before, ...settings };
    const data = run(document);
    return data && sumOf(data);
  };
  // Whether a knob changes anything at these settings, wherever the other numbers and choices stand.
  const moves = (knob, choice, value) => {
    const others = knobs.filter((one) => one !== knob && one !== choice);
    const numbers = others.filter(isNumber);
    const at = (share) => Object.fromEntries(numbers.map((one) => {
      const all = valuesOf(one);
      return [one.name, all[Math.min(all.length - 1, share)]];
    }));
    const settings = [{}, at(0), at(1), at(2), at(3), ...others.flatMap((one) =>
      valuesOf(one).flatMap((other) => [{ [one.name]: other }, { ...at(2), [one.name]: other }]))];
    // What nobody could compute says nothing.
    let compared = false;
    const moved = examples.some((from) => settings.some((setting) => {
      const sums = valuesOf(knob).map((own) => tried(from, { ...setting, [choice.name]: value, [knob.name]: own }))
        .filter((sum) => sum !== undefined);
      compared ||= sums.length > 1;
      return sums.some((sum) => sum !== sums[0]);
    }));
    return moved || !compared;
  };
  for (const choice of choices) {
    // A choice may act on the gradients alone, of which not all are asked for here.
    for (const knob of knobs.filter((one) => one !== choice && (isNumber(one) || one.type === 'boolean'))) {
      const idle = valuesOf(choice).filter((value) => !moves(knob, choice, value));
      if (idle.length === 0 || idle.length === valuesOf(choice).length) continue;
      for (const value of idle) ((found[choice.name] ??= {})[value] ??= []).push(knob.name);
    }
  }
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { default: create } = await import(pathToFileURL(fileURLToPath(here('build/wasm/bin/attention.mjs'))).href);
  const engine = await create();
  const { mechanisms } = JSON.parse(readFileSync(here('build/wasm/bin/catalogue.json'), 'utf8'));
  const all = {};
  for (const mechanism of mechanisms) {
    if (!mechanism.knobs.some(isChoice) || mechanism.knobs.length < 2) continue;
    const example = JSON.parse(engine.example(mechanism.id));
    const found = idleKnobs(mechanism, example, (document) => numbersOf(engine, document));
    if (Object.keys(found).length > 0) all[mechanism.id] = found;
  }
  const object = (depth, entries) => `{\n${entries.map(([name, text]) =>
    `${' '.repeat(depth)}${JSON.stringify(name)}: ${text}`).join(',\n')}\n${' '.repeat(depth - 1)}}`;
  process.stdout.write(`${object(1, Object.entries(all).map(([id, choices]) => [id,
    object(2, Object.entries(choices).map(([choice, values]) => [choice, object(3, Object.entries(values)
      .map(([value, names]) => [value, `[${names.map((name) => JSON.stringify(name)).join(', ')}]`]))]))]))}\n`);
}

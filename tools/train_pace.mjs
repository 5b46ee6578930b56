#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Measures how fast the page's module trains each system: node tools/train_pace.mjs [ID ..]
// data/learned-pace.json gets steps per second of processor time; the page computes from them about how long a training
// takes. Measure on a quiet machine: on a busy one the same system came to a fifth of the speed.
// Without ids it measures those that are not known yet.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { root } from './train_gallery/attend.mjs';

const FOLDER = `${root}examples/trained/systems/`;
const RECORD = `${root}data/learned-pace.json`;
/** In these milliseconds the program for each length of an example is recorded. */
const WARM = 1500;
const MEASURED = 2000;

const folder = `${root}build/wasm/bin/`;
const { default: create } = await import(`${folder}training.mjs`);
const module = await create({ locateFile: () => new URL('training.wasm', `file://${folder}`).href });

function steps(session, milliseconds) {
  const { error, taken, failure } = JSON.parse(module.trainStep(session, 1_000_000, milliseconds).directory);
  if (error ?? failure) throw new Error(error ? `${error.path}: ${error.message}` : failure);
  return taken;
}

const processor = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

function paceOf(id) {
  const { session, error } = JSON.parse(module.trainOpen(readFileSync(`${FOLDER}${id}.json`, 'utf8'), ''));
  if (error) throw new Error(`${id}: ${error.path}: ${error.message}`);
  steps(session, WARM);
  const began = processor();
  const taken = steps(session, MEASURED);
  const perSecond = taken / (processor() - began);
  module.trainClose(session);
  return Number(perSecond.toPrecision(2));
}

const known = existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, 'utf8')) : {};
const all = readdirSync(FOLDER).filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5)).toSorted();
const asked = process.argv.slice(2);
const unknown = asked.find((id) => !all.includes(id));
if (unknown !== undefined) throw new Error(`no document examples/trained/systems/${unknown}.json`);
for (const id of asked.length > 0 ? asked : all.filter((one) => known[one] === undefined)) {
  known[id] = paceOf(id);
  console.log(`${id}: ${known[id]} steps per second`);
}
writeFileSync(RECORD, `${JSON.stringify(Object.fromEntries(all.filter((id) => known[id] !== undefined)
  .map((id) => [id, known[id]])), undefined, 1)}\n`);

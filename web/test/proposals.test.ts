// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// Every entry of every menu of every document that ships is pressed, with the real engine and nothing drawn: no error
// is left, nothing but the place where it was chosen becomes another, and whatever is not as it was chosen is said at
// that place. A plain run presses a fixed sample, `./test --all` all of them.
import './no-window.ts';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import '../src/strings/en-later.ts';
import type { Doc, Json } from '../src/engine/types.ts';
import { typeOf } from '../src/state/catalogue.ts';
import { isModel } from '../src/state/model.ts';
import { get, isObject, join as pointer, split } from '../src/engine/pointer.ts';
import { isTrained } from '../src/state/writer.ts';
import { type Proposal, proposalsOf } from './every-proposal.ts';
import { book, computed as resultOf, exampleOf, type Outcome, press, refused } from './choosing.ts';
import { root, shipped } from './shipped.ts';

// The files of weights that ship lie beside the documents; no browser keeps any.
vi.mock('../src/engine/load.ts', () => ({
  weightsNamed: async (name: string) => new Uint8Array(readFileSync(join(root, 'examples/trained', name))),
}));
vi.mock('../src/engine/kept.ts', () => ({ keepWeights: async () => false, keptWeights: async () => undefined }));

const everything = process.env['ATTEND_ALL'] !== undefined;
/** Of so many entries one is pressed in a plain run: always the same ones. */
const ONE_IN = 40;
const inSample = (name: string): boolean =>
  everything || createHash('sha256').update(name).digest().readUInt32LE(0) % ONE_IN === 0;

// The leaves that differ, by their paths; a list of numbers is one leaf, and a bare id the same as an object with it.
function leaves(value: Json | undefined, path: string, found: Map<string, string>): Map<string, string> {
  if (isObject(value)) for (const [key, inner] of Object.entries(value)) leaves(inner, path + pointer(key), found);
  else if (Array.isArray(value) && value.some((one) => isObject(one) || typeof one === 'string'))
    value.forEach((inner, k) => leaves(inner, path + pointer(k), found));
  else if (value !== undefined && value !== null) found.set(path.replace(/\/type$/, ''), JSON.stringify(value));
  return found;
}

function differing(one: Doc, other: Doc): string[] {
  const [a, b] = [leaves(one as Json, '', new Map()), leaves(other as Json, '', new Map())];
  return [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path));
}

const below = (path: string, owner: string): boolean => path === owner || path.startsWith(`${owner}/`);

// What may follow from a choice: what stands at its place; slots beside it that it leaves no room for; numbers of
// parameters; of a single module the inputs that it reads or no longer reads, and matrices that are as large as these.
function mayFollow(document: Doc, after: Doc, { path, id }: Proposal, changed: string): boolean {
  if (path === '/mechanism/type') return !below(changed, '/seed') && !below(changed, '/training');
  if (below(changed, path) || below(changed, '/parameters')) return true;
  const owner = path.slice(0, path.lastIndexOf('/'));
  const rules = book.catalogue.mechanisms.filter((one) => one.id === id).flatMap(({ excludes }) => excludes ?? []);
  const emptied = rules.filter(({ only, ids }) => only && ids.length === 0);
  if (emptied.some((rule) => below(changed, owner + pointer(rule.slot)))) return true;
  // A trained model writes its answer again.
  if (isTrained(document) && below(changed, '/inputs/target/tokens')) return true;
  if (isModel(document)) return false;
  const [first, name] = split(changed);
  // A wire goes with the input that it led to.
  if (below(changed, '/mechanism/inputs')) return get(after as Json, changed) === undefined;
  if (first === 'inputs') {
    const [before, now] = [document.inputs[name!], after.inputs[name!]];
    return before === undefined || now === undefined || /\/matrix$/.test(changed);
  }
  return Array.isArray(get(after as Json, changed));
}

function objections(document: Doc, proposal: Proposal, { document: after, error, computed, said }: Outcome): string[] {
  const { path, id } = proposal;
  const changed = differing(document, after);
  const chosen = get(after as Json, path);
  const found: string[] = [];
  if (error !== undefined) found.push(`an error stays: ${error}`);
  if (!computed) found.push('it was not computed');
  const stray = changed.filter((one) => !mayFollow(document, after, proposal, one));
  if (stray.length > 0) found.push(`it changes ${stray.join(', ')}`);
  const there = Array.isArray(chosen) ? chosen.some((one) => typeOf(one) === id) : typeOf(chosen) === id;
  const asChosen = path === '/mechanism/type' ? typeOf(after.mechanism) === id
    : id === undefined ? (chosen ?? null) === null : there;
  const told = said.filter(({ at }) => at === path);
  if (said.length !== told.length) found.push(`said elsewhere: ${JSON.stringify(said)}`);
  const keys = told.map(({ key }) => key);
  if (asChosen && keys.some((key) => key !== 'newPart')) found.push(`said for nothing: ${keys.join()}`);
  if (asChosen) return found;
  if (changed.length === 0 && !keys.includes('misfit')) found.push('it does nothing and says nothing');
  if (changed.length > 0 && !keys.some((key) => key === 'projectedInstead' || key === 'nearestInstead'))
    found.push(`${typeOf(chosen)} is there, and nothing is said`);
  if (told.some(({ text }) => /undefined|\{ \$/.test(text))) found.push(`words are missing: ${JSON.stringify(told)}`);
  return found;
}

it.each([...shipped.keys()])('%s: what its menus propose', async (name) => {
  const document = shipped.get(name)!;
  const wrong: string[] = [];
  const counts = new Map<string, number>();
  // A task gives its inputs, words and examples: those documents are tried where one trains.
  const own = refused(document);
  if (own !== undefined) return expect(document['training'], own).toBeDefined();
  const result = resultOf(document);
  for (const proposal of proposalsOf(book, document)) {
    const title = `${name} ${proposal.path} ${proposal.id}`;
    if (!inSample(title)) continue;
    const outcome = await press(document, result, proposal);
    for (const one of objections(document, proposal, outcome)) wrong.push(`${title}: ${one}`);
    const what = outcome.said[0]?.key ?? 'as chosen';
    counts.set(what, (counts.get(what) ?? 0) + 1);
    if (process.env['ATTEND_TELL'] && outcome.said.length > 0)
      console.log(`${title}: ${outcome.said.map(({ text }) => text).join(' ')}`);
  }
  if (process.env['ATTEND_TELL']) console.log(name, JSON.stringify([...counts]));
  expect(wrong).toEqual([]);
}, 3_600_000);

it('every entry of the gallery opens', () => {
  const ids = book.catalogue.mechanisms.map(({ id }) => id).filter((id) => inSample(`gallery ${id}`));
  expect(ids.flatMap((id) => refused(exampleOf(id)) ?? [])).toEqual([]);
});

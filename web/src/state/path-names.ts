// SPDX-License-Identifier: Apache-2.0
// Parts of a document as the menus call them, in place of the names and paths that documents and the engine have.
import { join, split } from '../engine/pointer.ts';
import type { Doc } from '../engine/types.ts';
import { grouped } from '../lists.ts';
import { moduleCalled } from '../strings/counted.ts';
import { strings } from '../strings/en.ts';
import type { Book } from './catalogue.ts';
import { stemOf } from './layers.ts';
import { type Member, membersOf } from './model.ts';

const within = (path: string, around: string): boolean => path === around || path.startsWith(`${around}/`);

// What stands at a path: the title of its menu, and its module where there are several; and what is left.
function partAt(book: Book, document: Doc, { name, path: around, value }: Member,
  path: string): [string, string, string] {
  const found = book.choices(document).filter((one) => within(path, one.path))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
  const module = name === '' ? book.member(value)?.title ?? '' : moduleCalled(name);
  if (!found) return ['', module, path.slice(around.length)];
  return [found.slot.title, name === '' ? '' : module, path.slice(found.path.length)];
}

// "Score (decoder)"; of modules in which the same is meant, all.
const inModules = (part: string, modules: readonly string[]): string =>
  (part === '' || modules.length === 0 ? part + modules.join('') : `${part} (${modules.join(strings.comma)})`);

/** What has these parameters, and which of its own they are: "Score (decoder): W, b". */
export function parametersCalled(book: Book, document: Doc, names: readonly string[]): string[] {
  const members = membersOf(document).toSorted((a, b) => b.name.length - a.name.length);
  const parts = new Map<string, { part: string; module: string; stem: string; letters: string[] }>();
  for (const name of names) {
    const member = members.find((one) => one.name === '' || name.startsWith(`${one.name}.`));
    const rest = member?.name ? name.slice(member.name.length + 1) : name;
    const [part, module, left] = member ? partAt(book, document, member, member.path + join(...rest.split('.')))
      : ['', '', join(name)];
    const key = JSON.stringify([part, module]);
    const one = parts.get(key) ?? { part, module, stem: stemOf(member?.name ?? ''), letters: [] };
    one.letters.push(split(left).join('.') || name);
    parts.set(key, one);
  }
  // Layers in which the same is new are told together.
  const told = grouped([...parts.values()], ({ part, stem, letters, module }) =>
    JSON.stringify(part === '' ? [module, letters] : [part, stem, letters]));
  return [...told.values()].map((alike) => [inModules(alike[0]!.part, alike.map(({ module }) => module)
    .filter(Boolean)), alike[0]!.letters.join(strings.comma)].filter(Boolean).join(': '));
}

/** A path of a document: "Score (decoder)"; where it leads to no part of a module, as it is. */
export function pathCalled(book: Book, document: Doc, path: string): string {
  const member = membersOf(document).find((one) => within(path, one.path));
  if (!member) return path;
  const [part, module, left] = partAt(book, document, member, path);
  return [inModules(part, module === '' ? [] : [module]), ...split(left)].filter(Boolean).join(strings.comma);
}

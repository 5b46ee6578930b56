// SPDX-License-Identifier: Apache-2.0
// Modules of a model that repeat under one name with a number, such as "block-1" and "block-2": its layers.
import { get, join, set, split } from '../engine/pointer.ts';
import type { Doc, Json } from '../engine/types.ts';
import { typeOf } from './catalogue.ts';
import { type Member, membersOf } from './model.ts';

export interface Stack {
  type: string;
  /** Whether the name has a number. What has none is alone. */
  repeated: boolean;
  members: Member[];
}

/** A module's name without the number that a layer has. */
export const stemOf = (name: string): string => name.replace(/-\d+$/, '');

/** The modules of a document: those of the same kind that only their number tells apart are together. */
export function stacksOf(members: readonly Member[]): Stack[] {
  const found = new Map<string, Stack>();
  for (const member of members) {
    const stem = stemOf(member.name);
    const repeated = stem !== member.name;
    const type = typeOf(member.value) ?? '';
    const key = `${type} ${stem} ${repeated}`;
    const stack = found.get(key);
    if (stack) stack.members.push(member);
    else found.set(key, { type, repeated, members: [member] });
  }
  return [...found.values()];
}

/** The layers of a model, several of each. */
export const layersOf = (members: readonly Member[]): Stack[] =>
  stacksOf(members).filter((stack) => stack.members.length > 1);

/** The first module of each stack, in the order of the document. */
export const leadersOf = (members: readonly Member[]): Member[] => stacksOf(members).map((stack) => stack.members[0]!);

/** The layers to which a part of the document belongs; undefined where its module does not repeat. */
export const layersAt = (document: Doc, path: string): Member[] | undefined =>
  layersOf(membersOf(document)).find(({ members }) =>
    members.some((one) => `${path}/`.startsWith(`${one.path}/`)))?.members;

// The same part in another layer: what surrounds it has to be the same mechanism. Of a list it is the item of the same
// mechanism, wherever it is in the list.
function partIn(document: Doc, from: string, to: string, inside: readonly string[]): string | undefined {
  let [own, other] = [get(document, from), get(document, to)];
  let path = to;
  for (const [k, name] of inside.entries()) {
    const item: Json | undefined = get(own, join(name));
    const at = Array.isArray(own)
      ? (Array.isArray(other) ? other.findIndex((one) => typeOf(one) === typeOf(item)) : -1) : name;
    if (at === -1) return undefined;
    path += join(at);
    [own, other] = [item, get(other, join(at))];
    if (k < inside.length - 1 && (typeOf(own) !== typeOf(other) || Array.isArray(own) !== Array.isArray(other)))
      return undefined;
  }
  return path;
}

/** This part of the document and the same part of the other layers, in the order of the layers. */
export function samePart(document: Doc, path: string): string[] {
  const layers = layersAt(document, path);
  if (!layers) return [path];
  const own = layers.find((one) => `${path}/`.startsWith(`${one.path}/`))!;
  const inside = split(path.slice(own.path.length));
  return layers.flatMap((layer) => (layer === own ? [path] : partIn(document, own.path, layer.path, inside) ?? []));
}

/** Takes a choice out of its slot: of a list only this item, unless it is the last one. */
export function takeOut(draft: Doc, path: string): void {
  const end = path.lastIndexOf('/');
  const list = get(draft, path.slice(0, end));
  set(draft, Array.isArray(list) && list.length === 1 ? path.slice(0, end) : path, undefined);
}

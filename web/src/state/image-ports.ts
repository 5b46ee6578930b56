// SPDX-License-Identifier: Apache-2.0
// Which inputs are images: those that a port of height by width reads. The catalogue says the shape of every port.
import type { Doc, JsonObject, Role } from '../engine/types.ts';
import { isObject } from '../engine/pointer.ts';
import type { Book } from './catalogue.ts';
import { isModel, membersOf } from './model.ts';
import { rolesOf } from './roles.ts';

/** The shapes that a port takes: "H W C | H W" is two of them. */
export const shapesOf = ({ shape }: Pick<Role, 'shape'>): string[][] =>
  shape.split('|').map((one) => one.trim().split(/\s+/));

const isPicture = ([down, across]: string[]): boolean => /^H/.test(down ?? '') && /^W/.test(across ?? '');

export const readsImage = (role: Pick<Role, 'shape'>): boolean => shapesOf(role).some(isPicture);

export interface ImagePort {
  /** The name of the document's input. */
  input: string;
  /** How many axes it may have: 2 without channels, 3 with them. */
  ranks: number[];
}

const nameOf = (wires: unknown, port: string): string => {
  const named = isObject(wires as JsonObject) ? (wires as JsonObject)[port] : undefined;
  return typeof named === 'string' ? named : port;
};

/** The document's images, each once, in the order of the ports that read them. */
export function imagePorts(book: Book, document: Doc): ImagePort[] {
  const found = new Map<string, ImagePort>();
  const several = isModel(document);
  for (const { value } of membersOf(document)) {
    const roles = several ? (book.member(value)?.roles ?? []) : rolesOf(book, document);
    for (const role of roles.filter(readsImage)) {
      const input = nameOf(value['inputs'], role.name);
      if (Object.hasOwn(document.inputs, input) && !found.has(input))
        found.set(input, { input, ranks: shapesOf(role).filter(isPicture).map((shape) => shape.length) });
    }
  }
  return [...found.values()];
}

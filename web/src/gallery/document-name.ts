// SPDX-License-Identifier: Apache-2.0
import type { Doc, Mechanism } from '../engine/types.ts';
import type { Book } from '../state/catalogue.ts';
import { titleCalled } from '../state/document-title.ts';
import { own } from '../strings/engine.ts';
import { titleOf } from '../state/model.ts';

/**
 * The mechanism that a document of one module is about: the one whose title it has, if it is still used there, and else
 * the module.
 */
export function mechanismOf(book: Book, document: Doc): Mechanism | undefined {
  const module = book.module(document);
  const title = titleOf(document);
  return (module && title !== undefined ? book.choices(document).map(({ mechanism }) => mechanism)
    .find((one) => one && own(one).title === title) : undefined) ?? module;
}

/** What a document is called where it is one of several; undefined where nothing in it has a name. */
export function documentCalled(book: Book, document: Doc): string | undefined {
  const title = titleOf(document);
  return mechanismOf(book, document)?.title ?? (title === undefined ? undefined : titleCalled(book, title));
}

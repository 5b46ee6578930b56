// SPDX-License-Identifier: Apache-2.0
import { titleOf } from '../gallery/presets.ts';
import type { Choice } from '../state/catalogue.ts';
import type { Side } from '../state/parse.ts';
import type { Store } from '../state/store.ts';
import { titleCalled } from '../state/titled.ts';
import { strings } from '../strings/en.ts';
import { sideName } from './named.ts';
import { words } from './words.ts';

/** A side of the comparison: its choices that the other side lacks, and its name, by these or by its title. */
export function sideCalled({ book, comparison }: Store, side: Side): { own: Choice[]; called: string } {
  const document = comparison.documentOf(side);
  const { own, lacks } = sideName(book, document, comparison.documentOf(side === 'A' ? 'B' : 'A'));
  const names = [...own.map(({ mechanism }) => mechanism!.title), ...lacks.map((name) => words().without(name))];
  const title = titleCalled(book, titleOf(document) ?? book.module(document)?.title ?? '');
  return { own, called: names.join(strings.comma) || title };
}

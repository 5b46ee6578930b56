// SPDX-License-Identifier: Apache-2.0
import { recordWords } from '../strings/records.ts';
import type { Book } from './catalogue.ts';
import { titleCalled } from './document-title.ts';

/**
 * A document's title in the reader's words, also if it is that of a system, whose words are fetched when something
 * shows one; then the host draws itself again.
 */
export function systemTitle(book: Book, title: string, host: { requestUpdate(): void }): string {
  const system = book.catalogue.systems?.find((one) => one.title === title);
  return (system && recordWords(host)?.systems[system.id]?.title) ?? titleCalled(book, title);
}

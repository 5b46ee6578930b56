// SPDX-License-Identifier: Apache-2.0
import type { Client } from '../engine/client.ts';
import type { Doc, Located } from '../engine/types.ts';
import { strings } from '../strings/en.ts';
import { quote } from '../strings/quote.ts';
import { parse } from './parse.ts';

/** An entry chosen from a menu, and the document that it was put into. */
export interface Entry {
  id: string | undefined;
  title: string;
  before: Doc;
  document: Doc;
}

/** What stands in for a document that an entry does not fit: its own example, or else what was there before. */
export async function standIn(client: Client, entry: Entry, error: Located): Promise<{ document: Doc; notice: string }> {
  const reply = entry.id === undefined ? undefined : await client.send({ kind: 'example', of: entry.id });
  const found = reply && parse(reply.text);
  if (found && 'document' in found) return { document: found.document, notice: strings.ownExample(entry.title) };
  return { document: entry.before, notice: strings.misfit(entry.title, quote(error.message)) };
}

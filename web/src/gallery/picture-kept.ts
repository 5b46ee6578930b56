// SPDX-License-Identifier: Apache-2.0
// The reader's own picture in a document of the gallery.
import type { Doc, JsonObject } from '../engine/types.ts';
import { sizeOf } from '../image/pixels.ts';
import { inputFrom, isOwn, keepOrigin, type Origin, originOf, type Source } from '../image/source.ts';
import { preparationOf } from '../models/model-metadata.ts';
import type { Book } from '../state/catalogue.ts';
import { imagePorts } from '../state/image-ports.ts';

export interface Carried {
  document: Doc;
  /** The reader has a picture, and whether the document reads it now. */
  picture?: 'kept' | 'lost';
  /** Remembers where the picture came from, once the document is the page's. */
  remember?: (document: Doc) => void;
}

const ownIn = (book: Book, document: Doc): Origin | undefined => imagePorts(book, document)
  .map(({ input }) => originOf(document.inputs[input])).find((origin) => origin && isOwn(origin));

/** It reads pictures and no words, so there are no words to lose. */
export const isOfPictures = (book: Book, document: Doc): boolean => imagePorts(book, document).length > 0
  && Object.values(document.inputs).every((input) => !Array.isArray(input['tokens']));

async function made(source: Source, document: Doc, input: string): Promise<JsonObject | undefined> {
  const shape = document.inputs[input]!['shape'];
  if (!Array.isArray(shape)) return undefined;
  const found = await inputFrom(source, sizeOf(shape.map(Number)), preparationOf(document, input));
  return 'remarks' in found ? (found as { input: JsonObject }).input : found as JsonObject;
}

/** The document with the reader's picture in its first image, made from its source in the size that is read there. */
export async function withPictureOf(book: Book, document: Doc, mine: Doc): Promise<Carried> {
  const origin = ownIn(book, mine);
  if (!origin) return { document };
  const input = imagePorts(book, document)[0]?.input;
  // A file that was deleted or moved since cannot be read again.
  const picture = input === undefined ? undefined : await made(origin.source, document, input).catch(() => undefined);
  if (input === undefined || !picture) return { document, picture: 'lost' };
  const size = sizeOf(picture['shape'] as number[]);
  return { document: { ...document, inputs: { ...document.inputs, [input]: picture } }, picture: 'kept',
    remember: ({ inputs }) => keepOrigin(inputs[input], { source: origin.source, size }) };
}

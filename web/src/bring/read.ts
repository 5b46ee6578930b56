// SPDX-License-Identifier: Apache-2.0
import { NotNpy, readNpy } from '../files/npy.ts';
import { tokenise } from '../state/tokens.ts';
import { strings } from '../strings/en.ts';
import { quote } from '../strings/quote.ts';
import { type Found, LONGEST_FILE, LONGEST_TEXT } from './input-data.ts';
import { looksLikeData } from '../inputs/guess.ts';
import { readJson, shaped } from './json.ts';
import { readTable } from './table.ts';
import { base64 } from '../files/base64.ts';
import { withMade } from '../files/weights-origin.ts';
import { checked, REMEMBERED } from '../files/packed.ts';
import { writeWeights } from '../files/weights.ts';
import { isObject } from '../engine/pointer.ts';
import { parse } from '../state/parse.ts';

const HEADER = 8;
const BRACE = 0x7b;

/** A file of weights: by its name, or by a header that is an object of JSON. */
const isWeights = (name: string, bytes: Uint8Array): boolean =>
  name.endsWith('.safetensors') || (bytes[HEADER] === BRACE && bytes.subarray(4, HEADER).every((byte) => byte === 0));

const ending = /(\.safetensors)?$/;

/** A file of weights as the page saves one where it trains: the document that was trained lies in it. */
export function readTrained(name: string, bytes: Uint8Array): Found {
  const words = strings.bring;
  try {
    const { metadata, tensors } = checked(bytes);
    const decoded = metadata['document'] === undefined ? undefined : parse(metadata['document']);
    if (!decoded || !('document' in decoded)) return { kind: 'wrong', why: words.noDocument };
    const { document } = decoded;
    const from = `own-${name.replace(ending, '')}.safetensors`;
    const given = isObject(document.parameters) ? document.parameters : {};
    // What the optimiser remembers is of use only where the training goes on.
    const weights = new Map([...tensors].filter(([one]) => !one.startsWith(REMEMBERED)));
    return { kind: 'document', document: { ...document, parameters: { ...given, from } },
      weights: { files: { [from]: base64(writeWeights({ metadata: withMade(metadata, { file: name, theirs: true }),
        tensors: weights })) } } };
  } catch (problem) {
    const why = problem instanceof Error ? problem.message : String(problem);
    return { kind: 'wrong', why: words.badWeights(quote(why)) };
  }
}

const words = strings.bring;

export function readWords(text: string): Found {
  const tokens = tokenise(text.slice(0, 20_000));
  return tokens.length > 0 ? { kind: 'words', tokens } : { kind: 'wrong', why: words.empty };
}

/** Text of any kind: an experiment, numbers, or words. */
export function readText(text: string): Found {
  if (text.trim() === '') return { kind: 'wrong', why: words.empty };
  if (text.length > LONGEST_TEXT) return { kind: 'wrong', why: words.tooLong };
  if (!looksLikeData(text)) return readWords(text);
  return /^\s*[[{]/.test(text) ? readJson(text) : readTable(text);
}

// What the first bytes of PNG, JPEG, GIF, WebP and BMP are; of WebP the letters stand behind its length.
const BEGINNINGS = [[[0x89, 0x50, 0x4e, 0x47]], [[0xff, 0xd8, 0xff]], [[0x47, 0x49, 0x46, 0x38]],
  [[0x52, 0x49, 0x46, 0x46], [0x57, 0x45, 0x42, 0x50]], [[0x42, 0x4d]]];
const SECOND = 8;
const HEAD = 12;

/** By its type, or, where nobody says one, by its first bytes. */
export async function isImage(file: Blob): Promise<boolean> {
  if (file.type !== '') return file.type.startsWith('image/');
  const bytes = new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
  return BEGINNINGS.some((parts) =>
    parts.every((part, k) => part.every((byte, at) => bytes[k * SECOND + at] === byte)));
}

/** A file that is no image: .npy by its first bytes, everything else as text. */
export async function readFile(file: File): Promise<Found> {
  if (file.size > LONGEST_FILE) return { kind: 'wrong', why: words.tooLong };
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (file.name.endsWith('.npy') || (bytes[0] === 0x93 && bytes[1] === 0x4e)) {
    try {
      const { shape, data } = readNpy(bytes);
      return shaped(shape.length === 0 ? [1] : shape, data);
    } catch (problem) {
      return { kind: 'wrong', why: problem instanceof NotNpy ? words.badNpy(quote(problem.message))
        : words.unreadable };
    }
  }
  if (isWeights(file.name, bytes)) return readTrained(file.name, bytes);
  // Its words are packed inside; what could be read of it are its commands.
  if (String.fromCharCode(...bytes.slice(0, 5)) === '%PDF-') return { kind: 'wrong', why: words.unreadable };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { kind: 'wrong', why: words.unreadable };
  }
  if (/\.(csv|tsv)$/i.test(file.name))
    return text.length > LONGEST_TEXT ? { kind: 'wrong', why: words.tooLong } : readTable(text);
  if (/\.json$/i.test(file.name)) return readJson(text);
  return readText(text);
}

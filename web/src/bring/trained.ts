// SPDX-License-Identifier: Apache-2.0
import { base64 } from '../files/base64.ts';
import { withMade } from '../files/made.ts';
import { checked, REMEMBERED } from '../files/packed.ts';
import { writeWeights } from '../files/weights.ts';
import { isObject } from '../state/catalogue.ts';
import { parse } from '../state/parse.ts';
import { strings } from '../strings/en.ts';
import { quote } from '../strings/quote.ts';
import type { Found } from './found.ts';

const HEADER = 8;
const BRACE = 0x7b;

/** A file of weights: by its name, or by a header that is an object of JSON. */
export const isWeights = (name: string, bytes: Uint8Array): boolean =>
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

// SPDX-License-Identifier: Apache-2.0
import { withChanges } from '../src/engine/difference.ts';
import type { Directory, Doc, Engine, Explanation, Json } from '../src/engine/types.ts';

/** What the engine answered for one document. */
export interface Recording {
  document: Doc;
  directory: Directory;
  /** The packed numbers, as base64. */
  data: string;
  /** By the tensor and the index of a cell (`cellKey`). */
  explanations: Record<string, Explanation>;
}

const ordered = (value: Json): Json =>
  (value === null || typeof value !== 'object' ? value : Array.isArray(value) ? value.map(ordered)
    : Object.fromEntries(Object.keys(value).sort().map((key) => [key, ordered(value[key]!)])));

/** Equal for documents that differ only in the order of their members. */
export const keyOf = (document: Json): string => JSON.stringify(ordered(document));
export const cellKey = (tensor: string, index: string): string => `${tensor} ${index}`;

export const toBase64 = (numbers: Float32Array): string => {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
};
export const fromBase64 = (text: string): Float32Array =>
  new Float32Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);

const NONE = new Float32Array();

/**
 * Has the functions of the engine's module (bindings/embind.cpp), and answers them from recordings. It computes
 * nothing, so it refuses every request whose answer is not recorded. `told` hears each refusal.
 */
export function recordedEngine(recordings: readonly Recording[], told?: (message: string) => void): Engine {
  const known = new Map(recordings.map((one) => [keyOf(one.document as Json), one]));
  const titles = [...new Set(recordings.flatMap(({ document }) => (document.title ? `“${document.title}”` : [])))]
    .join(', ');
  const open = new Map<number, Recording>();
  let handles = 0;
  let reads = 0;

  const error = (call: string) => {
    const message = `the engine is not built, and the answer of ${call} is not recorded for this document; `
      + `./play builds the engine; recorded documents: ${titles}`;
    told?.(message);
    return { path: '', message };
  };
  const refuse = (call: string): string => JSON.stringify({ error: error(call) });
  const refuseResult = (call: string) => ({ directory: JSON.stringify({ ok: false, error: error(call) }), data: NONE });
  const result = ({ directory, data }: Recording, read?: number) =>
    ({ directory: JSON.stringify(read === undefined ? directory : { ...directory, read }), data: fromBase64(data) });
  const find = (document: string): Recording | undefined => known.get(keyOf(JSON.parse(document) as Json));
  const explained = (call: string, one: Recording | undefined, tensor: string, index: string): string => {
    const found = one?.explanations[cellKey(tensor, JSON.stringify(JSON.parse(index)))];
    return found ? JSON.stringify(found) : refuse(`${call} for cell ${index} of “${tensor}”`);
  };
  const keep = (call: string, handle: number, document: string): string => {
    const found = find(document);
    if (!found) return refuse(call);
    open.set(handle, found);
    return JSON.stringify({ handle });
  };

  return {
    run(document) {
      const found = find(document);
      return found ? result(found) : refuseResult('run');
    },
    open: (document) => keep('open', ++handles, document),
    change(handle, changes, pointers) {
      const now = open.get(handle);
      // Numbers beside the changes come from other callers than the page.
      if (!now || pointers !== '[]') return refuse('change');
      const document = withChanges(now.document as Json, JSON.parse(changes) as Record<string, Json>);
      return keep('change', handle, JSON.stringify(document));
    },
    step: (handle) => (open.has(handle) ? '{"share":1}' : refuse('step')),
    read: () => refuseResult('read'),
    // Whatever the page has already, it takes a whole answer.
    readSince(handle) {
      const now = open.get(handle);
      return now ? result(now, ++reads) : refuseResult('readSince');
    },
    explain: (document, tensor, index) => explained('explain', find(document), tensor, index),
    explainOpen: (handle, tensor, index) => explained('explainOpen', open.get(handle), tensor, index),
    document: (handle) => (open.has(handle) ? JSON.stringify(open.get(handle)!.document) : refuse('document')),
    close(handle) {
      open.delete(handle);
      return '{}';
    },
    normalise: () => refuse('normalise'),
    exportCode: () => refuse('exportCode'),
    written: () => refuse('written'),
    kept: () => refuse('kept'),
    example: (id) => refuse(`example for “${id}”`),
    version: () => 'recorded',
    // The recorded numbers contain what these files bring and a run reports.
    watch: () => undefined,
    words: () => '{}',
    weights: () => '{}',
    forgetWeights: () => undefined,
  };
}

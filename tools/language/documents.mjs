// SPDX-License-Identifier: Apache-2.0
// The small language model as two documents: the one that is trained reads pieces by name, the one that is opened reads
// their numbers, as every model of another program does.
import { RESERVED } from './pieces.mjs';

const SIZES = { layers: 4, heads: 4, width: 128, hidden: 256 };
/** Rows that are learned from at once; rotary positions take more. */
const WINDOW = 64;
/** The longest text that the page gives it: twice what it learned from. */
const LONGEST = 2 * WINDOW;
export const TITLE = 'A small model of Jane Austen';
export const NAME = 'language/austen.safetensors';

const blocks = (first) => Array.from({ length: SIZES.layers }, (_, k) => ({
  name: `layer-${k + 1}`, type: 'transformer-block', order: 'pre', norm: 'rms',
  inputs: { x: k === 0 ? first : `layer-${k}` },
  attention: { type: 'attention', query: 'self-attention', heads: { type: 'multi-head', count: SIZES.heads },
    mask: ['mask-causal'], position: ['pos-rope'] },
  ffn: { type: 'swiglu', hidden: SIZES.hidden },
}));

/** As it is trained; the text comes with `attend train --data`, as numbers of pieces. `begin`: the pinned example. */
export function trainingDocument(pieces, begin, { steps, seed }) {
  const numbers = Array.from({ length: pieces }, (_, id) => String(id));
  const vocabulary = [...RESERVED, ...numbers.slice(RESERVED.length)];
  return {
    schema: 'attention-playground/1', title: TITLE, seed,
    inputs: { source: { tokens: begin.slice(0, -1).map(String) }, target: { tokens: begin.slice(1).map(String) } },
    model: [
      { name: 'tokens', type: 'fm-embedding', inputs: { x: 'source' }, dim: SIZES.width, vocabulary },
      ...blocks('tokens'),
      { name: 'norm', type: 'rmsnorm', inputs: { x: `layer-${SIZES.layers}` } },
      { name: 'predict', type: 'om-softmax', inputs: { x: 'norm' }, classes: vocabulary.length },
      { name: 'loss', type: 'cross-entropy', inputs: { logits: 'predict.logits', target: 'target' }, vocabulary },
    ],
    tie: { 'predict.W_c': { transpose: 'tokens.E' } },
    training: {
      task: { type: 'task-text', by: 'words', length: WINDOW },
      optimiser: { type: 'adamw', rate: 0.003, 'weight-decay': 0.02 }, batch: 32, steps, clip: 1,
      schedule: { type: 'cosine', warmup: 100, end: 0.05 },
    },
  };
}

/** As the page opens it. */
export function openedDocument(vocabulary, ids) {
  return {
    schema: 'attention-playground/1', title: TITLE,
    inputs: { text: { shape: [ids.length, 1], data: ids, 
      labels: ids.map((id) => vocabulary[id].replaceAll('Ġ', ' ')) } },
    model: [
      { name: 'tokens', type: 'fm-lookup', inputs: { x: 'text' } },
      ...blocks('tokens').map(({ ffn: { hidden: _, ...ffn }, ...block }) => ({ ...block, ffn })),
      { name: 'norm', type: 'rmsnorm', inputs: { x: `layer-${SIZES.layers}` } },
      { name: 'predict', type: 'om-softmax', inputs: { x: 'norm' } },
    ],
    tie: { 'predict.W_c': { transpose: 'tokens.E' } },
    parameters: { from: NAME },
  };
}

export const WRITES = { kind: 'next', input: 'text', predicts: 'predict', length: LONGEST };

// SPDX-License-Identifier: Apache-2.0
import { message, plural } from '../../strings/message.ts';

/** The words about the parts of a logit, in English. */
export const words = {
  of: 'Logit of',
  minus: 'minus the logit of',
  nothing: 'no word',
  quoted: message((token: string) => ({ token }), '“{ $token }”'),
  what: 'A logit is the number that the softmax turns into a probability. It is a sum: the embedding, each head and '
    + 'each feed-forward layer add to it. The number of a part is its direct effect: what it writes for the last '
    + 'token, divided by the scale of the last norm for this text, times the word’s column of the unembedding matrix. '
    + 'What a part changes in later layers is counted in those layers’ numbers.',
  whyMinus: 'The same number added to all logits changes no probability. So compare two words to see which parts '
    + 'prefer one of them.',
  embedding: 'Embedding of the last token',
  head: message((layer: number, head: number) => ({ layer, head }), 'Layer { $layer }, head { $head }'),
  attention: message((layer: number) => ({ layer }), 'Layer { $layer }, attention'),
  feedForward: message((layer: number) => ({ layer }), 'Layer { $layer }, feed-forward'),
  biases: 'Biases',
  toHead: message((head: string) => ({ head }), 'Show the map of: { $head }'),
  sum: message((parts: number, value: string) => ({ parts, value }),
    `Sum of ${plural('parts', { one: 'the one part', other: 'all # parts' })}: { $value }.`),
  logit: message((value: string) => ({ value }), 'Logit that the model computed: { $value }.'),
  difference: message((value: string) => ({ value }), 'Difference of the logits that the model computed: { $value }.'),
  largest: message((shown: number) => ({ shown }),
    plural('shown', { one: 'The largest part, by absolute value.', other: 'The # largest parts, by absolute value.' })),
  all: message((parts: number) => ({ parts }), plural('parts', { one: 'Show 1 part', other: 'Show all # parts' })),
  fewer: 'Show only the largest',
  computing: 'Computing …',
  none: 'This model’s parts do not simply add up to its logits, or the activations are int8, so no part has a number.',
  left: 'This text is too long: its result leaves out numbers that the parts need. Use a shorter text.',
};

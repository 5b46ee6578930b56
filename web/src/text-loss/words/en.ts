// SPDX-License-Identifier: Apache-2.0
import { message, plural } from '../../strings/message.ts';

/** The words about the loss over a reader's own text, in English. */
export const words = {
  about: 'How well does the model predict a text of yours? The loss is the mean of −log p over all tokens, where p is '
    + 'the probability that the model gives to the token after the tokens before it. Perplexity is e to the power of '
    + 'the loss. Smaller is better.',
  compare: 'To see what a change does, compute the loss, change the model (for example, switch off a head or add a '
    + 'local window), then compute it again.',
  masked: 'This model fills in masked words and reads both sides of each. It gives no probability of a whole text, so '
    + 'there is no loss to compare.',
  type: 'Paste or type a text, or drop a text file here',
  typeIds: 'Token numbers, with spaces between them',
  file: 'Choose a text file',
  window: 'Tokens per window',
  windowNote: message((most: number) => ({ most }),
    'A longer text is cut into windows of { $most } tokens that overlap by half. Each token counts once, with at least '
      + 'half a window before it. A smaller number shows what a shorter context costs.'),
  compute: 'Compute the loss',
  cancel: 'Cancel',
  encoding: 'Splitting the text into tokens …',
  progress: message((done: number, all: number) => ({ done, all }),
    `{ $done } of ${plural('all', { one: '1 token', other: '# tokens' })}`),
  cancelled: 'Cancelled.',
  tooLong: message((most: number) => ({ most }), 'The text is too long. Use at most { $most } characters.'),
  unreadable: message((name: string) => ({ name }), '“{ $name }” cannot be read as text.'),
  tooShort: 'The text needs at least two tokens: the first one only predicts.',
  badIds: message((most: number) => ({ most }), 'Enter whole numbers from 0 to { $most }, with spaces between them.'),
  badWindow: message((most: number) => ({ most }), 'Enter a whole number from 2 to { $most }.'),
  changed: 'The model has changed since the last measurement. Compute the loss again to compare.',
  runs: 'Measurements of this text',
  model: 'Model',
  unchanged: 'without changes',
  unlike: 'with other changes',
  off: message((head: string) => ({ head }), '{ $head } changed'),
  loss: 'Loss (nats per token)',
  perplexity: 'Perplexity',
  difference: 'Against the first',
  predicted: message((n: number) => ({ n }),
    plural('n', { one: '1 token was predicted.', other: '# tokens were predicted.' })),
  colour: 'Colour',
  byLoss: '−log p of each token',
  byChange: 'change against the first measurement',
  shown: message((shown: number, all: number) => ({ shown, all }),
    'The first { $shown } of { $all } tokens are shown. The CSV file has all of them.'),
  hardest: 'The tokens with the largest loss',
  mostChanged: 'The tokens whose loss changed most',
  position: 'Position',
  token: 'Token',
  probability: 'Probability',
  ofToken: '−log p',
  before: 'First',
  change: 'Change',
  save: 'Save as CSV',
  hint: message((token: string, probability: string, loss: string) => ({ token, probability, loss }),
    '“{ $token }”: probability { $probability }, −log p { $loss }'),
} as const;

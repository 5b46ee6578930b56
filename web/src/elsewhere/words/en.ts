// SPDX-License-Identifier: Apache-2.0
import { message, plural } from '../../strings/message.ts';

/** The words of one token in two sentences, in English. */
export const words = {
  title: message((token: string) => ({ token }), '“{ $token }” in another sentence'),
  type: message((token: string) => ({ token }), 'Type another sentence with “{ $token }”'),
  typeRead: message((token: string, example: string) => ({ token, example }),
    'Type another sentence for the model to read, such as “{ $example }”; it may write “{ $token }” again'),
  about: 'The model stays the same; your document keeps its own sentence.',
  here: 'In your document',
  there: 'In the other sentence',
  attends: message((key: string, one: string, other: string, there: string) => ({ key, one, other, there }),
    'Here “{ $key }” gets the largest weight ({ $one }); there it is “{ $other }” ({ $there }).'),
  attendsSame: message((key: string, one: string, there: string) => ({ key, one, there }),
    'In both sentences “{ $key }” gets the largest weight: { $one } here, { $there } there.'),
  cosine: message((what: string, value: string) => ({ what, value }),
    'The cosine of the two rows of “{ $what }” is { $value }; equal directions have the cosine 1.'),
  absent: message((token: string, tokens: string[]) => ({ token, tokens }),
    '“{ $token }” is not among the tokens there: { $tokens }.'),
  first: message((count: number) => ({ count }), 'The token occurs { $count } times there; this is the first.'),
  failed: message((why: string) => ({ why }), 'The other sentence cannot be computed: { $why }'),
  more: message((count: number) => ({ count }), plural('count', { one: '1 more key', other: '# more keys' })),
} as const;

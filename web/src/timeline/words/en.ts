// SPDX-License-Identifier: Apache-2.0
import { message, plural } from '../../strings/message.ts';
export const words = {
  time: 'Step by step',
  hops: 'Hop by hop',
  countTime: message((n: number) => ({ n }),
    `${plural('n', { one: '1 step', other: '# steps' })}: the query, what it attends to, and the result`),
  countHops: message((n: number) => ({ n }),
    `${plural('n', { one: '1 hop', other: '# hops' })}: each hop queries again with the previous result`),
  step: message((n: number, of: number) => ({ n, of }), 'Step { $n } of { $of }'),
  hop: message((n: number) => ({ n }), 'Hop { $n }'),
  looks: message((who: string, where: string, weight: string) => ({ who, where, weight }),
    '{ $who } attends most to { $where }: { $weight }'),
  stays: message((where: string) => ({ where }), 'Every hop attends most to { $where }.'),
  moves: message((path: string) => ({ path }), 'From hop to hop, attention moves along { $path }.'),
  help: 'Arrow keys go from step to step, Home goes to the first step, End goes to the last.',
  scrub: 'Step shown',
  previous: 'Previous step',
  next: 'Next step',
  play: 'Play the steps',
  pause: 'Pause',
  path: 'The path: one line per hop; a larger circle is a larger weight',
  then: ' → ',
};

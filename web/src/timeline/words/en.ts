// SPDX-License-Identifier: Apache-2.0
import { message, plural } from '../../strings/message.ts';
export const words = {
  time: 'Step by step',
  hops: 'Hop by hop',
  countTime: message((n: number) => ({ n }),
    `${plural('n', { one: '1 step', other: '# steps' })}: what is asked with, where it looks, what it finds`),
  countHops: message((n: number) => ({ n }),
    `${plural('n', { one: '1 hop', other: '# hops' })}: the question is asked again, with what was found`),
  step: message((n: number, of: number) => ({ n, of }), 'Step { $n } of { $of }'),
  hop: message((n: number) => ({ n }), 'Hop { $n }'),
  looks: message((who: string, where: string, weight: string) => ({ who, where, weight }),
    '{ $who } looks most at { $where }: { $weight }'),
  stays: message((where: string) => ({ where }), 'Every hop looks most at { $where }.'),
  moves: message((path: string) => ({ path }), 'From hop to hop it looks most at { $path }.'),
  help: 'Arrow keys go from step to step, Home and End to the ends.',
  scrub: 'The step that is looked at',
  previous: 'Previous step',
  next: 'Next step',
  play: 'Play the steps',
  pause: 'Pause',
  path: 'The path: one line a hop, circles as large as the weights',
  then: ' → ',
};

// SPDX-License-Identifier: Apache-2.0
import { either, message, plural } from '../../strings/message.ts';

export const words = {
  learned: 'What it learned',
  fails: 'Where it fails',
  short: message((right: string, size: string) => ({ right, size }), '{ $right } right, { $size } kB'),
  trained: message((task: string, steps: number, numbers: string, right: string, heldOut: number, size: string) =>
    ({ task, steps, numbers, right, heldOut, size }),
    'It was trained on “{ $task }” for { $steps } steps. { $right } of the tokens in its answers to '
    + '{ $heldOut } held-out examples are right. It has { $numbers } weights ({ $size } kB).'),
  percent: message((n: string) => ({ n }), '{ $n }%'),
  inMap: message((module: string) => ({ module }), 'In the map of “{ $module }”'),
  inHead: message((module: string, head: number) => ({ module, head }), 'In head { $head } of “{ $module }”'),
  rows: { answer: 'the row that writes the answer,', only: 'the only row, which leads to',
    last: 'the last row, which leads to',
    mean: 'the mean of all rows, which leads to', compared: 'the row of the word in the second sentence,' },
  row: message((row: number) => ({ row }), 'row { $row }, which leads to'),
  overFeatures: message((at: string) => ({ at }), '{ $at } (mean over all features)'),
  verdicts: { shows: 'The map shows where the answer comes from.',
    often: 'The map often shows where the answer comes from.',
    not: 'The map does not show where the answer comes from.' },
  comparing: { shows: 'The map shows which words are compared.', often: 'The map often shows which words are compared.',
    not: 'The map does not show which words are compared.' },
  position: message((word: string, at: number) => ({ word, at }), '“{ $word }” at position { $at }'),
  region: message((at: number) => ({ at }), 'region { $at } of the image'),
  example: message((at: string, row: string, word: string, weight: string, meant: string) =>
    ({ at, row, word, weight, meant }),
    '{ $at }, { $row } “{ $word }”, puts { $weight } of its weight on the right position, { $meant }.'),
  elsewhere: message((weight: string, most: string) => ({ weight, most }),
    'Its largest weight, { $weight }, is on { $most }.'),
  often: message((n: number, share: string, untrained: string) => ({ n, share, untrained }),
    'In { $n } held-out examples, the largest weight is on a correct position in { $share } of the rows; with '
    + 'untrained weights, in { $untrained }.'),
  lastHop: { shows: message((hop: number) => ({ hop }), 'The map of hop { $hop } shows where the answer comes from.'),
    often: message((hop: number) => ({ hop }), 'The map of hop { $hop } often shows where the answer comes from.'),
    not: 'No hop shows where the answer comes from.' },
  twoFacts: message((n: number) => ({ n }),
    '{ $n } of the held-out questions need two facts: the first leads to the second, which has the answer.'),
  hop: message((hop: number, first: string, second: string) => ({ hop, first, second }),
    'The largest weight of hop { $hop } is on the first fact for { $first } of these questions, and on the second '
    + 'fact for { $second }.'),
  guided: 'Its training rewarded weight on the right positions.',
  noMap: 'The task does not say which positions are right for the attention maps of this system.',
  wrong: message((count: number, heldOut: number, source: string, written: string, right: string) =>
    ({ count, heldOut, source, written, right }),
    `It gets { $count } of { $heldOut } held-out examples wrong. For example, for “{ $source }” it writes ${
    ''}“{ $written }” instead of “{ $right }”.`),
  wrongCount: message((count: number, heldOut: number) => ({ count, heldOut }),
    `It gets { $count } of { $heldOut } held-out examples wrong.`),
  longer: message((title: string, tried: number, learned: number, right: string) => ({ title, tried, learned, right }),
    'It fails on sizes outside its training. “{ $title }” was { $learned } in training; with { $tried }, { $right } of '
    + 'its tokens are right.'),
  longerToo: message((title: string, tried: number, learned: number, right: string) =>
    ({ title, tried, learned, right }),
    'It also works on sizes outside its training. “{ $title }” was { $learned } in training; with { $tried }, '
    + '{ $right } of its tokens are right.'),
  none: message((n: number) => ({ n }), 'No failure was found in { $n } held-out examples.'),
  oneSeed: 'All this was measured on a single training run. Other seeds were not tried.',
  seedsAgree: message((same: number, tried: number, by: 'map' | 'hops' | 'none') => ({ same, tried, by }),
    `In { $same } of { $tried } training runs with different seeds, about as many tokens are ${either('by', {
      map: 'right, and the verdict on the map is the same.', hops: 'right, and each hop reads the same fact.',
      none: 'right.' })}`),
  seedsDiffer: message((same: number, tried: number, by: 'map' | 'hops' | 'none') => ({ same, tried, by }),
    `Other seeds give different results: of { $tried } more training runs, only { $same } got about as many tokens ${
    either('by', { map: 'right, with the same verdict on the map.',
      hops: 'right, with each hop reading the same fact.', none: 'right.' })}`),
  tried: message((task: string, steps: number, right: string, heldOut: number) => ({ task, steps, right, heldOut }),
    'Its weights are random, because training failed: after { $steps } steps on “{ $task }”, only { $right } of the '
    + 'tokens in { $heldOut } held-out examples were right.'),
  noLoss: 'Its weights are random, because the system has no loss here that training could reduce.',
  noTask: message((inputs: readonly string[]) => ({ inputs }),
    'Its weights are random, because no task here generates its inputs ({ $inputs }) with a known answer.'),
  nothing: 'Nothing.',
  alsoTrained: 'Its weights are random here. You can also open the system with trained weights from the gallery.',
  seeded: message((inputs: readonly string[]) => ({ inputs }),
    'Its inputs ({ $inputs }) are vectors drawn from the seed, so none of their positions is the right one.'),
  worth: 'Its maps show how the attention is computed, not where an answer comes from.',
  untrained: 'Open with random weights',
  train: 'Train it here',
  trainAgain: 'Train it from the start',
  trainFor: message((train: string, time: string) => ({ train, time }), '{ $train } ({ $time })'),
  seconds: message((n: number) => ({ n }), plural('n', { one: 'about 1 second', other: 'about # seconds' })),
  minutes: message((n: number) => ({ n }), plural('n', { one: 'about 1 minute', other: 'about # minutes' })),
  lasts: message((steps: number, pace: string) => ({ steps, pace }),
    'Training starts from random weights and takes { $steps } steps. We measured { $pace } steps per second. Your '
    + 'speed appears while it runs.'),
  lastsLong: message((steps: number, pace: string) => ({ steps, pace }),
    'Training starts from random weights and takes { $steps } steps and more than a minute. We measured '
    + '{ $pace } steps per second. Your speed appears while it runs.'),
  lastsUnknown: message((steps: number) => ({ steps }),
    'Training starts from random weights and takes { $steps } steps. Your speed appears while it runs.'),
  trainedHere: message((steps: number) => ({ steps }),
    `You trained this model for ${plural('steps', { one: '1 step', other: '# steps' })}.`),
  fromFile: message((file: string) => ({ file }), 'Its weights are from the file “{ $file }”.'),
  fromFileAfter: message((file: string, steps: number) => ({ file, steps }),
    `Its weights are from the file “{ $file }”, after ${plural('steps', { one: '1 step', other: '# steps' })
    } of training.`),
  trainedFurther: message((steps: number) => ({ steps }),
    `You trained these weights for ${plural('steps', { one: '1 more step', other: '# more steps' })}.`),
  measuredHere: message((right: string, exact: string, heldOut: number) => ({ right, exact, heldOut }),
    'Measured on { $heldOut } held-out examples: { $right } of the words and { $exact } of the whole answers are '
    + 'right.'),
  measuredThen: message((step: number, right: string, exact: string, heldOut: number) =>
    ({ step, right, exact, heldOut }),
    'Measured at step { $step } on { $heldOut } held-out examples: { $right } of the words and { $exact } of the '
    + 'whole answers were right.'),
  measuredInFile: message((right: string, exact: string, heldOut: number) => ({ right, exact, heldOut }),
    'According to the file, { $right } of the words and { $exact } of the whole answers are right in { $heldOut } '
    + 'held-out examples.'),
  untaken: message((shown: 'page' | 'own' | 'none', steps: number) => ({ shown, steps }),
    `Shown here: ${either('shown', { page: 'the weights that come with this page',
      own: 'the weights of a file or of an earlier training run', none: 'weights that were not trained' })}. You ${
    ''}trained this model for ${plural('steps', { one: '1 step', other: '# steps' })}; those weights are not shown.`),
  untakenOther: message((title: string, steps: number) => ({ title, steps }),
    `You trained “{ $title }” for ${plural('steps', { one: '1 step', other: '# steps' })}, but it is not shown here.`),
  dismiss: 'Do not show this again',
  showIt: 'Show it',
  count: message((n: number) => ({ n }), plural('n', { one: '1 opens with trained weights',
    other: '# open with trained weights' })),
  newParts: message((names: readonly string[]) => ({ names }),
    'Parts of this model are new and untrained: { $names }. The other weights were trained without them.'),
};

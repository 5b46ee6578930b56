// SPDX-License-Identifier: Apache-2.0
import { either, message, plural } from '../../strings/message.ts';

export const words = {
  title: 'Open a model',
  about: 'Nothing is uploaded. Your document stays open until the model is ready.',
  unchanged: 'Your document is unchanged.',
  takes: 'The weights of one model: .safetensors (with an index if there are several), .gguf, pytorch_model.bin, .npz, '
    + 'or the .bin of llama2.c. Add its config.json and its tokenizer; an image model also needs its '
    + 'preprocessor_config.json.',
  folder: {
    none: message((folders: readonly string[]) => ({ folders }),
      'No weights were found in { $folders }. Drop the folder that holds the weights of the model, or choose its '
        + 'files. Links in a folder, such as those in the cache of Hugging Face, are not followed.'),
    several: message((folders: readonly string[]) => ({ folders }),
      'Several folders hold weights: { $folders }. Drop the folder of one model.'),
    many: message((folders: readonly string[], most: number) => ({ folders, most }),
      'There are more than { $most } files and folders, for example in { $folders }. Drop only the folder of the '
        + 'model.'),
    unreadable: message((folders: readonly string[]) => ({ folders }),
      'The browser cannot read { $folders }. Check that it still exists, then drop the folder again.'),
  },
  choose: 'Choose files',
  again: 'Add or replace files',
  addsNote: 'Files without weights, such as a tokenizer or a config.json, are added to the files above. If the model '
    + 'is already open, new weights replace all of these files.',
  files: 'Files',
  kilobytes: message((n: string) => ({ n }), '{ $n } KB'),
  megabytes: message((n: string) => ({ n }), '{ $n } MB'),
  kinds: { config: 'config', preprocessor: 'how images are read', tokenizer: 'tokenizer',
    index: 'index of the weights', weights: 'weights',
    other: 'other file' },
  kindOfTokenizer: message((kind: string, n: number) => ({ kind, n }),
    `tokenizer ({ $kind }), ${plural('n', { one: '1 token', other: '# tokens' })}`),
  kindOfWeights: message((n: number) => ({ n }), plural('n', { one: '1 tensor', other: '# tensors' })),
  used: message((count: number, megabytes: string) => ({ count, megabytes }),
    `${plural('count', { one: '1 parameter', other: '# parameters' })}, { $megabytes } MB`),
  sizes: message((layers: number, heads: number, width: number, vocabulary: number) =>
    ({ layers, heads, width, vocabulary }),
    `${plural('layers', { one: '1 layer', other: '# layers' })}, ${
      plural('heads', { one: '1 head', other: '# heads' })}`
    + `, width { $width }, ${plural('vocabulary', { one: '1 token', other: '# tokens' })}`),
  sizesOfClasses: message((layers: number, heads: number, width: number, classes: number) =>
    ({ layers, heads, width, classes }),
    `${plural('layers', { one: '1 layer', other: '# layers' })}, ${
      plural('heads', { one: '1 head', other: '# heads' })}`
    + `, width { $width }, ${plural('classes', { one: '1 class', other: '# classes' })}`),
  looking: 'Reading the headers …',
  reading: message((done: string, all: string) => ({ done, all }), 'Read { $done } of { $all } MB'),
  ready: 'All weights are read.',
  cancel: 'Cancel',
  cancelled: 'Cancelled. Nothing was changed.',
  open: 'Open the model',
  opening: 'Opening …',
  save: 'Save as a document',
  saved: message((document: string, weights: string) => ({ document, weights }),
    'Saved { $document } and { $weights }. Keep both in one folder. Give “attend run” the first file; drop both files '
      + 'together to open them on this page.'),
  question: message((says: string) => ({ says }), 'What is the { $says }?'),
  questionWhy: 'Neither the shapes of the tensors nor a config.json gives the answer. Choose one, or add the '
    + 'config.json.',
  assumedHeads: message((n: number) => ({ n }),
    `Assumed: ${plural('n', { one: '1 head', other: '# heads' })}. No file gives the number.`),
  assumedActivation: message((name: string) => ({ name }), 'Assumed: the activation is { $name }. No file names it.'),
  assumedSize: message((says: string, value: string) => ({ says, value }),
    'Assumed: the { $says } is { $value }. No file gives it.'),
  change: 'Choose another value',
  likely: message((n: number, width: number, model: 'usual' | 'narrow') => ({ n, width, model }),
    `A guess: ${plural('n', { one: '1 head', other: '# heads' })}, each { $width } wide, ${either('model', {
      usual: 'because most models of this width have heads 64 wide.', narrow: 'because narrow models often have about '
        + 'four heads.' })} Every choice fits the shapes, but a wrong one gives wrong maps and wrong words.`),
  answer: 'Use this answer',
  heads: message((n: number, width: number) => ({ n, width }), '{ $n } (heads { $width } wide)'),
  tensors: 'Tensors',
  inFile: 'In the file',
  shape: 'Shape',
  usedAs: 'Used as',
  leftOver: 'left over',
  ignored: 'holds no weights',
  tiedTo: message((to: string) => ({ to }), 'tied to { $to }'),
  absent: 'absent',
  more: message((n: number) => ({ n }), plural('n', { one: 'and 1 more', other: 'and # more' })),
  showAll: message((n: number) => ({ n }), plural('n', { one: 'Show 1 tensor', other: 'Show all # tensors' })),
  counts: message((found: number, tied: number, left: number) => ({ found, tied, left }),
    '{ $found } found, 0 missing, { $tied } tied, { $left } left over.'),
  tokenizerLeft: 'The model’s tokenizer cannot be used here or is too large, so enter token numbers '
    + 'instead of words.',
  passedOver: 'not used: another file has the weights',
  noTokenizer: 'There is no tokenizer among the files, so enter token numbers instead of words.',
  assumed: 'No preprocessor_config.json gives the mean of the colours, so mean and standard deviation are set to '
    + '0.5, as in most ViTs.',
  classes: 'What the model sees',
  classNumber: message((n: number) => ({ n }), 'class { $n }'),
  ofClasses: message((shown: string, n: number) => ({ shown, n }),
    `The { $shown } likeliest of ${plural('n', { one: '1 class', other: '# classes' })}, with their probabilities.`),
  cannot: 'This model cannot be opened yet',
  tooLarge: message((numbers: number, megabytes: string, most: string) => ({ numbers, megabytes, most }),
    'The model has { $numbers } parameters, { $megabytes } MB. The page holds at most { $most } MB at once, because '
      + 'the browser gives the engine 2 GB. “attend import” opens larger models.'),
  small: message((megabytes: string) => ({ megabytes }), 'Use int8 weights: { $megabytes } MB'),
  smallWhy: 'The entries of large matrices become whole numbers from −127 to 127, with one scale for each column. '
    + 'Results change a little.',
  died: 'The part of the page that reads models stopped, most likely because the browser ran out of memory. '
    + 'Close other tabs, then choose the files again.',
  unloaded: 'The part of the page that reads models could not be loaded. Check your connection, then choose '
    + 'the files again.',
  convert: 'These lines convert the file if PyTorch is installed. They run no code from it:',
  copy: 'Copy these lines',
  copied: 'Copied',
  neverRun: 'The page never runs such a file. Do not open it elsewhere; look for a safetensors file of the model.',
  text: 'The text that the model reads',
  typeText: 'Type a text',
  ids: 'Token numbers',
  typeSource: 'Type the text that the encoder reads',
  sourceNote: 'If you change it, the text below begins again.',
  typeTarget: 'Type the text that the decoder writes',
  targetNote: 'The model writes this text, and you can type it yourself (teacher forcing). In a map of '
    + 'cross-attention, the row of a token shows what the model attends to while it predicts the next token.',
  writeToEnd: 'Write to the end',
  beginAgain: 'Begin again',
  typeIds: 'Token numbers, with spaces between them',
  badIds: message((most: number) => ({ most }), 'Enter whole numbers from 0 to { $most }, with spaces between them.'),
  count: message((n: number, most: number) => ({ n, most }),
    `${plural('n', { one: '1 token', other: '# tokens' })} of at most { $most }`),
  countOnly: message((n: number) => ({ n }), plural('n', { one: '1 token', other: '# tokens' })),
  broken: 'Each “\uFFFD” marks bytes that form no whole character, so it cannot be typed. Change only the text '
    + 'after the last one, or delete all of them; until then, the previous text is shown.',
  tooLong: message((n: number, most: number) => ({ n, most }),
    `This text has ${plural('n', { one: '1 token', other: '# tokens' })}. The model reads at most { $most }. `
      + 'Shorten it; until then, the previous text is shown.'),
  next: 'Next words',
  nextFor: message((n: number) => ({ n }), 'Words that fit at token { $n }'),
  before: message((value: string) => ({ value }), 'before: { $value }'),
  entered: 'new in the list',
  beforeWhy: 'The second number and the line on the bar are the probability after the same text before your last '
    + 'change.',
  beforeWhyClasses: 'The second number and the line on the bar are the probability for the same picture before your '
    + 'last change.',
  gone: message((tokens: string[]) => ({ tokens }), 'No longer in the list: { $tokens }.'),
  goneOne: message((token: string, value: string) => ({ token, value }), '“{ $token }” (before: { $value })'),
  ask: 'Compute the next words',
  write: 'Write one word',
  writeMany: message((n: number) => ({ n }), 'Write { $n } tokens'),
  stop: 'Stop',
  append: message((token: string) => ({ token }), 'Add “{ $token }” to the text'),
  fill: message((token: string) => ({ token }), 'Put “{ $token }” here instead of the mask'),
  ended: 'The model ends its text here.',
  full: message((n: number) => ({ n }), 'The model reads at most { $n } tokens: the text is full.'),
  took: message((milliseconds: string, rows: number) => ({ milliseconds, rows }),
    `{ $milliseconds } ms for ${plural('rows', { one: '1 row', other: '# rows' })}`),
  keeps: message((kilobytes: string) => ({ kilobytes }), 'keys and values of earlier words: { $kilobytes } KB'),
  whole: 'The whole text is computed again for each word.',
  temperature: 'Temperature',
  topK: 'Top-k',
  topP: 'Top-p',
  seed: 'Seed',
  all: 'all',
  greedy: 'Temperature 0 always chooses the likeliest token.',
  activations: 'int8 activations',
  activationsWhy: 'Each activation that is multiplied by int8 weights is rounded to one of 128 values between the '
    + 'smallest and the largest number of its row. This is faster, but the words may change.',
  activationsDiffer: message((most: string, likeliest: 'same' | 'other') => ({ most, likeliest }),
    `The probabilities in the list differ by at most { $most } from those without int8 activations; ${
      either('likeliest', { same: 'the likeliest word is the same.',
        other: 'the likeliest word is a different one.' })}`),
  mask: 'Write [MASK] in the text: the model fills it in.',
  loading: 'Loading the model’s tokenizer …',
} as const;

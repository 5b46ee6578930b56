// SPDX-License-Identifier: Apache-2.0
import { either, message, plural } from '../../strings/message.ts';

/** The words of figures for a paper, in English. */
export const words = {
  figure: 'Size and titles',
  title: 'Title of the figure',
  none: 'no title',
  width: 'Width in centimetres',
  asDrawn: 'as drawn',
  type: 'Text in points',
  oneScale: 'One scale for all',
  sides: 'Sides of the comparison', bothSides: 'A and B',
  onlySide: message((side: string) => ({ side }), 'Only { $side }'),
  compared: 'Compared maps', ofDocument: 'Matrices of the document',
  panel: message((name: string) => ({ name }), 'Title of “{ $name }”'),
  sized: message((width: string, height: string, type: string, pixels: string) => ({ width, height, type, pixels }),
    '{ $width } × { $height } cm. The text has a size of { $type } pt. The PNG is { $pixels } pixels wide, 300 per '
      + 'inch.'),
  smallest: message((type: string) => ({ type }), 'The smallest text has a size of { $type } pt.'),
  tooNarrow: 'There is no room for the names at this width. Make the figure wider or the text smaller.',
  lettering: 'Text of the SVG', outlines: 'as outlines', text: 'as text',
  outlinesNote: 'Outlines look the same in every program, even where the font of this page is missing.',
  textNote: 'Text can be selected and searched. A browser shows it in the font of this page, which the file contains. '
    + 'Other programs use their own font; in some of them the widths differ.',
  pdfNote: 'For a PDF, open the SVG in a browser and print it into a file.',
  savedAs: message((name: string) => ({ name }), 'Saved as “{ $name }”.'),
  madeBy: message((program: string) => ({ program }), 'Computed by { $program }.'),
  seedIs: message((seed: number) => ({ seed: String(seed) }), 'Random seed: { $seed }.'),
  sourceOpens: 'The source is the link that opens the document.',
  dataTitle: 'Your data',
  data: ['Your browser computes everything. Your words, numbers and models are sent nowhere.',
    'Stored on your computer: models that you open, training runs, trained weights, and settings.',
    'To delete them, clear the data of this site in your browser.',
    'The document of a link is behind the #. Browsers do not send that part to a server.',
    'After the first visit the page works offline; large models work offline once they are loaded.'],
  citeTitle: 'To cite this page:',
  cite: message((name: string, version: string) => ({ name, version }), '{ $name }, version { $version }.'),
  licence: message((id: string) => ({ id }), 'Licence: { $id }'),
  leftOut: message((list: readonly string[]) => ({ list, n: list.length }),
    `The file lacks { $list }: ${plural('n', { one: 'it is', other: 'they are' })} too large for one file.`),
  missed: message((list: readonly string[], why: string) => ({ list, why }),
    `The file lacks { $list }: ${either('why', { crashed: 'the engine crashed',
      unloaded: 'the engine could not be loaded', stopped: 'the computation was stopped' })}. Save it again to try `
      + 'once more.'),
  bounds: message((least: string, most: string) => ({ least, most }), 'Enter a number from { $least } to { $most }.'),
};

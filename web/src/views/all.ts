// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import type { Typed } from '../directory/typed.ts';
import { alike } from './alike.ts';
import { bars } from './bars.ts';
import { classes } from './classes.ts';
import { distance } from './distance.ts';
import { gathers } from './gathers.ts';
import { grid } from './grid.ts';
import { lineChart } from './line-chart.ts';
import { lines } from './lines.ts';
import { matrix } from './matrix.ts';
import { picture } from './picture.ts';
import { reach } from './reach.ts';
import { states } from './states.ts';
import { table } from './table.ts';
import { text } from './text.ts';
import { timeline } from './timeline.ts';
import type { View } from './view.ts';

/** Every view; of those that accept a tensor the first is how it is drawn unless the reader chooses another. */
export const views: readonly View[] =
  [classes, gathers, picture, lineChart, timeline, bars, matrix, lines, text, grid, reach, distance, alike, states,
    table];

export const viewsFor = (typed: Typed, shape: readonly number[]): View[] =>
  views.filter((view) => view.accepts(typed, shape));

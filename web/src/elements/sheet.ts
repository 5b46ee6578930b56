// SPDX-License-Identifier: Apache-2.0
// How large a figure is on paper.

/** A figure of a paper: its width, and the size of the text of its labels. */
export interface Sheet {
  centimetres: number;
  points: number;
}

export const CENTIMETRES = [3, 60] as const;
export const POINTS = [4, 24] as const;
/** What journals ask for: text is read at this size beside the paper's own. */
export const USUAL_POINTS = 8;
const PER_INCH = 300;
const [CM, PT] = [2.54, 72];

/** The size of the text of labels in the units of a figure. */
export const LABEL = 12;

/** How many units of a figure are as wide as the paper: so many that its labels have their size. */
export const unitsOf = ({ centimetres, points }: Sheet): number => ((centimetres / CM) * PT * LABEL) / points;

/** How many pixels that is at the resolution of print. */
export const pixelsOf = ({ centimetres }: Pick<Sheet, 'centimetres'>): number =>
  Math.round((centimetres / CM) * PER_INCH);

/** The size of text of a figure that is so many units wide. */
export const pointsOf = (size: number, units: number, { centimetres }: Pick<Sheet, 'centimetres'>): number =>
  (size * (centimetres / CM) * PT) / units;

/** How many pixels a metre has at the resolution of print. */
export const PER_METRE = Math.round(PER_INCH / (CM / 100));

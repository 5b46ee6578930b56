// SPDX-License-Identifier: Apache-2.0
// How large the small maps are, so that all heads of a layer fit into its row.

export interface Fit {
  /** The side of a small map in pixels. */
  side: number;
  /** The list of measures is above the maps, because there is no room for both side by side. */
  stacked: boolean;
}

// What the styles give to the list of measures, to the name of a layer, and around a map.
const FINDER = 228;
const NAME = 68;
const AROUND = 16;
const SMALLEST = 40;
const LARGEST = 72;
// Below this width the styles put the list above the maps.
const NARROW = 640;

/** The size of maps of so many heads in a row, for a part of the page of this width. */
export function fitOf(across: number, room: number): Fit {
  const within = (width: number): number =>
    Math.min(LARGEST, Math.floor((width - NAME) / Math.max(1, across)) - AROUND);
  const side = within(room - FINDER);
  if (room > NARROW && side >= SMALLEST) return { side, stacked: false };
  // Where even the smallest maps do not fit, a row goes on in the next line.
  return { side: Math.max(SMALLEST, within(room)), stacked: true };
}

// SPDX-License-Identifier: Apache-2.0

/** A drawing as plain shapes, so that the SVG and the PNG cannot differ. */
export type Shape =
  | { kind: 'rect'; x: number; y: number; w: number; h: number; fill?: string; line?: string }
  | { kind: 'line'; x1: number; y1: number; x2: number; y2: number; line: string }
  | { kind: 'path'; points: readonly (readonly [x: number, y: number])[]; line: string; wide: number; dashed?: boolean }
  | { kind: 'text'; x: number; y: number; text: string; size: number; fill: string; at: 'start' | 'middle' | 'end';
  bold?: boolean; turn?: number };

/** What made a figure; files hold it beside the picture. */
export interface About {
  description: string;
  /** The name and version of this program. */
  software: string;
  /** The address that opens the document. */
  source?: string | undefined;
}

export interface Drawing {
  title: string;
  width: number;
  height: number;
  shapes: Shape[];
  /** How wide it is on paper, where that is said. */
  centimetres?: number;
  about?: About | undefined;
}

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

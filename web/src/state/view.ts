// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals-core';
import { cells } from './cells.ts';
import type { Notice } from './notice.ts';

/** The ways of looking at weights, in the order in which they are offered. */
export const WAYS = ['matrix', 'lines', 'text', 'table'] as const;
export type Way = (typeof WAYS)[number];
export type Theme = 'light' | 'dark';
export type Place = 'look' | 'train' | 'compare';

interface Shown {
  /** Which of the page's places the reader is at. */
  place: Place;
  /** How weights are drawn. */
  view: Way;
  /** The stage that the reader stepped to. */
  stage: string | undefined;
  /** The tensor whose table is open. */
  table: string | undefined;
  /** The tensor that is drawn as large as there is room. */
  large: string | undefined;
  /** Where the walk through the named steps has come to. */
  walk: number | undefined;
  /** Of several modules the one that is drawn large. */
  module: string | undefined;
  /** The control that somebody was sent to. */
  control: { path: string } | undefined;
  /** The controls change the same part of all layers of a model at once. */
  together: boolean;
  /** What the page has to say, sentence by sentence. */
  notice: readonly Notice[];
  lesson: string | undefined;
  /** Beside the weights of a trained model stands what they were computed from. */
  how: boolean;
  /** The note beside the map that is pointed at. */
  noted: number | undefined;
  /** Where forms are compared: so many drawn words in place of the document's own. */
  many: number | undefined;
  /** The system that the document is compared with, part by part. */
  beside: string | undefined;
  /** Another object for each document that the reader chose to open, whose beginning is to be seen. */
  opened: object | undefined;
}

const BEGIN: Shown = {
  place: 'look', view: 'matrix', stage: undefined, table: undefined, large: undefined, walk: undefined,
  module: undefined, control: undefined, together: false, notice: [], lesson: undefined, how: false, noted: undefined,
  many: undefined, beside: undefined, opened: undefined,
};

/** How things are shown, and what the page says about itself: no part of the document. `show` changes it. */
export class View extends cells(BEGIN) {
  private readonly colours = signal<Theme>('light');
  private readonly spoken = signal(0);
  private readonly own = signal<string | undefined>(undefined);

  get theme(): Theme {
    return this.colours.value;
  }

  /** Grows when the words of the page are other ones: whoever shows words reads it. */
  get words(): number {
    return this.spoken.value;
  }

  /** The language of this element. */
  get tongue(): string | undefined {
    return this.own.value;
  }

  set tongue(language: string | undefined) {
    this.own.value = language;
  }

  show(what: Partial<Shown>): void {
    this.change(what);
  }

  paintIn(theme: Theme): void {
    this.colours.value = theme;
  }

  reword(): void {
    this.spoken.value = this.spoken.peek() + 1;
  }
}

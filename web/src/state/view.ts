// SPDX-License-Identifier: Apache-2.0
import { batch, untracked } from '@preact/signals-core';
import { cell } from './cells.ts';
import type { Way } from './link-view.ts';
import type { Notice } from './notice.ts';

export type Theme = 'light' | 'dark';
export type Place = 'look' | 'train' | 'compare';

/** How things are shown, and what the page says about itself: no part of the document. `show` changes it. */
export class View {
  /** Which of the page's places the reader is at. */
  @cell place: Place = 'look';
  /** How weights are drawn. */
  @cell view: Way = 'matrix';
  /** The stage that the reader stepped to. */
  @cell stage: string | undefined;
  /** The tensor whose table is open. */
  @cell table: string | undefined;
  /** The tensor that is drawn as large as there is room. */
  @cell large: string | undefined;
  /** Where the walk through the named steps has come to. */
  @cell walk: number | undefined;
  /** Of several modules the one that is drawn large. */
  @cell module: string | undefined;
  /** The control that somebody was sent to. */
  @cell control: { path: string } | undefined;
  /** The controls change the same part of all layers of a model at once. */
  @cell together = false;
  /** What the page has to say, sentence by sentence. */
  @cell notice: readonly Notice[] = [];
  @cell lesson: string | undefined;
  /** Grows with each lesson that a reader asks for, which may be the one under way. */
  @cell lessonsAsked = 0;
  /** Beside the weights of a trained model stands what they were computed from. */
  @cell how = false;
  /** The note beside the map that is pointed at. */
  @cell noted: number | undefined;
  /** Where forms are compared: so many drawn words in place of the document's own. */
  @cell many: number | undefined;
  /** The system that the document is compared with, part by part. */
  @cell beside: string | undefined;
  /** Another object for each document that the reader chose to open, whose beginning is to be seen. */
  @cell opened: object | undefined;
  @cell theme: Theme = 'light';
  /** Grows when the words of the page are other ones: whoever shows words reads it. */
  @cell words = 0;
  /** The language of this element. */
  @cell tongue: string | undefined;

  show(what: Partial<Omit<View, 'show' | 'teach' | 'theme' | 'words' | 'tongue' | 'paintIn' | 'reword'>>): void {
    batch(() => Object.assign(this, what));
  }

  /** Opens a lesson, wherever the reader asked for it. */
  teach(lesson: string): void {
    this.show({ lesson, lessonsAsked: untracked(() => this.lessonsAsked) + 1 });
  }

  paintIn(theme: Theme): void {
    this.theme = theme;
  }

  reword(): void {
    this.words = untracked(() => this.words) + 1;
  }
}

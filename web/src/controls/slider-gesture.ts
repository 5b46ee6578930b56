// SPDX-License-Identifier: Apache-2.0
import { noChange } from 'lit';
import { Directive, directive, type ElementPart } from 'lit/directive.js';
import type { Documents } from '../state/documents.ts';

/**
 * `<input type="range" ${slid(documents)}>` says when a gesture of this slider is over: when the pointer lets go of it,
 * or the focus leaves it. A key that is held, or pressed several times, tells no end, so the gesture only pauses.
 */
class Slid extends Directive {
  private documents: Documents | undefined;
  private keyed = false;

  render(_documents: Documents): unknown {
    return noChange;
  }

  override update(part: ElementPart, [documents]: [Documents]): unknown {
    if (!this.documents) this.listen(part.element);
    this.documents = documents;
    return noChange;
  }

  private listen(slider: Element): void {
    slider.addEventListener('keydown', () => (this.keyed = true));
    slider.addEventListener('pointerdown', () => (this.keyed = false));
    slider.addEventListener('change', () =>
      (this.keyed ? this.documents?.pauseGesture() : this.documents?.endGesture()));
    slider.addEventListener('blur', () => this.documents?.endGesture());
  }
}

export const slid = directive(Slid);

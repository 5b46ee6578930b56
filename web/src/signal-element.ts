// SPDX-License-Identifier: Apache-2.0
import { effect } from '@preact/signals-core';
import { LitElement, type PropertyDeclaration } from 'lit';
import { working } from './performance-marks.ts';
import { speaking } from './strings/live.ts';

/** A member of an element that an attribute may set, too. (Lit's own decorator also has the code of a newer form.) */
export const property = (options?: PropertyDeclaration) => (owner: LitElement, name: string): void =>
  (owner.constructor as typeof LitElement).createProperty(name, options);

/** A member of an element that is no attribute; when it changes, the element is drawn again. */
export const reactive = property({ attribute: false });

/** An element that draws itself anew when a signal that it read while drawing says something else. */
export class Watching extends LitElement {
  private stopWatching: (() => void) | undefined;

  protected override performUpdate(): void {
    // Lit asks once too often where an update was already made.
    if (!this.isUpdatePending) return;
    this.stopWatching?.();
    this.stopWatching = undefined;
    const update = () => working(() => speaking(this.tongue, () => super.performUpdate()));
    // Whoever has left the page since it was to be drawn watches nothing: nobody would ever end that, and each change
    // would go on drawing what is not there.
    if (!this.isConnected) return update();
    let first = true;
    this.stopWatching = effect(() => {
      if (first) update();
      else this.requestUpdate();
      first = false;
    });
  }

  /** The language that it speaks, where that is not the page's. */
  protected get tongue(): string | undefined {
    return undefined;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // What was missed while it was away.
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopWatching?.();
    this.stopWatching = undefined;
  }
}

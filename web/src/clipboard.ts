// SPDX-License-Identifier: Apache-2.0
import type { LitElement } from 'lit';

/** So long an element says that a text was copied, in milliseconds. */
const SAID = 2000;

/** Copies texts for an element, and draws it again when one was copied or refused. */
export class Clipboard {
  /** The name of the text that was copied last, as long as the element says so. */
  copied: string | undefined;
  /** The name of the text that the browser did not copy. */
  refused: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: LitElement) {}

  /** `field`: selects the field that has the text; where the browser refuses, the text is marked there. */
  async copy(text: string, field: string, name = field): Promise<void> {
    this.forget();
    try {
      await navigator.clipboard.writeText(text);
      this.copied = name;
      this.timer = setTimeout(() => this.forget(), SAID);
      this.host.requestUpdate();
    } catch {
      this.refused = name;
      this.host.requestUpdate();
      await this.host.updateComplete;
      const found = this.host.renderRoot.querySelector<HTMLElement>(field);
      found?.focus();
      if (found && 'select' in found) (found as HTMLInputElement).select();
      else if (found) getSelection()?.selectAllChildren(found);
    }
  }

  /** Nothing is said of an earlier copy any more. */
  forget(): void {
    clearTimeout(this.timer);
    this.copied = this.refused = undefined;
    this.host.requestUpdate();
  }
}

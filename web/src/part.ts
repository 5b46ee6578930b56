// SPDX-License-Identifier: Apache-2.0
import { LitElement } from 'lit';
import type { Store } from './state/store.ts';

/** A piece of the page: it draws itself anew whenever the store has changed. */
export class Part extends LitElement {
  static override properties: Record<string, object> = { store: { attribute: false } };
  declare store: Store;
  private listening: Store | undefined;
  private readonly redraw = () => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    this.listen();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.listening?.removeEventListener('change', this.redraw);
    this.listening = undefined;
  }

  override willUpdate(_changed: Map<PropertyKey, unknown>): void {
    this.listen();
  }

  override shouldUpdate(): boolean {
    return this.store !== undefined;
  }

  private listen(): void {
    if (this.listening === this.store || !this.isConnected) return;
    this.listening?.removeEventListener('change', this.redraw);
    this.listening = this.store;
    this.listening?.addEventListener('change', this.redraw);
  }
}

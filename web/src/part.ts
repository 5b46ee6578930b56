// SPDX-License-Identifier: Apache-2.0
import { LitElement } from 'lit';
import type { Store } from './state/store.ts';

/** A piece of the page: it draws itself anew whenever the store has changed. */
export class Part extends LitElement {
  static override properties: Record<string, object> = { store: { attribute: false } };
  declare store: Store;
  private listening: Store | undefined;
  /** Shows nothing but numbers: waits for them where only the document has changed. */
  protected readonly patient: boolean = false;
  private readonly redraw = (event: Event) => {
    if ((event as CustomEvent<boolean>).detail === true && this.patient) this.waits();
    else this.requestUpdate();
  };

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

  /** Called where a patient part does not draw itself yet. */
  protected waits(): void {
    return;
  }

  private listen(): void {
    if (this.listening === this.store || !this.isConnected) return;
    this.listening?.removeEventListener('change', this.redraw);
    this.listening = this.store;
    this.listening?.addEventListener('change', this.redraw);
  }
}

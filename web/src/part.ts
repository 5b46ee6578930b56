// SPDX-License-Identifier: Apache-2.0
import { ContextConsumer, createContext } from '@lit/context';
import type { CSSResultGroup, CSSResultOrNative } from 'lit';
import type { Store } from './state/store.ts';
import type { Theme } from './state/view.ts';
import { base, fields } from './styles/tokens.ts';
import { property, reactive, Watching } from './signal-element.ts';
import { crowded, inTurn, rank, type Rank } from './turns.ts';

/** The page's state, given by `<attention-playground>` to every part below it. */
export const page = createContext<Store>('attention-playground');

export { property, reactive };

/** A piece of the page: it draws itself anew when something changes that it shows. */
export class Part extends Watching {
  /** The styles below a part's own `styles`. */
  protected static ground: CSSResultGroup = [base, fields];
  private pageState: Store | undefined;
  private consumer: ContextConsumer<typeof page, this> | undefined;

  protected static override finalizeStyles(styles: CSSResultGroup = []): CSSResultOrNative[] {
    return super.finalizeStyles([this.ground, styles]);
  }

  // A part inside another has the other's state. An event that asks for it passes all elements around, which takes long
  // for hundreds of parts.
  override connectedCallback(): void {
    const { host } = this.getRootNode() as Partial<ShadowRoot>;
    this.pageState = host instanceof Part ? host.pageState : undefined;
    if (!this.pageState)
      this.consumer ??= new ContextConsumer(this, { context: page, callback: (store) => (this.pageState = store) });
    super.connectedCallback();
  }

  /** There from the moment on that the part stands on the page. */
  get store(): Store {
    return this.pageState!;
  }

  protected override get tongue(): string | undefined {
    return this.pageState?.view.tongue;
  }

  protected get theme(): Theme {
    return this.store.view.theme;
  }

  /** It is read rather than seen: it follows a slider or the pointer in the beat of `sessions.reading`. */
  protected get forReading(): boolean {
    return false;
  }

  /** Where a task has no time for all, what is drawn first. */
  protected get rank(): Rank {
    return rank.around;
  }

  // If the engine answers at once, the answer is drawn together with the change, so that the page is laid out once.
  protected override scheduleUpdate(): void | Promise<unknown> {
    const soon = this.hasUpdated ? this.pageState?.sessions.soon : undefined;
    return soon ? soon.then(() => this.inTime()) : this.inTime();
  }

  private inTime(): void | Promise<unknown> {
    const beat = this.hasUpdated && this.forReading ? this.pageState?.sessions.reading.pending : undefined;
    return beat ? beat.then(() => this.inSlice()) : this.inSlice();
  }

  // Where this task has drawn for long, the rest is drawn in the next.
  private inSlice(): void | Promise<unknown> {
    return crowded(this.rank) ? inTurn(() => super.scheduleUpdate(), this.rank) : super.scheduleUpdate();
  }

  // Words of another language draw everything anew.
  override shouldUpdate(): boolean {
    return this.pageState !== undefined && this.store.view.words >= 0;
  }
}

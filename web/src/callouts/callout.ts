// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import type { Doc } from '../engine/types.ts';
import { Part, property } from '../part.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';
import { icons } from '../styles/icons.ts';
import { coarse } from '../coarse-pointer.ts';
import { effect, signal } from '@preact/signals-core';
import { keep, recalled } from '../state/recent-lists.ts';
import { rank, type Rank } from '../turns.ts';

type Hint = 'words' | 'choice';

const KEY = 'attention-playground.tried';

/** What the reader has already tried: such a callout has said its word. */
class Tried {
  private readonly earlier = new Set(recalled(KEY) as Hint[]);
  private readonly done = signal<ReadonlySet<Hint>>(this.earlier);
  private readonly start: Record<Hint, string>;

  constructor(private readonly store: Store) {
    this.start = this.now();
    effect(() => this.watch());
  }

  /** On an earlier visit. */
  before(hint: Hint): boolean {
    return this.earlier.has(hint);
  }

  has(hint: Hint): boolean {
    return this.done.value.has(hint);
  }

  add(hint: Hint): void {
    if (this.done.peek().has(hint)) return;
    this.done.value = new Set([...this.done.peek(), hint]);
    keep(KEY, this.done.peek());
  }

  private now(): Record<Hint, string> {
    const { document } = this.store.documents;
    const { lock } = this.store.selection;
    // A word was pressed, which locks a cell, or typed.
    return { words: JSON.stringify([document.inputs, lock]),
      choice: JSON.stringify([document.mechanism, document['model']]) };
  }

  private watch(): void {
    const now = this.now();
    for (const hint of Object.keys(now) as Hint[]) if (now[hint] !== this.start[hint]) this.add(hint);
  }
}

const all = new WeakMap<Store, Tried>();

/** Begins to watch what the reader tries, from how the page stands now. */
export function watchTried(store: Store): Tried {
  const tried = all.get(store) ?? new Tried(store);
  all.set(store, tried);
  return tried;
}

/** One thing to try, beside where it is tried; gone once it was, or when it is dismissed. */
export class CalloutElement extends Part {
  @property() hint!: Hint;
  /** Points at what lies above it. */
  @property({ type: Boolean }) up!: boolean;
  /** What stood on the page while there was something to try. */
  private begun: Doc | undefined;

  // :host([spent]): What was just tried leaves its room, so that nothing moves under the pointer.
  static override styles = css`
    :host { display: block; }
    :host([gone]) { display: none; }
    :host([spent]) { visibility: hidden; }
    .callout {
      position: relative; display: inline-flex; align-items: center; gap: var(--space-2); max-width: 100%;
      padding-block: var(--space-2);
        padding-inline: var(--space-6) var(--space-1); border-radius: var(--radius);
      background: var(--ink); color: var(--background); font-size: var(--text); line-height: var(--leading);
    }
    .callout::after { content: ''; position: absolute; inset-inline-start: 24px; bottom: -5px; width: 10px;
    height: 10px; background: var(--ink); transform: rotate(45deg); }
    .up::after { bottom: auto; top: -5px; }
    span { position: relative; z-index: 1; }
    button { display: grid; place-items: center; min-width: var(--press);
      height: var(--press); border-radius: var(--radius); z-index: 1; flex: none; }
    button:focus-visible { outline-color: var(--background); outline-offset: -3px; }
    svg { width: 14px; height: 14px; }
  `;

  // It makes room above the picture, which would move if it came later.
  protected override get rank(): Rank {
    return rank.picture;
  }

  override render(): unknown {
    const tried = all.get(this.store);
    const { base } = this.store.documents;
    const spent = tried?.has(this.hint) ?? true;
    if (!spent) this.begun = base;
    // With another document everything is in another place: nothing is left to keep.
    const gone = !tried || tried.before(this.hint) || (spent && this.begun !== base);
    this.toggleAttribute('gone', gone);
    this.toggleAttribute('spent', !gone && spent);
    if (gone) return nothing;
    const text = coarse.matches ? strings.calloutsTouch : strings.callouts;
    return html`<div class="callout ${this.up ? 'up' : ''}" role="note"><span>${text[this.hint]}</span>
      <button aria-label=${strings.dismissHint} @click=${() => tried.add(this.hint)}>${icons.close}</button></div>`;
  }
}
customElements.define('ap-callout', CalloutElement);

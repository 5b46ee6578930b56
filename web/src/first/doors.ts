// SPDX-License-Identifier: Apache-2.0
import pictures from 'virtual:doors';
import { css, html } from 'lit';
import type { DialogName } from '../dialog/list.ts';
import '../elements/heat-element.ts';
import { read, type Thumbnail } from '../elements/thumbnail.ts';
import { Part } from '../part.ts';
import { strings } from '../strings/en.ts';
import { type Door, DOORS } from './questions.ts';
import { rank, type Rank } from '../turns.ts';

const WIDE = 54;
const HALF = 25;
const STRIP = 16;

/** Below the first picture: questions, each with what its lesson computes. */
export class DoorsElement extends Part {
  static override styles = css`
    :host { display: block; border-top: 1px solid var(--line); padding: var(--space-6) 0 var(--space-10);
      container-type: inline-size; }
    .head { display: flex; justify-content: space-between; align-items: baseline; }
    ul { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: var(--space-2) var(--space-8);
      margin-top: var(--space-3); }
    @container (max-width: 640px) { ul { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
    @container (max-width: 430px) { ul { grid-template-columns: minmax(0, 1fr); } }
    li button { display: flex; gap: var(--space-6); align-items: center; width: 100%; min-height: 68px;
      padding: var(--space-3); margin-inline-start: calc(-1 * var(--space-3)); border-radius: var(--radius-large);
      text-align: start; }
    li button:hover { background: var(--hover); }
    b { display: block; font-size: var(--text-read); line-height: var(--leading-read); font-weight: 600; }
    .note { display: block; }
    .picture { flex: none; width: ${WIDE}px; display: flex; flex-wrap: wrap; gap: var(--space-2);
      justify-content: center; }
    .page { border: 1px solid var(--line2); border-radius: var(--radius); padding: var(--space-2); }
    .head .link { min-height: var(--press); }
  `;

  // They stand above the rest of the picture, which would move if they came later.
  protected override get rank(): Rank {
    return rank.picture;
  }

  override render(): unknown {
    const { ask, all } = strings.story;
    return html`<div class="head"><h2>${ask}</h2><button class="link" data-door="all"
        @click=${() => this.open('learn')}>${all}</button></div>
      <ul>${DOORS.map((door) => html`<li><button data-door=${door.id} @click=${() => this.go(door)}>
        <span class="picture ${door.dialog ? 'page' : ''}" aria-hidden="true">${
          this.pictures(door).map((one, _, all) => this.drawn(one, door, all.length))}</span>
        <span><b>${strings.doors[door.id]}</b><span
          class="note">${strings.behind[door.id]}</span></span></button></li>`)}
      </ul>`;
  }

  private drawn(one: Thumbnail, door: Door, count: number): unknown {
    const { rows, cols, kind, domain } = one;
    const w = rows > 1 && count > 1 ? HALF : door.dialog ? WIDE - 24 : WIDE;
    const { plane, mask } = read(one);
    return html`<ap-heat .plane=${plane} .mask=${mask} .kind=${kind} .domain=${domain} .w=${w}
      .h=${rows === 1 ? STRIP : Math.round((w * rows) / cols)}></ap-heat>`;
  }

  private pictures({ id }: Door): readonly Thumbnail[] {
    return pictures[id] ?? [];
  }

  private go({ lesson, dialog, place }: Door): void {
    if (lesson !== undefined) this.store.view.teach(lesson);
    else if (dialog) this.open(dialog);
    else this.dispatchEvent(new CustomEvent('place', { detail: place, bubbles: true, composed: true }));
  }

  private open(dialog: DialogName): void {
    this.dispatchEvent(new CustomEvent('dialog', { detail: dialog, bubbles: true, composed: true }));
  }
}
customElements.define('ap-doors', DoorsElement);

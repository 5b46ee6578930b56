// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { Clipboard } from '../clipboard.ts';
import { Part, reactive } from '../part.ts';
import { MOST_CARRIED } from '../state/local-weights.ts';
import { strings } from '../strings/en.ts';
import { digits, whole } from '../strings/numerals.ts';
import { save } from '../state/save.ts';
import { savedName } from '../take/saved-name.ts';
import { type Carried, fileOf, linkTo } from './carried.ts';
import type { Course } from './course.ts';
import { words } from './words.ts';

interface Found {
  carried: Carried;
  /** Undefined where no moment can leave the browser. */
  taken: { file: string; link: ReturnType<typeof linkTo> } | undefined;
}

/** Takes the lecture home as a file or a link, and says how large both are and what they leave out. */
export class LectureCarryElement extends Part {
  @reactive course!: Course;
  /** Nothing is computed before the reader presses the button: it needs the worker and takes time. */
  @reactive found: Found | 'checking' | 'failed' | undefined;
  private readonly clipboard = new Clipboard(this);

  static override styles = css`
    :host { display: grid; gap: var(--space-4); padding-top: var(--space-5); border-top: 1px solid var(--line); }
    .row { display: flex; flex-wrap: wrap; gap: var(--space-4); }
    input { width: 100%; }
  `;

  private async look(): Promise<void> {
    await this.turn('checking');
    try {
      const carried = await this.course.carried();
      await this.turn({ carried, taken: carried.moments.length === 0 ? undefined
        : { file: fileOf(carried), link: linkTo(carried) } });
    } catch {
      await this.turn('failed');
    }
  }

  // The pressed button goes, and the keys of the lecture need a focus inside it.
  private async turn(found: Found | 'checking' | 'failed'): Promise<void> {
    const held = this.shadowRoot?.activeElement;
    this.found = found;
    await this.updateComplete;
    if (held) this.renderRoot.querySelector<HTMLElement>('[tabindex], button')?.focus();
  }

  private address(link: string): string {
    const page = new URL(location.href);
    page.hash = link;
    return page.href;
  }

  override render(): unknown {
    const say = words();
    const { found } = this;
    if (found === undefined) return html`<div class="row"><button class="button" data-part="take-home"
      @click=${() => void this.look()}>${say.takeHome}</button></div>`;
    if (found === 'checking') return html`<p class="note" role="status" tabindex="-1">${strings.sharing.checking}</p>`;
    if (found === 'failed') return html`<p class="error" role="alert" tabindex="-1">${say.notCarried}</p>`;
    const { carried: { moments, lacks, files }, taken } = found;
    if (!taken) return html`<p class="note" data-part="lacks" tabindex="-1">${say.lacks(lacks)}</p>`;
    const { file, link } = taken;
    const kilobytes = whole(Math.max(1, Math.round(new TextEncoder().encode(file).length / 1000)));
    const address = 'link' in link ? this.address(link.link) : undefined;
    return html`<h3>${say.takeHome}</h3>
      <p class="note" data-part="sizes">${say.fileSize(kilobytes, moments.length, files.size)} ${'link' in link
        ? say.linkSize(whole(address!.length)) : say.noLink(whole(link.letters), whole(MOST_CARRIED))} ${
        'link' in link && link.rounding > 0 ? say.rounded(digits(link.rounding, 2)) : nothing}</p>
      ${lacks.length > 0 ? html`<p class="note" data-part="lacks">${say.lacks(lacks)}</p>` : nothing}
      <div class="row"><button class="button" data-part="save-lecture" @click=${() => this.keep(file)}>${
        say.saveFile}</button>${address === undefined ? nothing : html`<button class="button" data-part="copy-lecture"
        @click=${() => void this.clipboard.copy(address, 'input')}>${this.clipboard.copied ? strings.sharing.copied
          : say.copyLink}</button>`}</div>
      ${this.clipboard.refused && address !== undefined ? html`<input type="text" dir="ltr" readonly
        aria-label=${say.copyLink} .value=${address} @focus=${(e: Event) =>
        (e.target as HTMLInputElement).select()} />` : nothing}
      <span class="unseen" role="status">${this.clipboard.copied ? strings.sharing.copied : ''}</span>`;
  }

  private keep(file: string): void {
    save(new Blob([file], { type: 'application/json' }), savedName(this, 'json', words().title));
  }
}
customElements.define('ap-lecture-carry', LectureCarryElement);

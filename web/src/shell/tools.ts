// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import type { DialogName } from '../dialog/list.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';
import { icons } from '../styles/icons.ts';
import '../first/doors.ts';
import { isFirst } from '../first/first.ts';
import { invitation } from '../real/encoder-places.ts';
import type { Place } from '../state/view.ts';
import { direction } from '../strings/language.ts';
import { lectures, places } from '../places/places.ts';
import { sentenceOf, type Size } from './summary.ts';

export { encoderNow } from '../real/encoder-places.ts';

/** What the tools ask of the page. */
interface Actions {
  open(what: DialogName): void;
  visit(place: Place): void;
  show(tab: 'mechanism' | 'inputs'): void;
  dye(theme: 'light' | 'dark'): void;
}

const DIALOGS = ['presets', 'cost', 'learn', 'embed', 'take', 'lecture'] as const;

/** What the narrow header has no room for. */
export function tools(store: Store, theme: 'light' | 'dark', direction: 'ltr' | 'rtl', actions: Actions): unknown {
  const { gallery, cost, learn, embed, take, language, redo, reset } = strings;
  const names = { presets: gallery.open, cost: cost.open, learn: learn.open, embed: embed.open, take: take.open,
    lecture: places().lecture };
  const dark = theme === 'dark';
  return html`<div class="tools">
    ${DIALOGS.map((what) => html`<button class="text" data-dialog=${what}
      ?disabled=${what === 'lecture' && !lectures(store)} @click=${() => actions.open(what)}>${
      icons[what === 'presets' ? 'grid' : what === 'lecture' ? 'large' : what]}${names[what]}</button>`)}
    <ap-language .of=${language}></ap-language>
    <button class="text" ?disabled=${!store.documents.canRedo} @click=${() => store.documents.redo()}>${
      direction === 'rtl' ? icons.undo : icons.redo}${redo}</button>
    <button class="text" @click=${() => store.documents.reset()}>${icons.reset}${reset}</button>
    <button class="text" @click=${() => actions.dye(dark ? 'light' : 'dark')}>${icons.theme}${
      dark ? strings.themeToLight : strings.themeToDark}</button></div>`;
}

/** What is read, where there is no room to set it beside the picture. */
export function readBelow(store: Store, actions: Actions): unknown {
  return html`<button class="summary" data-part="sentence" @click=${() => actions.show('inputs')}><bdi>${
    sentenceOf(store)}</bdi><span class="quiet">${strings.change}</span></button>`;
}

/** Below what the page opens on: questions that lead to lessons, places and dialogs. */
export function questions(store: Store, actions: Actions): unknown {
  return isFirst(store) ? html`<ap-doors slot="doors" dir=${direction()}
    @place=${(e: CustomEvent<Place>) => actions.visit(e.detail)}
    @dialog=${(e: CustomEvent<DialogName>) => actions.open(e.detail)}></ap-doors>${invitation()}` : nothing;
}

/** The lesson under way, which points at parts of the page. */
export function lessonNow(page: HTMLElement & { size: Size; open: boolean }, lesson: string | undefined): unknown {
  if (lesson === undefined) return nothing;
  return html`<ap-lesson .lesson=${lesson} ?small=${page.size !== 'wide' && page.size !== 'medium' && !page.open}
    @point=${({ detail }: CustomEvent<string | undefined>) => {
    if (detail) page.setAttribute('data-point', detail);
    else page.removeAttribute('data-point');
  }}></ap-lesson>`;
}

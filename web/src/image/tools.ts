// SPDX-License-Identifier: Apache-2.0
// The controls beside an image: where it comes from, what lies over it.
import { html, nothing } from 'lit';
import { slid } from '../controls/slider-gesture.ts';
import { naming } from '../directory/naming.ts';
import { HEAD } from '../directory/places.ts';
import { select, selectAt } from '../select.ts';
import { strings } from '../strings/en.ts';
import { headNamed } from '../strings/heads.ts';
import { place } from '../styles/place.ts';
import { filled } from '../styles/slider.ts';
import { DEPENDS } from './depends.ts';
import { COLOURS, type Motif } from './draw.ts';
import { LARGEST_SIDE } from './edit.ts';
import type { ImageElement } from './image.ts';
import { channelsOf, type Size } from './pixels.ts';
import type { Scene } from './scene.ts';
import { words } from './words.ts';

const value = (event: Event): string => (event.target as HTMLInputElement | HTMLSelectElement).value;
const checked = (event: Event): boolean => (event.target as HTMLInputElement).checked;
const TYPES = 'image/*';

export const PAINTS: Readonly<Record<string, readonly [number, number, number]>> = { ...COLOURS, black: [0, 0, 0] };

/** Where the picture comes from. */
export function sources(host: ImageElement, size: Size): unknown {
  const say = words();
  return html`<div class="tools">
      <label>${say.draw} ${select<Motif | undefined>([...(host.drawnNow ? [] : [[undefined, say.notDrawn] as const]),
        ...Object.entries(say.motifs) as [Motif, string][]], host.drawnNow ? host.motif : undefined,
        (motif) => motif && host.draw(motif, host.seed), { part: 'motif' })}</label>
      <button class="button" data-part="another"
        @click=${() => host.draw(host.motif, host.seed + 1)}>${say.another}</button>
      <label class="button">${say.file}<input class="unseen" type="file" accept=${TYPES}
        @change=${(e: Event) => { const file = (e.target as HTMLInputElement).files?.[0];
        if (file) void host.take(file); }} /></label>
      <button class="button" data-part="paint" aria-pressed=${host.paints}
        @click=${() => (host.paints = !host.paints)}>${host.paints ? say.stopPainting : say.paint}</button></div>
    ${host.paints ? html`<div class="tools paints" role="group"
      aria-label=${say.with}>${Object.entries(PAINTS)
      .map(([name, rgb]) => html`<button class="swatch" data-colour=${name}
      aria-label=${say.colours[name] ?? name} title=${say.colours[name] ?? name} aria-pressed=${host.colour === name}
      @click=${() => (host.colour = name)}
      ${place({ background: `rgb(${rgb.map((part) => Math.round(part * 255)).join(' ')})` })}></button>`)}
      <button class="button" data-part="clear" @click=${() => host.clear()}>${say.clear}</button></div>` : nothing}
    ${host.how ? nothing : html`<div class="tools"><label>${say.side} <input type="range" data-part="side"
      min="2" max=${LARGEST_SIDE}
      .value=${String(Math.max(size.height, size.width))}
      ${filled((Math.max(size.height, size.width) - 2) / (LARGEST_SIDE - 2))}
        @change=${(e: Event) => host.resize(Number(value(e)))} ${slid(host.store.documents)}
        aria-valuetext="${size.height} × ${size.width}" /> <span>${size.height} × ${size.width}</span></label></div>`}
    <p class="note">${host.drawnNow ? `${say.seed(host.seed)}. ` : nothing}${channels(size)}</p>`;
}

function channels({ channels }: Size): string {
  const say = words();
  const names: string[] = channelsOf(channels ?? 1).map((one) => say.channel[one] ?? one);
  if ((channels ?? 1) > names.length) names.push(say.nothingMore);
  return say.channels(names);
}

/** What was wrong with a file, or done to it. */
export function toldOf({ problem, remarks }: ImageElement): unknown {
  const say = words();
  return html`${problem ? html`<p class="error" role="alert">${say.problems[problem]} ${strings.nothingChanged}</p>`
    : nothing}${remarks.map(({ kind, values }) =>
    html`<p class="note" role="status" data-remark=${kind}>${say.remarks[kind]?.(...values)}</p>`)}`;
}

/** What lies over it, and how. */
export function layers(host: ImageElement, size: Size, scene: Scene): unknown {
  const say = words();
  const heads = scene.overlay?.tensor.shape[scene.overlay.tensor.places.indexOf(HEAD)] ?? 1;
  const head = Math.min(host.store.selection.chosen[HEAD] ?? 0, heads - 1);
  return html`<div class="tools">
      <label>${say.over} ${select([...scene.overlays.map(({ id, tensor }) => [id, naming(tensor).title] as const),
        [DEPENDS, say.depends], ['', say.nothingOver]], host.depending ? DEPENDS : scene.overlay?.id ?? '',
        (id) => (host.over = id), { part: 'over' })}</label>
      ${scene.shares ? html`
        ${heads > 1 ? html`<label>${strings.heads} ${selectAt(Array.from({ length: heads },
          (_, k) => headNamed(scene.overlay!.tensor, k)), head, (k) => host.store.selection.choose(HEAD, k),
          { part: 'head' })}</label>` : nothing}
        <label>${say.as} ${select(Object.entries(say.ways) as ['light' | 'colour', string][], host.way,
          (way) => (host.way = way), { part: 'way' })}</label>
        <label>${say.strength} <input type="range" data-part="strength" min="0" max="100"
          .value=${String(host.strength * 100)} ${filled(host.strength)}
          @input=${(e: Event) => (host.strength = Number(value(e)) / 100)} /></label>` : nothing}
      <label><input type="checkbox" data-part="grid" .checked=${host.grid}
        @change=${(e: Event) => (host.grid = checked(e))} />${say.grid}</label>
      ${host.tracks ? html`<label><input type="checkbox" data-part="track" .checked=${host.track}
        @change=${(e: Event) => (host.track = checked(e))} />${say.track}</label>` : nothing}
      ${(size.channels ?? 1) > 1 ? html`<label>${say.shown} ${select<number | undefined>([
        [undefined, size.channels! >= 3 ? say.allChannels : say.oneChannel(0)],
        ...Array.from({ length: size.channels! }, (_, c) => [c, say.oneChannel(c)] as const)
          .slice(size.channels === 2 ? 1 : 0)], host.only, (c) => (host.only = c), { part: 'channel' })}</label>`
          : nothing}</div>
    ${scene.overlay?.query && scene.overlay.key
      ? html`<div class="tools" role="group" aria-label=${say.pointed}><span class="quiet">${say.pointed}</span>
      <span class="seg">${(['row', 'column'] as const)
        .map((side) => html`<button data-side=${side} aria-pressed=${host.side === side}
        @click=${() => (host.side = side)}>${side === 'row' ? say.asks : say.isAsked}</button>`)}</span>
      ${Array.from({ length: scene.overlay.query.extra },
        (_, k) => html`<button class="button" data-front=${k} aria-pressed=${scene.at === k}
        @click=${() => host.front(k)}>${say.front(k)}</button>`)}</div>` : nothing}`;
}

// SPDX-License-Identifier: Apache-2.0
import { html, svg, type TemplateResult } from 'lit';

const drawn = (paths: unknown, filled = false): TemplateResult => html`<svg
  width="18" height="18" viewBox="0 0 18 18" aria-hidden="true"
  fill=${filled ? 'currentColor' : 'none'} stroke=${filled ? 'none' : 'currentColor'}
  stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">${paths}</svg>`;

export const icons = {
  pin: drawn(svg`<path d="M6.5 3h5l-.7 4.500 2.200 2.500h-8l2.200-2.500z"/><path d="M9 10v5"/>`),
  large: drawn(svg`<path d="M10.500 3.500h4v4M7.500 14.500h-4v-4"/><path
    d="m14.500 3.500-4.500 4.500M3.500 14.500 8 10"/>`),
  undo: drawn(svg`<path d="M6.5 3.5 3.5 6.5l3 3"/><path d="M3.5 6.5h7a4 4 0 0 1 0 8h-3"/>`),
  redo: drawn(svg`<path d="m11.5 3.5 3 3-3 3"/><path d="M14.5 6.5h-7a4 4 0 0 0 0 8h3"/>`),
  reset: drawn(svg`<path d="M4 9a5 5 0 1 0 1.6-3.7"/><path d="M5.8 2.4v3.2H9"/>`),
  link: drawn(svg`<path d="M7.5 10.5a3 3 0 0 0 4.2 0l2.2-2.2a3 3 0 0 0-4.2-4.2l-.9.9"/><path
    d="M10.5 7.5a3 3 0 0 0-4.2 0L4.100 9.700a3 3 0 0 0 4.2 4.2l.9-.9"/>`),
  embed: drawn(svg`<path d="m6 5-4 4 4 4M12 5l4 4-4 4"/>`),
  learn:
    drawn(
    svg`<path
    d="M9 4.500C7 3.300 4.700 3.300 2.500 4v10c2.200-.7 4.500-.7 6.500.500
      2-1.200 4.300-1.200 6.500-.500V4C13.300 3.300 11 3.300 9 4.500zM9 4.500v10"/>`),
  grid: drawn(svg`<rect x="3" y="3" width="5" height="5"/><rect x="10" y="3" width="5" height="5"/><rect x="3" y="10"
    width="5" height="5"/><rect x="10" y="10" width="5" height="5"/>`),
  take: drawn(svg`<path d="M9 3v8M5.500 8 9 11.500 12.500 8M3.500 14.500h11"/>`),
  theme: drawn(svg`<circle cx="9" cy="9" r="6"/><path d="M9 3a6 6 0 0 1 0 12z" fill="currentColor" stroke="none"/>`),
  compare: drawn(svg`<path d="M3 4h5v10H3z"/><path d="M10 4h5v10h-5z"/><path d="M3 9h5" stroke-dasharray="1 2"/>`),
  cost: drawn(svg`<path d="M3 3v12h12"/><path d="M5.500 12.500c4-.5 7-3 8.500-8"/>`),
  menu: drawn(svg`<path d="M3 5h12M3 9h12M3 13h12"/>`),
  close: drawn(svg`<path d="m5 5 8 8M13 5l-8 8"/>`),
  lock: drawn(svg`<rect x="4" y="8" width="10" height="7" rx="1"/><path d="M6 8V6a3 3 0 0 1 6 0v2"/>`),
  open: drawn(svg`<rect x="4" y="8" width="10" height="7" rx="1"/><path d="M6 8V6a3 3 0 0 1 5.6-1.500"/>`),
  down: drawn(svg`<path d="m5.500 7.500 3.500 3.500 3.500-3.500"/>`),
  up: drawn(svg`<path d="m5.500 10.500 3.500-3.500 3.500 3.500"/>`),
  back: drawn(svg`<path d="M11 4 6 9l5 5"/>`),
  forward: drawn(svg`<path d="m7 4 5 5-5 5"/>`),
  play: drawn(svg`<path d="M5.500 3.800v10.400L14 9z"/>`, true),
  pause: drawn(svg`<path d="M5 4h3v10H5zM10 4h3v10h-3z"/>`, true),
};

// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import { place } from '../styles/place.ts';

/**
 * The middles of the weight from step to step, as a path; stops of one place share a pill. Steps count from 0, as the
 * words do.
 */
export function stopsOf(stops: readonly { x: number; y: number }[], at: number | undefined): unknown {
  const pills: { x: number; y: number; steps: number[] }[] = [];
  stops.forEach((stop, step) => {
    const near = pills.find((one) => Math.hypot(one.x - stop.x, one.y - stop.y) < 0.07);
    if (near) near.steps.push(step);
    else pills.push({ ...stop, steps: [step] });
  });
  const hundredths = ({ x, y }: { x: number; y: number }) => `${(x * 100).toFixed(1)} ${(y * 100).toFixed(1)}`;
  const d = stops.map((stop, k) => `${k === 0 ? 'M' : 'L'}${hundredths(stop)}`).join('');
  const number = (step: number) => (step === at ? html`<b>${step}</b> ` : `${step} `);
  return html`<svg class="marks" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true"><path
      class="path wide" d=${d} /><path class="path" d=${d} /></svg>
    <div class="stops" aria-hidden="true">${pills.map(({ x, y, steps }) => html`<span
      ${place({ left: `${x * 100}%`, top: `${y * 100}%` })}>${steps.map(number)}</span>`)}</div>`;
}

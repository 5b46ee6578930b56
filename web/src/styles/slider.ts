// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';
import { place } from './place.ts';

// Half the thumb's width: its middle never reaches the ends of the track.
const HALF = 7;

/** Where the thumb's middle stands at a share of the track, 0 to 1. */
export const onSlider = (share: number): string => `calc(${HALF}px + ${share} * (100% - ${2 * HALF}px))`;

/** `<input type="range" ${filled(0.3)}>` draws the track in ink up to there. */
export const filled = (share: number) => place({ '--at': onSlider(share) });

/** One slider for the whole page: a thin track, in ink up to the thumb. */
export const slider = css`
  input[type='range'] { appearance: none; width: 100%; min-width: 0; height: var(--press); margin: 0; padding: 0;
    background: none; border: 0; cursor: pointer; direction: ltr; }
  input[type='range']::-webkit-slider-runnable-track { height: 2px;
    background: linear-gradient(to right, var(--ink) var(--at, 0px), var(--line2) var(--at, 0px)); }
  input[type='range']::-moz-range-track { height: 2px;
    background: linear-gradient(to right, var(--ink) var(--at, 0px), var(--line2) var(--at, 0px)); }
  input[type='range']::-webkit-slider-thumb { appearance: none; width: 14px; height: 14px;
    margin-top: calc((2px - 14px) / 2); border-radius: 50%; border: 2px solid var(--ink); background: var(--raised); }
  input[type='range']::-moz-range-thumb { width: 10px; height: 10px; border-radius: 50%;
    border: 2px solid var(--ink); background: var(--raised); }
`;

// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

export const labelledStyles = css`
  :host { display: block; direction: ltr; min-width: 0; }
  .tools { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-5); align-items: center;
    margin-bottom: var(--space-3); }
  .tools button[aria-pressed='true'] { font-weight: 600; box-shadow: inset 0 -2px var(--ink); border-radius: 0; }
  [hidden] { display: none !important; }
  .sheet { overflow: auto; max-height: min(76vh, 760px); outline: none; }
  .board { display: grid; width: max-content; align-items: start; }
  .corner, .cols, .factnames { position: sticky; top: 0; z-index: 2; background: var(--background); }
  .corner { left: 0; z-index: 3; }
  .cols { position: sticky; }
  .rows { position: sticky; left: 0; z-index: 1; background: var(--background); display: grid; justify-items: end;
  padding-inline-end: var(--space-4); font-size: var(--text-note); }
  ap-chosen { display: contents; }
  .rows span { display: grid; align-items: center; white-space: nowrap; overflow: hidden; max-width: 100%;
  line-height: 1; }
  .rows span.query { color: var(--query); font-weight: 600; }
  .slant {
    position: absolute; transform-origin: 0 100%; white-space: nowrap;
    /* The first word would begin below the corner. */
    transform: translate(var(--space-3), -100%) rotate(-60deg);
    font-size: var(--text-mark); line-height: var(--leading-mark); color: var(--ink2);
  }
  .slant, .rows span { cursor: pointer; }
  .slant.key { color: var(--key); font-weight: 600; }
  .under { display: flex; flex-wrap: wrap; gap: var(--space-6) var(--space-14); margin-top: var(--space-5);
    align-items: flex-start; }
`;

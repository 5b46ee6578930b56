// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

export const structureStyles = css`
  :host { display: block; margin: 4px 0 12px; min-width: 0; }
  .scroll { overflow: auto; max-height: 420px; padding: 4px; margin: 0 -4px; }
  .sheet { position: relative; transform-origin: 0 0; }
  svg { position: absolute; inset: 0; overflow: visible; }
  svg path { fill: none; stroke: var(--ink3); stroke-width: 1.2; }
  svg .query { stroke: var(--query); }
  svg .key { stroke: var(--key); }
  svg .value { stroke: var(--value); }
  svg .lit { stroke-width: 2.4; }
  .node {
    position: absolute; display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 2px;
      padding: 3px 6px; overflow: hidden;
    border: 1px solid var(--line2); border-radius: 4px; background: var(--raised); line-height: 15px; font-size: 12px;
    text-align: center;
  }
  .node:hover { background: var(--hover); border-color: var(--ink3); }
  .node.input { border-style: dashed; background: var(--background); }
  .node[aria-current] { border-color: var(--ink); box-shadow: inset 0 0 0 1px var(--ink); }
  .node b, .node small { max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .node b { font-weight: 600; }
  .node small { font-size: 11px; color: var(--ink2); }
  .small { display: flex; flex-wrap: wrap; gap: 4px 20px; align-items: flex-start; min-height: 62px; }
  .small figure { margin: 0; font-size: 12px; }
  .small figcaption { max-width: 160px; margin-top: 3px; }
  .small ap-bounded { display: contents; }
  @media (pointer: coarse) { .node { min-height: 44px; } }
`;

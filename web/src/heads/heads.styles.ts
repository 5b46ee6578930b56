// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

export const headsStyles = css`
  :host { display: block; }
  .sides { display: flex; gap: var(--space-10); align-items: flex-start; margin-top: var(--space-4); }
  .sides.stacked { flex-direction: column; }
  .sides.stacked .finder { width: 100%; display: grid; grid-template-columns: repeat(auto-fill, minmax(208px, 1fr)); }
  .finder { flex: none; width: 208px; max-width: 100%; }
  .finder button { display: block; width: 100%; padding: var(--space-2) var(--space-4);
    border: 2px solid transparent; border-radius: var(--radius-large); min-height: var(--finger); text-align: start; }
  .finder button:hover { background: var(--hover); }
  .finder button[aria-pressed='true'] { border-color: var(--ink); }
  .line { display: flex; flex-wrap: wrap; justify-content: space-between; column-gap: var(--space-4); }
  .line b { font-weight: 600; }
  .line b + .note { flex: 1 0 100%; }
  svg.dots { display: block; direction: ltr; max-width: 100%; }
  .dots line { stroke: var(--line2); stroke-width: 2; }
  .dots circle { fill: var(--ink2); opacity: 0.45; }
  .dots circle.best { fill: var(--weight); opacity: 1; }
  .found { font-size: var(--text-title); line-height: var(--leading-title); font-weight: 600;
    margin-top: var(--space-3); }
  .grid { min-width: 0; flex: 1; padding: var(--space-2) 0; }
  .layer { display: flex; gap: var(--space-4); margin-bottom: var(--space-4); align-items: flex-start; }
  .layer > .note { flex: none; width: 56px; text-align: start; overflow-wrap: anywhere; }
  .list { display: flex; flex-wrap: wrap; gap: var(--space-4); }
  .head { display: block; flex: none; padding: var(--space-1); border: 2px solid transparent;
    border-radius: var(--radius); min-width: var(--finger); }
  .head:hover { border-color: var(--line2); }
  .head.best { border-color: var(--ink2); border-style: dashed; }
  .head[aria-pressed='true'] { border-color: var(--ink); border-style: solid; }
  .head.off ap-heat { opacity: 0.35; }
  .score { display: flex; align-items: center; gap: var(--space-2); justify-content: space-between;
    min-height: var(--leading-mark); }
  .where { display: block; text-align: start; font-size: var(--text-mark); line-height: var(--leading-mark);
    color: var(--ink2); overflow-wrap: anywhere; }
  .score .bar { height: 4px; background: var(--line2); flex: none; }
  .head.best .bar { background: var(--weight); }
  .score span:last-child { font-size: var(--text-mark); line-height: var(--leading-mark); color: var(--ink2); }
  .head.best .score span:last-child { font-weight: 600; color: var(--ink); }
  .counts { display: grid; grid-template-columns: repeat(auto-fill, minmax(208px, 1fr)); gap: 0 var(--space-10);
    margin: var(--space-2) 0; }
  .counts > div { display: flex; justify-content: space-between; gap: var(--space-4);
    border-bottom: 1px solid var(--line); }
  .counts dd { margin: 0; }
  details > summary { cursor: pointer; min-height: var(--press); }
`;

// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

// .state: The progress lies over a sentence, so that nothing moves when it ends.
// .chips: Half a line is seen of what does not fit.
export const encoderStyles = css`
  :host { display: block; padding: var(--space-8) var(--space-12) var(--space-14); }
  :host([narrow]) { padding: var(--space-6) var(--space-6) var(--space-14); }
  h2 { font-size: var(--text-title); line-height: var(--leading-title); }
  h3 { margin-bottom: var(--space-3); }
  .two { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: var(--space-10); }
  :host([narrow]) .two { grid-template-columns: minmax(0, 1fr); }
  .sides { margin-top: var(--space-6); }
  .seg { width: 100%; margin-top: var(--space-4); }
  .seg button { flex: 1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
  .field { display: block; }
  .field input { width: 100%; }
  .chips { display: flex; flex-wrap: wrap; gap: var(--space-2); margin: var(--space-4) 0; overflow-y: auto;
    max-height: calc(4.5 * (var(--press) + var(--space-2))); }
  .chip { border: 1px solid var(--line2); border-radius: var(--radius); padding: var(--space-1) var(--space-4);
    min-height: var(--press); min-width: var(--finger); background: var(--raised); }
  .chip.joined { margin-inline-start: calc(-1 * var(--space-2)); border-inline-start-style: dashed; }
  .chip[aria-pressed='true'] { border-color: var(--query); border-bottom-width: 2px; }
  .chip:hover { background: var(--hover); }
  .heads { margin: var(--space-4) 0; }
  .layer { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-1); }
  .layer > .note { width: 52px; }
  :host([narrow]) .layer > .note { width: 100%; }
  .head { border: 2px solid transparent; border-radius: var(--radius); padding: var(--space-1);
    min-width: 44px; min-height: 44px; display: inline-grid; place-items: center; }
  .head:hover:not(:disabled) { border-color: var(--line2); }
  .head[aria-pressed='true'] { border-color: var(--ink); }
  .head:disabled { opacity: 1; }
  .below { display: flex; flex-wrap: wrap; gap: var(--space-4) var(--space-10); align-items: center;
    border-bottom: 1px solid var(--line); padding: var(--space-4) 0; margin-bottom: var(--space-6); }
  .below b { color: var(--weight); }
  .state { display: grid; align-items: center; justify-items: start; min-height: var(--press); }
  .state > .note:first-child, .state > .loading { grid-area: 1 / 1; }
  .state > .loading { background: var(--background); place-self: stretch; }
  .loading { display: flex; gap: var(--space-6); align-items: center; }
  progress { flex: 1; max-width: 320px; height: 6px; accent-color: var(--ink); }
  .pair { display: grid; grid-template-columns: minmax(0, 1fr) auto auto; gap: 0 var(--space-6); align-items: center;
    border-top: 1px solid var(--line); padding: var(--space-4) 0; }
  .pair .note { grid-column: 1 / -1; }
  .meter { width: 104px; height: 10px; background: var(--line); display: block; direction: ltr; }
  .meter span { display: block; height: 100%; background: var(--weight); }
  .refers { border-top: 1px solid var(--line); padding: var(--space-4) 0; }
  .refers p[dir] { display: flex; flex-wrap: wrap; gap: 0 var(--space-6); }
  .refers p[dir] span:first-child { flex: 1; }
  .row li { display: grid; grid-template-columns: 120px 168px auto; align-items: center; }
  .row .bar { height: 10px; background: var(--weight); display: block; }
  table { border-collapse: collapse; width: 100%; margin: var(--space-4) 0; display: block; overflow-x: auto; }
  th { font-weight: 600; padding-inline-end: var(--space-4); }
  td.own { width: 100%; min-width: 180px; }
  td.cosine { position: relative; min-width: 40px; height: 30px; text-align: center; }
  td.cosine .fill { position: absolute; inset: 2px; border: 2px solid var(--weight); border-radius: var(--radius); }
  td.cosine.best { font-weight: 600; text-decoration: underline; }
  details { border-top: 1px solid var(--line); padding: var(--space-4) 0; margin-top: var(--space-4); }
  summary { cursor: pointer; min-height: var(--press); }
`;

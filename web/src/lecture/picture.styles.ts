// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

export const pictureStyles = css`
  :host { display: grid; grid-template-rows: minmax(0, 1fr) auto; min-height: 0; min-width: 0; direction: ltr; }
  .board { position: relative; min-height: 0; min-width: 0; overflow: hidden; }
  .board > * { position: absolute; }
  canvas { display: block; }
  .word { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; line-height: 1.2; }
  .row { text-align: end; color: var(--ink); transform: translateY(-50%); }
  .column { color: var(--ink); }
  .column.slanted { transform-origin: 0 100%; transform: rotate(-45deg); }
  .column.straight { transform: translateX(-50%); text-align: center; }
  .written { transform: translateY(-50%); }
  .written.wrong { color: var(--error); font-weight: 600; }
  .head { color: var(--ink2); }
  .legend { display: flex; flex-wrap: wrap; align-items: flex-end; gap: var(--space-4) var(--space-14);
    padding-top: var(--space-5); color: var(--ink2);
    font-size: clamp(14px, 2.2vh, 24px); line-height: 1.2; justify-content: center; }
  .bar { width: min(36vw, 420px); }
  .bar canvas { width: 100%; height: clamp(8px, 1.4vh, 16px); }
  .ticks { display: flex; justify-content: space-between; }
  .swatch { display: flex; align-items: center; gap: var(--space-4); }
  .swatch i { width: 1.2em; height: 1em; flex: none; border: 2px solid var(--ink); }
  .swatch i.agrees { border-style: dashed; }
  .swatch i.masked { border: 1px solid var(--hatch);
    background: repeating-linear-gradient(135deg, var(--hatch) 0 2px, transparent 2px 6px); }
`;

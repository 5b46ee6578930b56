// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

/** Lists of measures: name, number, what it tells; below each other where there is no room. */
export const judgedStyles = css`
  :host { padding-top: 18px; }
  h2 { font-size: 13px; padding-bottom: 4px; }
  .says { max-width: 76ch; padding-bottom: 6px; }
  .row-of { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; }
  .judged { display: grid; padding-top: 8px; max-width: 900px; }
  .judged li { display: grid; grid-template-columns: 180px 150px minmax(0, 1fr); gap: 2px 16px; padding: 8px 0;
  border-top: 1px solid var(--line); }
  .judged h3 { font-size: 13px; font-weight: 600; }
  .judged .number { display: grid; align-content: start; font-size: 13px; }
  .judged .number b { font-size: 16px; line-height: 20px; font-weight: 600; }
  .judged .tells { font-size: 13px; line-height: 18px; max-width: 64ch; }
  .judged .more { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 8px 24px; align-items: start;
  padding-top: 4px; }
  .more figure { max-width: 100%; overflow-x: auto; }
  .more figcaption { font-size: 12px; color: var(--ink2); }
  .more svg .label { font-size: 13px; fill: var(--ink); }
  .more svg .number { font-size: 11px; }
  .strip { border-collapse: collapse; font-size: 13px; }
  .strip th, .strip td { padding: 2px 8px; font-weight: 400; text-align: center; border-bottom: 1px solid var(--line); }
  .strip tbody th { text-align: start; padding-inline-start: 0; }
  @media (max-width: 760px) { .judged li { grid-template-columns: minmax(0, 1fr) auto; } .judged .tells {
    grid-column: 1 / -1; } .judged .number { text-align: end; } }
`;

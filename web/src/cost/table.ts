// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';

/** A table of numbers that scrolls where it is wider than its place; each row begins with its head. */
export const table = (label: string, heads: readonly unknown[], rows: readonly unknown[], part?: string,
  foot: unknown = nothing): unknown => html`<div class="scroll" tabindex="0" role="group" aria-label=${label}><table
  data-part=${part ?? nothing}><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
  <tbody>${rows}</tbody>${foot}</table></div>`;

export const tableStyles = css`
  .scroll { overflow: auto; }
  summary { cursor: pointer; min-height: var(--press); align-content: center; }
  table { border-collapse: collapse; font-size: var(--text); margin-bottom: var(--space-4); }
  th, td { padding-block: var(--space-2); padding-inline-end: var(--space-7); text-align: end; white-space: nowrap;
    border-bottom: 1px solid var(--line); }
  th { font-weight: 400; color: var(--ink2); }
  th:first-child { text-align: start; }
`;

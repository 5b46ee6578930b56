// SPDX-License-Identifier: Apache-2.0
// The way to one matrix of the picture, also to one that is made only when it comes near.
import type { OnDemandElement } from '../on-demand.ts';
import type { MatrixElement } from './matrix.ts';

/** Brings a matrix into sight, if it is out of it. */
export function bring(root: ParentNode, name: string): void {
  const at = (which: string) => root.querySelector(`${which}="${CSS.escape(name)}"]`);
  (at('ap-matrix[data-tensor') ?? at('ap-on-demand[of'))?.scrollIntoView({ block: 'nearest' });
}

/** The keyboard comes to a matrix, or to the first where there is none of this name. */
export async function goTo(root: ParentNode, name = ''): Promise<void> {
  const late = root.querySelector<OnDemandElement>(`ap-on-demand[of="${CSS.escape(name)}"]`);
  if (late && !late.made) await late.make();
  const all = [...root.querySelectorAll<MatrixElement>('ap-matrix')];
  const matrix = all.find((one) => one.dataset['tensor'] === name) ?? all[0];
  matrix?.scrollIntoView({ block: 'center' });
  if (matrix && !matrix.hasUpdated) await matrix.updateComplete;
  matrix?.shadowRoot?.querySelector<HTMLElement>('.stop')?.focus();
}

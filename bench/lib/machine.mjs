// SPDX-License-Identifier: Apache-2.0
import { cpus, loadavg, release } from 'node:os';

/** The machine and the programs, as the results name them. */
export function machine(browser) {
  const { length, 0: { model } } = cpus();
  return [`${length} x ${model.trim()}`, `Linux ${release()}`, `Node ${process.versions.node}`,
    browser?.version].filter(Boolean).join(', ');
}

/** How many programs want a processor. */
export const load = () => loadavg()[0];

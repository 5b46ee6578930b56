// SPDX-License-Identifier: Apache-2.0

/**
 * A worker needs an address of the page's own origin; a module of another origin goes in through a blob that imports
 * it.
 */
export function startWorker(address: string, name: string): Worker {
  const own = new URL(address).origin === self.origin;
  // Where the page has no origin (a sandboxed frame), neither way is open under a strict policy.
  if (self.origin === 'null') throw new Error('no origin, no worker');
  const url = own ? address : URL.createObjectURL(
    new Blob([`import ${JSON.stringify(address)};`], { type: 'text/javascript' }));
  return new Worker(url, { type: 'module', name });
}

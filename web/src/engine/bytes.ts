// SPDX-License-Identifier: Apache-2.0

/** The bytes at an address. */
export async function bytesAt(address: string): Promise<Uint8Array> {
  const response = await fetch(address, { credentials: 'omit' });
  if (!response.ok) throw new Error(
    `${address.slice(address.lastIndexOf('/') + 1)} could not be fetched: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

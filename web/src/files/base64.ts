// SPDX-License-Identifier: Apache-2.0

/** Bytes as text. */
export function base64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** The bytes of a text; throws where it is none. */
export const bytesOf = (text: string): Uint8Array => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

/** The same with letters that can stand in an address. */
export const urlSafe = (bytes: Uint8Array): string =>
  base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

export const fromUrlSafe = (text: string): Uint8Array => bytesOf(text.replaceAll('-', '+').replaceAll('_', '/'));

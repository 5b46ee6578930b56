// SPDX-License-Identifier: Apache-2.0

/**
 * A text as it is searched: in small letters, without the marks above and below them, which few people type in Arabic,
 * and with spaces for hyphens, so that "off-by-one" and "off by one" are the same.
 */
export const folded = (text: string): string =>
  text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').replace(/[-\u2010-\u2013]/g, ' ');

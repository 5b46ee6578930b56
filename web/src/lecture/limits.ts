// SPDX-License-Identifier: Apache-2.0
/** A lecture has at most so many moments, and their names have at most so many letters. */
export const MOST = 20;
export const LONGEST_NAME = 120;

/** A name as it is kept; empty where there is none. */
export const shortened = (name: unknown): string =>
  (typeof name === 'string' ? name.trim().slice(0, LONGEST_NAME) : '');

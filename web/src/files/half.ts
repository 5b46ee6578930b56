// SPDX-License-Identifier: Apache-2.0
// Half precision: a sign, five bits of exponent, ten of fraction.

/** The number that sixteen bits stand for. */
export function numberOf(bits: number): number {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size = exponent === 0 ? fraction * 2 ** -24 : exponent === 31 ? (fraction ? NaN : Infinity)
    : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits >> 15 ? -size : size;
}

/** The first number that rounds to infinity. */
const TOO_LARGE = 65_520;
const NORMAL = 2 ** -14;

// Of two that are equally near the even one, as the engine rounds.
function even(x: number): number {
  const low = Math.floor(x);
  const above = x - low;
  return above > 0.5 || (above === 0.5 && low % 2 === 1) ? low + 1 : low;
}

/** The sixteen bits of the half that is nearest to a number. */
export function bitsOf(number: number): number {
  const sign = number < 0 || Object.is(number, -0) ? 0x8000 : 0;
  const size = Math.abs(number);
  if (!(size < TOO_LARGE)) return sign | (Number.isNaN(size) ? 0x7e00 : 0x7c00);
  if (size < NORMAL) return sign | even(size * 2 ** 24);
  let exponent = Math.floor(Math.log2(size));
  if (2 ** exponent > size) exponent--;
  else if (2 ** (exponent + 1) <= size) exponent++;
  // A fraction that rounds up to 1024 carries into the exponent.
  return sign | (((exponent + 15) << 10) + even((size / 2 ** exponent - 1) * 1024));
}

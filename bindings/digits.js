// SPDX-License-Identifier: Apache-2.0
// Part of attention.mjs: a finite number as decimal.h wants it, with `digits` after the point, or (-1) as few as read back.
function digitsOf(value, digits, fixed) {
  const written = (count) => {
    if (!fixed) return value.toExponential(count < 0 ? undefined : count);
    // From 1e21 on toFixed has an exponent.
    return count === 0 && Math.abs(value) >= 1e21 ? String(BigInt(value)) : value.toFixed(count);
  };
  let text = written(digits);
  // Of two as near JavaScript takes the larger one; the even one is wanted. No number above 1e21 lies between two so short ones.
  if (digits >= 0 && digits < 90 && Math.abs(value) < 1e21) {
    const [mantissa, exponent] = written(100).split('e');
    const end = mantissa.indexOf('.') + 1 + digits;
    const shorter = mantissa.slice(0, digits === 0 ? end - 1 : end);
    if (/^50*$/.test(mantissa.slice(end)) && shorter.at(-1) % 2 === 0) text = exponent === undefined ? shorter : `${shorter}e${exponent}`;
  }
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

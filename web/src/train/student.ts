// SPDX-License-Identifier: Apache-2.0
// Student's distribution, for intervals of a mean from few values.

const STEPS = 400;

// Which share lies between 0 and t. With t = sqrt(n) tan(a) the density becomes cos(a)^(n - 1) up to a factor, so both
// integrals are over a finite range (Simpson's rule).
function shareUpTo(t: number, degrees: number): number {
  const integral = (to: number): number => {
    const step = to / STEPS;
    let sum = 0;
    for (let k = 0; k <= STEPS; k++)
      sum += Math.cos(k * step) ** (degrees - 1) * (k === 0 || k === STEPS ? 1 : k % 2 === 1 ? 4 : 2);
    return (sum * step) / 3;
  };
  return integral(Math.atan(t / Math.sqrt(degrees))) / (2 * integral(Math.PI / 2));
}

/** The value below which this share of Student's distribution lies; the share is above one half. */
export function studentQuantile(share: number, degrees: number): number {
  let [low, high] = [0, 1];
  while (0.5 + shareUpTo(high, degrees) < share) high *= 2;
  for (let k = 0; k < 60; k++) {
    const middle = (low + high) / 2;
    if (0.5 + shareUpTo(middle, degrees) < share) low = middle;
    else high = middle;
  }
  return high;
}

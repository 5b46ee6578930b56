// SPDX-License-Identifier: Apache-2.0
// Numbers in short: what a tensor holds, told by its shape, four sums that notice a change of any number or of their
// order, and the numbers themselves where there are few.

export const FEW = 32;

/** All numbers of a nested list, or of { shape, data }, in the order of rows. */
export function flat(tensor) {
  if (tensor?.data !== undefined) return { shape: tensor.shape, numbers: Array.from(tensor.data) };
  const shape = [];
  for (let part = tensor; Array.isArray(part); part = part[0]) shape.push(part.length);
  return { shape, numbers: Array.isArray(tensor) ? tensor.flat(Infinity) : [tensor] };
}

// Weights between 1 and 2 that differ from place to place, the same on every machine.
export const weight = (k) => 1 + ((k * 2654435761) % 4294967296) / 4294967296;

/** With `digits` and without the numbers themselves where they were computed in float. */
export function digest(tensor, digits = 13, few = FEW) {
  const { shape, numbers } = flat(tensor);
  const finite = numbers.filter((number) => typeof number === 'number' && Number.isFinite(number));
  const sums = [0, 0, 0, 0];
  numbers.forEach((number, k) => {
    if (typeof number !== 'number' || !Number.isFinite(number)) return;
    sums[0] += number;
    sums[1] += number * weight(k);
    sums[2] += Math.abs(number);
    sums[3] = Math.max(sums[3], Math.abs(number));
  });
  const rounded = (number) => Number(number.toPrecision(digits));
  return {
    shape, sums: sums.map(rounded),
    ...(finite.length === numbers.length ? {} : { odd: numbers.length - finite.length }),
    ...(numbers.length <= few && finite.length === numbers.length ? { numbers: numbers.map(rounded) } : {}),
  };
}

/** What differs between the digest of then and that of now; `close` is relative to what the tensor holds. */
export function differs(then, now, close) {
  if (then.shape.join() !== now.shape.join()) return `shape [${then.shape}] then, [${now.shape}] now`;
  const [oddThen, oddNow] = [then.odd ?? 0, now.odd ?? 0];
  if (oddThen !== oddNow) return `${oddThen} numbers that are not finite then, ${oddNow} now`;
  const count = then.shape.reduce((product, extent) => product * extent, 1);
  const whole = close * Math.max(then.sums[2], then.sums[3], 1e-12);
  for (const k of [0, 1, 2]) {
    if (Math.abs(then.sums[k] - now.sums[k]) > 2 * whole)
      return `sum ${k} of ${count} numbers: ${then.sums[k]} then, ${now.sums[k]} now`;
  }
  const one = close * Math.max(then.sums[3], 1e-12);
  const at = (then.numbers ?? []).findIndex((number, k) => Math.abs(number - now.numbers[k]) > one);
  return at < 0 ? undefined : `number ${at}: ${then.numbers[at]} then, ${now.numbers[at]} now`;
}

/** The groups of a result that hold tensors, each tensor in short. */
export function digestOf(result) {
  const groups = {};
  for (const group of ['outputs', 'parameters', 'steps', 'gradients']) {
    const entries = Object.entries(result[group] ?? {});
    if (entries.length > 0) groups[group] = Object.fromEntries(entries.map(([name, one]) => [name, digest(one)]));
  }
  return groups;
}

/** What differs between two such, tensor by tensor. What is there now and was not is no difference. */
export function differences(then, now, close) {
  const found = [];
  for (const [group, tensors] of Object.entries(then)) {
    for (const [name, digested] of Object.entries(tensors)) {
      const other = now[group]?.[name];
      const difference = other === undefined ? 'is there no more' : differs(digested, other, close);
      if (difference) found.push(`${group}/${name}: ${difference}`);
    }
  }
  return found;
}

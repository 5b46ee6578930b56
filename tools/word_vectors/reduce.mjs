// SPDX-License-Identifier: Apache-2.0
// Principal components in plain numbers: additions, products and square roots only, so that every machine finds the
// same.

/**
 * Rows of length one: how often a word occurs says much about the length of its vector, and little about its meaning.
 */
export function unit(rows) {
  return rows.map((row) => {
    const length = Math.sqrt(row.reduce((sum, x) => sum + x * x, 0));
    return row.map((x) => x / length);
  });
}

/** The mean of the rows, and the axes of their largest variance, largest first. */
export function principalAxes(rows) {
  const width = rows[0].length;
  const mean = Array.from({ length: width }, (_, c) => rows.reduce((sum, row) => sum + row[c], 0) / rows.length);
  const covariance = mean.map(() => new Array(width).fill(0));
  for (const row of rows) {
    for (let i = 0; i < width; i++)
      for (let j = 0; j <= i; j++) covariance[i][j] += ((row[i] - mean[i]) * (row[j] - mean[j])) / rows.length;
  }
  for (let i = 0; i < width; i++) for (let j = i + 1; j < width; j++) covariance[i][j] = covariance[j][i];
  return { mean, axes: eigenvectors(covariance).map(upright) };
}

// An axis may point either way; its largest part is taken as positive.
function upright(axis) {
  const largest = axis.reduce((best, x) => (Math.abs(x) > Math.abs(best) ? x : best), 0);
  return largest < 0 ? axis.map((x) => -x) : axis;
}

// Jacobi's rotations (Golub and Van Loan, section 8.5): each makes one entry beside the diagonal zero.
function eigenvectors(a) {
  const size = a.length;
  const v = a.map((_, i) => a.map((__, j) => (i === j ? 1 : 0)));
  const rotate = (rows, p, q, c, s, across) => {
    for (let k = 0; k < size; k++) {
      const [x, y] = across ? [rows[k][p], rows[k][q]] : [rows[p][k], rows[q][k]];
      const [x2, y2] = [c * x - s * y, s * x + c * y];
      if (across) [rows[k][p], rows[k][q]] = [x2, y2];
      else [rows[p][k], rows[q][k]] = [x2, y2];
    }
  };
  for (let sweep = 0; sweep < 20; sweep++) {
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) {
        if (a[p][q] === 0) continue;
        const ratio = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const tangent = (ratio < 0 ? -1 : 1) / (Math.abs(ratio) + Math.sqrt(ratio * ratio + 1));
        const c = 1 / Math.sqrt(tangent * tangent + 1);
        const s = tangent * c;
        rotate(a, p, q, c, s, true);
        rotate(a, p, q, c, s, false);
        rotate(v, p, q, c, s, true);
      }
    }
  }
  const order = v.map((_, j) => j).sort((i, j) => a[j][j] - a[i][i]);
  return order.map((j) => v.map((row) => row[j]));
}

/** What the rows are along the first `count` axes. */
export function project(rows, { mean, axes }, count) {
  return rows.map((row) => axes.slice(0, count)
    .map((axis) => axis.reduce((sum, x, c) => sum + x * (row[c] - mean[c]), 0)));
}

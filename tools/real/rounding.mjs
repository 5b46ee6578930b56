// SPDX-License-Identifier: Apache-2.0
// Rounds the table of pieces to bytes so that what the first layer makes of a row changes least: the error of one
// number is made up for by those that are still to be rounded (GPTQ: Frantar et al. 2022, arXiv:2210.17323).
import { bytesByColumn } from './store.mjs';

// How much the residual's projection counts beside queries, keys and values, and how much every direction counts.
const RESIDUAL = 0.3;
const ALIKE = 0.01;

/** The columns that read a row of width d: those of Q, K and V behind the layer norm, and of the residual. */
function readers(p, d) {
  const gamma = p['attention-norm-1.gamma'].data;
  const columns = [];
  for (const name of ['W_Q', 'W_K', 'W_V']) {
    const { shape: [heads, , width], data } = p[`attention-1.heads.${name}`];
    for (let head = 0; head < heads; head++) {
      for (let c = 0; c < width; c++) {
        const column = Float64Array.from({ length: d }, (_, i) => gamma[i] * data[(head * d + i) * width + c]);
        // The norm takes the mean off, so what all numbers share is not seen.
        const mean = column.reduce((a, b) => a + b, 0) / d;
        columns.push(column.map((x) => x - mean));
      }
    }
  }
  const { shape: [, wide], data } = p['wider.W'];
  for (let c = 0; c < wide; c++)
    columns.push(Float64Array.from({ length: d }, (_, i) => RESIDUAL * data[i * wide + c]));
  return columns;
}

function gram(columns, d) {
  const all = new Float64Array(d * d);
  for (const column of columns)
    for (let i = 0; i < d; i++) for (let j = 0; j < d; j++) all[i * d + j] += column[i] * column[j];
  let trace = 0;
  for (let i = 0; i < d; i++) trace += all[i * d + i];
  for (let i = 0; i < d; i++) all[i * d + i] += (ALIKE * trace) / d;
  return all;
}

// Lower triangular L with A = L L^T.
function cholesky(a, d) {
  const l = new Float64Array(d * d);
  for (let j = 0; j < d; j++) {
    for (let i = j; i < d; i++) {
      let sum = a[i * d + j];
      for (let k = 0; k < j; k++) sum -= l[i * d + k] * l[j * d + k];
      l[i * d + j] = i === j ? Math.sqrt(sum) : sum / l[j * d + j];
    }
  }
  return l;
}

// The inverse of A = L L^T, column by column.
function inverse(a, d) {
  const l = cholesky(a, d);
  const out = new Float64Array(d * d);
  for (let c = 0; c < d; c++) {
    const y = new Float64Array(d);
    for (let i = 0; i < d; i++) {
      let sum = i === c ? 1 : 0;
      for (let k = 0; k < i; k++) sum -= l[i * d + k] * y[k];
      y[i] = sum / l[i * d + i];
    }
    for (let i = d - 1; i >= 0; i--) {
      let sum = y[i];
      for (let k = i + 1; k < d; k++) sum -= l[k * d + i] * out[k * d + c];
      out[i * d + c] = sum / l[i * d + i];
    }
  }
  return out;
}

/** The table's bytes [v d] with the scale of each column, as bytesByColumn gives them, rounded better. */
export function roundedTable(p) {
  const table = p['tokens.E'];
  const d = table.shape[1];
  const found = bytesByColumn(table);
  const { data: scales } = found.scale;
  const l = cholesky(inverse(gram(readers(p, d), d), d), d); // its transpose says how an error is passed on
  const row = new Float64Array(d);
  for (let at = 0; at < table.data.length; at += d) {
    for (let c = 0; c < d; c++) row[c] = table.data[at + c];
    for (let i = 0; i < d; i++) {
      const byte = Math.max(-127, Math.min(127, Math.round(row[i] / scales[i])));
      found.bytes[at + i] = byte;
      const error = (row[i] - byte * scales[i]) / l[i * d + i];
      for (let j = i + 1; j < d; j++) row[j] -= error * l[j * d + i];
    }
  }
  return found;
}

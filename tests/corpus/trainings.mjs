// SPDX-License-Identifier: Apache-2.0

/** The trainings whose checkpoints are kept, each by the document that it trains. */
export const trainings = [
  { name: 'translate', from: 'trained/translate', steps: 12 },
  { name: 'recall', from: 'trained/recall', steps: 12 },
  { name: 'transformer', from: 'trained/transformer', steps: 12 },
];

// SPDX-License-Identifier: MIT AND Apache-2.0
// 33 knots each of three scales from Fabio Crameri's Scientific colour maps
// (Crameri 2018, doi:10.5281/zenodo.1243862), MIT licence, Copyright (c) Fabio Crameri.
// vik and berlin are resampled from published stops, so a channel may differ by a step or two.

export const acton: readonly string[] = [
  '#260d40', '#2d1749', '#342152', '#3b2a5a', '#413362', '#473c6a', '#4d4472', '#534c7a',
  '#595481', '#615b87', '#6b608b', '#74628d', '#7e638e', '#88648e', '#92648f', '#9d658f',
  '#a86690', '#b46791', '#bf6a93', '#c97098', '#d0799f', '#d483a8', '#d78eb1', '#da98ba',
  '#dda3c3', '#e0adcb', '#e3b7d3', '#e5c1db', '#e8cbe2', '#ead4e9', '#ecdcef', '#eee4f5',
  '#f0eafa',
];

export const vik: readonly string[] = [
  '#001261', '#011e69', '#022b71', '#023879', '#034481', '#055088', '#0c5e92', '#1c6d9b',
  '#307da6', '#458cb0', '#619ebd', '#7aacc7', '#94bed2', '#acccdc', '#c3dae5', '#dce2e5',
  '#ece5e0', '#ebdace', '#e8cab8', '#e2bba4', '#dcac90', '#d49b7b', '#cf8e68', '#ca8156',
  '#c37243', '#bc6331', '#b2521e', '#a43f0f', '#922e08', '#821f06', '#741406', '#660a07',
  '#590008',
];

export const berlin: readonly string[] = [
  '#9eb0ff', '#8aadf6', '#76aaec', '#63a6e1', '#539fd3', '#4393c1', '#3686ae', '#2e7799',
  '#286886', '#235b75', '#1d4c62', '#173c4f', '#13303f', '#11252f', '#111a20', '#131113',
  '#190c09', '#200c03', '#290c01', '#350f00', '#401300', '#4c1601', '#591c06', '#692510',
  '#7a321d', '#8c412c', '#9d503d', '#ad5f4f', '#bd6f62', '#cd7e75', '#de8e87', '#ee9d9a',
  '#ffadad',
];

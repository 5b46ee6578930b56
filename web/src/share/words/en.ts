// SPDX-License-Identifier: Apache-2.0
import { message, plural } from '../../strings/message.ts';

export const words = {
  title: 'QR code of the link',
  called: 'QR code of the link to this page',
  enlarge: 'Fill the window',
  smaller: 'Close the large QR code',
  save: 'Save the QR code',
  file: 'QR code',
  tooLong: message((n: number, most: number) => ({ n, most }), `The link has ${plural('n', { one: '1 byte',
    other: '# bytes' })}, more than the { $most } that a QR code holds. Send the link or the file instead.`),
};

// SPDX-License-Identifier: Apache-2.0
import { message } from '../../strings/message.ts';

export const words = {
  without: message((name: string) => ({ name }), 'without { $name }'),
};

// SPDX-License-Identifier: Apache-2.0
import { limit } from '../src/turns.ts';

// In how many tasks a part is drawn depends on how busy the machine is; what is tested is what it draws.
limit.slice = Infinity;

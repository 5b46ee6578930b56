// SPDX-License-Identifier: Apache-2.0
import { message } from '../../strings/message.ts';

/** The words of modules as code, in English. */
export const words = {
  kind: 'What to write',
  kinds: { script: 'Script (this example)', module: 'Module (batches, training)', train: 'Training script' },
  moduleNotes: {
    pytorch: 'A torch.nn.Module for batches of any length, in one file. Its weights have the same names as here, so '
      + 'you can train it further in PyTorch, save the weights and open them on this page.',
    numpy: 'A function for batches of any length, in one file that needs only NumPy. It reads the saved weights.',
  },
  trainNote: 'This script trains model.py as this document’s training describes, in one process or several. '
    + 'Save both files in one folder; the top of the script lists the commands.',
  writing: 'Writing the code …',
  beginning: message((size: string) => ({ size }),
    'The whole file has { $size } MB, because it contains all numbers of the model. Only its beginning is shown here; '
    + '“Save” and “Copy” give all of it.'),
  noModule: message((message: string) => ({ message }), 'This document cannot be written as a module: { $message }'),
  noTraining: message((message: string) => ({ message }), 'This run cannot be written as a script: { $message }'),
  lost: message((message: string) => ({ message }), 'The engine that writes modules did not start: { $message }'),
  script: 'Show the script of this example',
};

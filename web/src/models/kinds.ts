// SPDX-License-Identifier: Apache-2.0
// Which of the files that somebody drops belong to a model of another program.

const ENDINGS = /\.(gguf|npz|bin|pt|pth|index\.json)$/i;
const SETTINGS = /^((preprocessor_|tokenizer_|generation_)?config|tokenizer|special_tokens_map|modules)\.json$/i;
// Pieces of SentencePiece, and the vocabularies of BERT and GPT-2.
const PIECES = /^(?:[^/]*\.spm|(?:spiece|sentencepiece)\.model|(?:vocab|merges)\.txt)$/i;
// Where sentence-transformers keeps which rows make a sentence. The name has its folder.
export const POOLING = '1_Pooling/config.json';
const TOKENIZER = /^(?:(?:tokenizer|tokenizer_config|added_tokens|vocab)\.json|tok[^/]*\.bin)$/i;
const LENGTH = 8;
// The header of a file that this page saved holds a document; a header is read up to here to find out.
const MOST_HEADER = 64_000_000;

/** Whether a safetensors file was saved by this page: then the document that was trained lies in it. */
export async function isOurs(file: File): Promise<boolean> {
  try {
    const length = Number(new DataView(await file.slice(0, LENGTH).arrayBuffer()).getBigUint64(0, true));
    if (length > Math.min(MOST_HEADER, file.size - LENGTH)) return false;
    const header = JSON.parse(await file.slice(LENGTH, LENGTH + length).text()) as { __metadata__?: object };
    return Object.hasOwn(header.__metadata__ ?? {}, 'document');
  } catch {
    return false; // whoever reads it says what is wrong
  }
}

/** Whether these files are a model's, as far as their names and first bytes tell. */
export async function areModel(files: readonly File[]): Promise<boolean> {
  if (files.some(({ name }) => ENDINGS.test(name) || SETTINGS.test(name) || PIECES.test(name))) return true;
  for (const file of files) {
    if (/\.safetensors$/i.test(file.name) && !(await isOurs(file))) return true;
  }
  return false;
}

// What Trainer and Accelerate write beside the weights, as src/import/choose_files.cpp lists it.
const TRAINING = /^(?=training_args\.|optimizer[._]|scheduler\.|scaler\.|rng_state|random_states).*\.(bin|pth?|pkl)$/;

/** What a file is, by its name alone: a key of the page's words. */
export type Kind = 'config' | 'preprocessor' | 'tokenizer' | 'index' | 'weights' | 'other';

export function kindOf(name: string): Kind {
  if (/\.index\.json$/i.test(name)) return 'index';
  if (/^((generation_)?config|modules)\.json$/i.test(name) || name === POOLING) return 'config';
  if (/^preprocessor_config\.json$/i.test(name)) return 'preprocessor';
  if (TOKENIZER.test(name) || PIECES.test(name)) return 'tokenizer';
  if (/\.(safetensors|gguf|npz|npy|bin|pt|pth)$/i.test(name) && !TRAINING.test(name)) return 'weights';
  return 'other';
}

/** The file that an error is about: its message begins with the name in quotation marks. */
export function blamed(message: string): { file?: string; what: string } {
  const found = /^"((?:[^"\\]|\\.)*)":?\s+([\s\S]*)$/.exec(message);
  return found ? { file: found[1]!, what: found[2]! } : { what: message };
}

// What programs call every model that they save says nothing of it.
const PLAIN = /^(?:model|pytorch_model|weights|checkpoint|state_dict)?(?:-\d+-of-\d+)?$/i;

/** "stories260K": what the file of the weights is called, where it is called anything. */
export function modelName(files: readonly { name: string }[]): string | undefined {
  const named = files.find(({ name }) => kindOf(name) === 'weights')?.name.replace(/\.[a-z0-9]+$/i, '') ?? '';
  return PLAIN.test(named) ? undefined : named;
}

/** "own-stories260K.safetensors": the name by which the document asks for its weights. */
export const weightsName = (files: readonly { name: string }[]): string => {
  const named = files.find(({ name }) => kindOf(name) === 'weights')?.name ?? 'model';
  const plain = named.replace(/\.[a-z0-9]+$/i, '').replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 60);
  return `own-${plain || 'model'}.safetensors`;
};

/**
 * The files of a model after some were chosen: without weights among them they complete what is there, such as a
 * tokenizer, and so does every file if the model cannot be opened `yet`; otherwise they are another model. A file takes
 * the place of one with its name.
 */
export function joined<One extends { name: string }>(before: readonly One[], chosen: readonly One[], yet: boolean):
  One[] {
  const completes = yet || !chosen.some(({ name }) => ['weights', 'index'].includes(kindOf(name)));
  return [...(completes ? before.filter(({ name }) => !chosen.some((one) => one.name === name)) : []), ...chosen];
}

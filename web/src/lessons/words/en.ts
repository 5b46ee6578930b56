// SPDX-License-Identifier: Apache-2.0
import { message, plural } from '../../strings/message.ts';

/** The words of the lecture mode, in English. */
export const words = {
  unknown: message((id: string) => ({ id }), 'This page has no lesson “{ $id }”. These are its lessons.'),
  unknownStep: message((step: number, of: number) => ({ step, of }),
    `This lesson has no step { $step }. It has ${plural('of', { one: '1 step', other: '# steps' })} and begins here.`),
  fromStart: 'Begin with step 1',
  without: 'The link opened this step, so what you would change in earlier steps is missing.',
  found: message((title: string) => ({ title }), 'A question about an experiment: “{ $title }”'),
  lacks: message((names: string[]) => ({ names }),
    'This question refers to { $names }, but there is no such tensor or token now, so it cannot be checked.'),
  damaged: 'The link is damaged: copy it again, as a whole.',
  wrong: message((path: string, expected: string, found: string) => ({ path, expected, found }),
    'At { $path }: expected { $expected }, found { $found }.'),
  nothing: 'nothing', text: 'a text', number: 'a number', count: 'a whole number from 0',
  textOf: message((most: number) => ({ most }), 'a text of at most { $most } characters'),
  something: 'a value', object: 'an object', list: 'a list',
  listOf: message((size: number) => ({ size }), `a list of ${plural('size', { one: '1 item', other: '# items' })}`),
  oneOf: message((known: string[]) => ({ known: known.join(', '), count: known.length }),
    plural('count', { one: '{ $known }', other: 'one of { $known }' })),
  condition: message((kinds: string[]) => ({ kinds: kinds.join(', ') }), 'a condition with one of { $kinds }'),
  document: 'a document of this page',
  shipped: 'weights that come with the page, because a question cannot carry its own',
  steps: message((most: number) => ({ most }), 'a list of 1 to { $most } steps'),
  ofHead: message((cell: string, head: number) => ({ cell, head }), '{ $cell }, head { $head }'),
  lockFirst: 'A question is about one number: close this dialog, click a cell of a matrix to keep it, and come back.',
  formAbout: 'The reader gets this experiment with your task. The page checks the number after every change.',
  ownTitle: 'Title that the reader sees (optional)',
  formTitle: 'A question',
  task: 'What the reader has to do',
  measured: message((label: string, value: string) => ({ label, value }), '{ $label } is { $value } now and has to be'),
  relation: 'Relation', over: 'above', under: 'below', bound: 'Number',
  already: 'This is already true. Choose another number, so that there is something to do.',
  questionLink: 'Link with the question', copyQuestion: 'Copy link', copiedQuestion: 'Copied',
  saveQuestion: 'Save the question as a file',
  linkLength: message((n: number) => ({ n }), 'The link has { $n } characters.'),
  copyByHand: 'The browser did not copy it. Copy the link by hand.',
  through: message((search: string, parts: string[]) => ({ search, parts }),
    'No lesson is about “{ $search }”. The lessons below use { $parts }.'),
  changed: 'You have done this step. The page has changed since then, so its explanation no longer applies. Undo the '
    + 'change to read it again.',
  copyLink: 'Copy link', address: 'Address of this step',
  sources: 'Papers:',
  places: { model: 'How do I open my own model?', exercise: 'How do I make an exercise?',
    privacy: 'Does my text leave my computer, and does the page work offline?',
    licence: 'What is the licence, and how do I cite the page?', words: 'How do I use my own words or numbers?',
    picture: 'How do I save a picture for a paper or for slides?', code: 'How do I get the formulas or the code?',
    present: 'How do I show this to a class?', cost: 'What does this cost in time and memory?',
    predict: 'How does a model predict the next word?', systems: 'Which papers and systems are here?' },
  // Words by which a search finds a place, beside its title.
  placeWords: { model: 'my own model, checkpoint, weights file, safetensors, GPT-2, BERT, Llama, Hugging Face, '
      + 'upload, load',
    exercise: 'exercise, question, homework, task, quiz, test, exam, assignment, class, students, share, link',
    privacy: 'privacy, server, offline, data, data protection, GDPR, cookies, upload, tracking, without internet, '
      + 'network, stored, delete',
    licence: 'licence, license, copyright, cite, citation, BibTeX, reuse, print, book, publish, figure, Apache-2.0',
    words: 'own sentence, own text, my sentence, my data, type words, CSV, table, spreadsheet, Excel, matrix, word '
      + 'vectors, embeddings, image, JSON, NumPy, upload a file',
    picture: 'figure, image, plot, SVG, PNG, PDF, download, export, print, screenshot, save, both sides, heatmap',
    code: 'LaTeX, formula, equation, PyTorch, Python, NumPy, export, download, implementation, script, module, '
      + 'numbers, CSV, table of weights',
    present: 'lecture, present, presentation, projector, slides, full screen, lesson, teach, teaching, classroom',
    cost: 'memory, time, speed, FLOPs, KV cache, parameters, operations, how long, faster, slow, inference',
    predict: 'prediction, next token, next word, language model, GPT, ChatGPT, LLM, generate, write, text, sampling, '
      + 'probability',
    systems: 'gallery, list, paper, papers, Transformer, BERT, GPT, architecture, architectures, model zoo, examples' },
  // The same for questions that no lesson answers.
  doorWords: { learn: 'train, training, learn, learning, optimiser, Adam, loss, epochs, gradient descent, '
      + 'backpropagation, backprop, backwards, backward pass, curve',
    embed: 'iframe, website, blog, web page, HTML, course page, Moodle, Notion, frame' } as Record<string, string>,
  questions: message((n: number) => ({ n }), plural('n', { one: '1 question found', other: '# questions found' })),
  partly: message((kept: string) => ({ kept }),
    'No question is about all of these words. Shown: questions about “{ $kept }”.'),
};

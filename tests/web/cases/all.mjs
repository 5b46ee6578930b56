// SPDX-License-Identifier: Apache-2.0
import { access } from './access.mjs';
import { again } from './again.mjs';
import { arrivals } from './arrival.mjs';
import { blocks } from './blocks.mjs';
import { bring } from './bring.mjs';
import { carried } from './carried.mjs';
import { cells } from './cells.mjs';
import { classes } from './classes.mjs';
import { comparison, sampling } from './compare.mjs';
import { controls } from './controls.mjs';
import { corpus } from './corpus.mjs';
import { cost } from './cost.mjs';
import { dropped } from './dropped.mjs';
import { editing } from './editing.mjs';
import { efficient } from './efficient.mjs';
import { embeds } from './embed.mjs';
import { entries } from './entries.mjs';
import { exact } from './exact.mjs';
import { firstVisit } from './first.mjs';
import { hosts } from './hosts.mjs';
import { images } from './images.mjs';
import { languageModel } from './language.mjs';
import { languages } from './languages.mjs';
import { learned } from './learned.mjs';
import { leftOver } from './left-over.mjs';
import { lectures } from './lecture.mjs';
import { lessons } from './lessons.mjs';
import { eighteenth } from './eighteenth.mjs';
import { nineteenth } from './nineteenth.mjs';
import { engineCases } from './engine.mjs';
import { fusedCases } from './fused.mjs';
import { gallery } from './gallery.mjs';
import { links } from './links.mjs';
import { long } from './long.mjs';
import { models } from './models.mjs';
import { moving } from './moments.mjs';
import { oembeds } from './oembed.mjs';
import { outside } from './outside.mjs';
import { ownModels } from './own-models.mjs';
import { ownText } from './own-text.mjs';
import { pictures } from './pictures.mjs';
import { proposals } from './proposals.mjs';
import { readers } from './readers.mjs';
import { realModel } from './real.mjs';
import { recovery } from './recover.mjs';
import { rows } from './rows.mjs';
import { share } from './share.mjs';
import { spans } from './spans.mjs';
import { strangers } from './stranger.mjs';
import { structure } from './structure.mjs';
import { systems } from './systems.mjs';
import { take } from './take.mjs';
import { timelines } from './timeline.mjs';
import { judge } from './judge.mjs';
import { hand } from './hand.mjs';
import { smooth } from './smooth.mjs';
import { tasks } from './tasks.mjs';
import { train } from './train.mjs';
import { truths } from './true.mjs';
import { trainKept } from './train-kept.mjs';
import { trainLook } from './train-look.mjs';
import { trainOwn } from './train-own.mjs';
import { trainSet } from './train-set.mjs';
import { trainSettings } from './train-settings.mjs';
import { trainTwo } from './train-two.mjs';
import { today } from './today.mjs';
import { touch } from './touch.mjs';
import { fourteenth } from './fourteenth.mjs';
import { fourteenthB } from './fourteenth-b.mjs';
import { fifteenth } from './fifteenth.mjs';
import { fifteenthB } from './fifteenth-b.mjs';
import { sixteenthA } from './sixteenth-a.mjs';
import { sixteenthB } from './sixteenth-b.mjs';
import { seventeenthC } from './seventeenth-c.mjs';
import { headsOff } from './heads-off.mjs';
import { thirteenthB } from './thirteenth-b.mjs';
import { thirteenth } from './thirteenth.mjs';
import { twelfth } from './twelfth.mjs';
import { waking } from './waking.mjs';
import { walk } from './walk.mjs';
import { words } from './words.mjs';
import { ways } from './ways.mjs';

/** What a plain ./test drives: the first visit, editing, links and what they bring back, of earlier releases too. */
// The element of the package, in a page of somebody else.
const elements = languages.filter(({ name }) => name.startsWith('two elements'));

export const core = new Set([...firstVisit, ...elements, ...editing, ...links, ...exact, ...engineCases, ...corpus]);

export const cases = [
  ...pictures,
  ...editing,
  ...controls,
  ...links,
  ...exact,
  ...long,
  ...realModel,
  ...ways,
  ...models, ...ownModels, ...ownText,
  ...dropped,
  ...languageModel,
  ...classes,
  ...words,
  ...proposals,
  ...recovery,
  ...gallery,
  ...entries,
  ...learned,
  ...bring,
  ...images,
  ...timelines,
  ...spans,
  ...strangers,
  ...twelfth,
  ...fourteenth, ...fourteenthB, ...fifteenth, ...fifteenthB, ...sixteenthA, ...sixteenthB, ...seventeenthC, ...moving,
  ...headsOff, ...readers,
  ...thirteenthB,
  ...thirteenth,
  ...blocks,
  ...outside,
  ...structure,
  ...systems,
  ...eighteenth,
  ...today,
  ...share,
  ...carried,
  ...take,
  ...firstVisit,
  ...embeds,
  ...oembeds,
  ...hosts,
  ...lessons,
  ...lectures,
  ...leftOver,
  ...languages,
  ...nineteenth,
  ...access,
  ...cells,
  ...waking,
  ...walk,
  ...truths,
  ...touch,
  ...comparison,
  ...sampling,
  ...cost,
  ...efficient,
  ...rows,
  ...engineCases,
  ...fusedCases,
  ...judge, ...train, ...trainKept, ...trainLook, ...trainSet, ...trainSettings, ...trainOwn,
  ...trainTwo, ...smooth, ...tasks, ...hand,
  ...again,
  ...arrivals,
  ...corpus,
];

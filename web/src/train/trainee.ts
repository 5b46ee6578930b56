// SPDX-License-Identifier: Apache-2.0
// One training in a worker (trainer.ts): its session of the engine, and the orders that it obeys one after another.
import { trapped } from '../library/instance.ts';
import { Gathered } from './message-batches.ts';
import type { Begun, EngineAt, Held, Judged, Measured, Measures, News, Order, Picture, Problem, Progress, Step,
  TaskRecord, Trainer, TrainingDocument, Variant } from './messages.ts';
import type { InnerMaps } from './inner-maps.ts';
import { typedMap } from './map-types.ts';
import type { Team } from './team.ts';
import { type FittedMade, madeIn } from '../files/weights-origin.ts';
import { fitted, readWeights, type WeightsFile } from '../files/weights.ts';
import { joined } from '../lists.ts';

// In the worker: one measure after another, so that whoever waits sees each as it comes.
type Answer = { measures?: Judged[]; error?: Problem };

async function judge(
  module: Trainer, session: number, { ids, examples }: Extract<Order, { kind: 'judge' }>, picture: Picture,
    tell: (news: News) => void, wait: (ms: number) => Promise<void>,
): Promise<void> {
  const ask = (request: object): Answer => JSON.parse(module.trainEvaluate(session, JSON.stringify(request))) as Answer;
  // Which measures read what such a model gives, the engine knows: of one example it says so at once.
  const chosen = ids ?? (ask({ examples: 1 }).measures ?? []).map(({ measure }) => measure);
  tell({ kind: 'judging', picture, count: chosen.length });
  for (const [k, id] of chosen.entries()) {
    await wait(0);
    const { measures, error } = ask({ examples, measures: [id] });
    const [found] = measures ?? [];
    tell({ kind: 'judged', id, ...(found ? { found } : {}), ...(error ? { problem: error } : {}),
      last: k === chosen.length - 1 });
  }
  module.trainClose(session);
}

/** So many pictures, measurements and checkpoints are made over the whole training. */
const PICTURES = 400;
const MEASUREMENTS = 60;
const CHECKPOINTS = 20;
/** Between two looks at what was ordered meanwhile, in milliseconds. */
const SHARE = 50;
/** While it runs, so many held-out examples are measured; all of them at the end. */
const SAMPLE = 96;
/** Of so many of them it is shown what the model writes. */
const SHOWN = 5;

/** Further behind its pace than this, in milliseconds, a slow machine does not try to make up for it. */
const BEHIND = 250;

export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

function read<T>(text: string): T {
  const answer = JSON.parse(text) as T & { error?: Problem };
  if (answer.error) throw new Refused(answer.error);
  return answer;
}

/** Where each list of an answer lies in its packed numbers: its start and its length. */
interface Listed {
  lists: Record<string, [number, number]>;
}

const listIn = ({ lists }: Listed, data: Float32Array, name: string): Float32Array => {
  const [start, length] = lists[name]!;
  return data.slice(start, start + length);
};

interface Written extends Held {
  written: string[];
}

// What is wrong with a file is no crash, however its bytes lie.
function fileOf(bytes: Uint8Array): WeightsFile {
  try {
    return readWeights(bytes);
  } catch (problem) {
    throw new Refused({ path: '', message: problem instanceof Error ? problem.message : String(problem) });
  }
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export class Trainee {
  private module!: Trainer;
  private begun: Begun | undefined;
  private playing = false;
  private pace = 0;
  /** Where playing ends by itself. */
  private until = Infinity;
  /** Of the loop that plays: one that another overtook ends without a word. */
  private round = 0;
  private perSecond = 0;
  /** What the training stops at was reached: it stops there once. */
  private met = false;
  /** The session whose scene the page knows. */
  private seenOf: number | undefined;
  /** The step of the newest picture that the page has. */
  private shownAt: number | undefined;
  /** Settles once the training that was begun last is there: what is ordered meanwhile waits for it. */
  private ready: Promise<unknown> = Promise.resolve();
  private readonly gathered: Gathered;
  /** Gives the maps that the training's engine does not give. */
  private inner: InnerMaps | undefined;

  /** This worker and a second one, where the document and the page allow two. */
  private team: Team | undefined;

  /** `load`: the engine, which trainings of one worker share. */
  constructor(private readonly load: (wasmUrl: string) => Promise<Trainer>,
    private readonly tell: (news: News) => void,
    private readonly openInner?: (at: EngineAt, document: TrainingDocument, weights: Uint8Array) =>
    Promise<InnerMaps | undefined>,
    private readonly teamOf?: (engine: Trainer, begun: Begun, order: Extract<Order, { kind: 'begin' }>) =>
    Team | undefined) {
    this.gathered = new Gathered(tell, () => performance.now());
  }

  /** Throws only what the engine died of. */
  async obey(order: Order): Promise<void> {
    const opens = order.kind === 'begin' || order.kind === 'judge';
    try {
      if (!opens) await this.ready.catch(() => undefined);
      const done = this.follow(order);
      if (opens) this.ready = done;
      await done;
    } catch (problem) {
      if (trapped(problem)) throw problem;
      // A file that cannot be made stops nobody.
      if (order.kind !== 'save' && order.kind !== 'try') this.playing = false;
      this.tell({ kind: 'refused', by: order.kind, problem: problem instanceof Refused ? problem.problem
        : { path: '', message: problem instanceof Error ? problem.message : String(problem) } });
    }
  }

  private every(parts: number): number {
    return Math.max(1, Math.floor(this.begun!.steps / parts));
  }

  private picture(step: number, session = this.begun!.session): Picture {
    const { directory, data } = this.module.trainPinned(session);
    const { lists, ...pinned } = read<Picture & Listed>(directory);
    const maps = pinned.maps.map(({ name }) => listIn({ lists }, data, name));
    const weights = joined(maps, Float32Array);
    if (this.inner && session === this.begun!.session)
      return { ...pinned, step, ...this.inner(this.saved('float')) };
    return { ...pinned, maps: pinned.maps.map(typedMap), step, weights,
      ...(pinned.image ? { pixels: listIn({ lists }, data, 'image') } : {}) };
  }

  // The pinned example now; what of it never changes goes with the first picture of a session alone.
  private pictured(step: number): Pick<Progress, 'scene' | 'shots'> {
    const { written, chance, weights, ...scene } = this.picture(step);
    const shots = [{ step, written, chance, weights }];
    this.shownAt = step;
    if (this.seenOf === this.begun!.session) return { shots };
    this.seenOf = this.begun!.session;
    return { scene, shots };
  }

  // Takes at most so many steps, and says what each found, and why it went back if it did.
  private stepped(count: number): { steps: Step[]; at: number; failure?: string } {
    const { session, step } = this.begun!;
    const { directory, data } = this.team?.step(count, SHARE) ?? this.module.trainStep(session, count, SHARE);
    const answer = read<Listed & { step: number; taken: number; failure?: string }>(directory);
    const [loss, gradientNorm, rate] = ['loss', 'gradientNorm', 'rate'].map((name) => listIn(answer, data, name));
    const steps = Array.from(loss!,
      (one, k) => ({ step: step + k + 1, loss: one, gradientNorm: gradientNorm![k]!, rate: rate![k]! }));
    return { steps, at: answer.step, failure: answer.failure };
  }

  private measures(count: number): Measures {
    return read<Measures>(this.module.trainMeasure(this.begun!.session, count));
  }

  private saved(what: 'checkpoint' | 'half' | 'float'): Uint8Array {
    return this.module.trainSave(this.begun!.session, what).data;
  }

  private progress(news: Partial<Progress>): Progress {
    return { kind: 'progress', at: this.begun!.step, steps: [], measured: [], shots: [], checkpoints: [],
      perSecond: this.perSecond, workers: this.team?.way === 'together' ? 2 : 1, ...news };
  }

  private examples(): Written[] {
    return read<{ examples: Written[] }>(this.module.trainExamples(this.begun!.session, SHOWN)).examples;
  }

  private measuredNow(count: number): Measured[] {
    const { step, heldOut } = this.begun!;
    const some = this.measures(count);
    // A few examples may reach by luck what all together do not.
    const sure = some.reached && !this.met && count < heldOut ? this.measures(heldOut) : some;
    return [{ ...sure, step, written: this.examples().map(({ written }) => written) }];
  }

  // A training that stands still shows its own step, not that of the last regular picture.
  private pictureNow(): Partial<Progress> {
    const { step } = this.begun!;
    return this.shownAt === step ? {} : this.pictured(step);
  }

  private checkpointNow() {
    return [{ step: this.begun!.step, bytes: this.saved('checkpoint') }];
  }

  // Takes steps up to the next that something is to be shown of.
  private advance(most: number): number {
    const begun = this.begun!;
    const from = begun.step;
    const next = (parts: number) => (Math.floor(from / this.every(parts)) + 1) * this.every(parts);
    const stop = Math.min(begun.steps, this.until, next(PICTURES), from + most);
    const { steps, at: now, failure } = this.stepped(stop - from);
    begun.step = now;
    const failed = failure !== undefined;
    const due = (parts: number) => failed || now === begun.steps || now % this.every(parts) === 0;
    const end = now === begun.steps;
    const measured = due(MEASUREMENTS) ? this.measuredNow(end ? begun.heldOut : SAMPLE) : undefined;
    const reached = !this.met && !failed && measured?.[0]!.reached === true;
    this.met ||= reached;
    this.gathered.add(this.progress({
      steps, ...(failed ? { failure } : {}), ...(measured ? { measured } : {}), ...(reached ? { reached } : {}),
      ...(due(PICTURES) ? this.pictured(now) : {}),
      ...(due(CHECKPOINTS) ? { checkpoints: this.checkpointNow() } : {}),
    }));
    if (failed || reached || end || now >= this.until) this.playing = false;
    return steps.length;
  }

  // Puts those of the other weights into a session that fit it.
  private fit(session: number, from: WeightsFile, patch?: Record<string, number[]>): FittedMade {
    const { file, kept, drawn } = fitted(readWeights(this.module.trainSave(session, 'float').data), from, patch);
    if (kept.length === 0)
      throw new Refused({ path: '', message: `of the ${from.tensors.size} weights of this file none has the name and `
        + `the shape of one of this model's ${drawn.length}: it is of another model` });
    read(this.module.trainRestore(session, file));
    return { kept, drawn, made: madeIn(from.metadata) };
  }

  // What the model measures with something else in one place.
  private tried({ document, patch }: Variant, whole: boolean): { measures?: Measures; problem?: Problem } {
    let session: number | undefined;
    try {
      const begun = read<Begun>(this.module.trainOpen(document, ''));
      ({ session } = begun);
      this.fit(session, readWeights(this.saved('float')), patch);
      return { measures: read<Measures>(this.module.trainMeasure(session, whole ? begun.heldOut : SAMPLE)) };
    } catch (problem) {
      if (trapped(problem)) throw problem;
      return { problem: problem instanceof Refused ? problem.problem : { path: '', message: String(problem) } };
    } finally {
      if (session !== undefined) this.module.trainClose(session);
    }
  }

  private async play(): Promise<void> {
    const own = ++this.round;
    let since = performance.now();
    let count = 0;
    // When the next step is to be taken: what a wait took too long, the next ones make up for.
    let due = since;
    while (this.playing && own === this.round) {
      if (this.pace === 0 && this.team) {
        await this.team.prepare();
        if (!this.playing || own !== this.round) break;
      }
      const start = performance.now();
      let taken = 0;
      // A slow pace takes one step at a time; at full speed as many as fit between two looks.
      do taken += this.advance(this.pace > 0 ? 1 : 8);
      while (this.playing && this.pace === 0 && performance.now() - start < SHARE);
      count += taken;
      const now = performance.now();
      if (now - since > 500) {
        this.perSecond = (1000 * count) / (now - since);
        since = now;
        count = 0;
      }
      due = this.pace > 0 ? Math.max(due + (1000 * taken) / this.pace, now - BEHIND) : now;
      await wait(Math.max(0, due - now));
    }
    if (own !== this.round) return;
    const { begun } = this;
    // Whoever pauses may leave the page.
    if (begun && begun.step < begun.steps)
      this.gathered.add(this.progress({ ...this.pictureNow(), checkpoints: this.checkpointNow() }));
    this.gathered.flush();
    if (begun) this.tell({ kind: 'stopped', at: begun.step, finished: begun.step >= begun.steps });
  }

  private async begin(order: Extract<Order, { kind: 'begin' }>): Promise<void> {
    this.playing = false;
    this.inner = undefined;
    this.team?.close();
    this.team = undefined;
    this.module = await this.load(order.wasmUrl);
    const begun = (this.begun = read<Begun>(this.module.trainOpen(order.document, order.checkpoint ?? '')));
    const kept = order.weights && this.fit(begun.session, fileOf(order.weights));
    this.team = this.teamOf?.(this.module, begun, order);
    begun.tasks = JSON.parse(this.module.tasks()) as TaskRecord[];
    begun.knobs = begun.tasks.find(({ id }) => id === begun.task)?.knobs;
    this.tell({ kind: 'begun', begun, fitted: kept });
    this.perSecond = 0;
    this.met = false;
    await this.lookInside(begun, order.engine);
    // As when it came there: what has ended was measured by all of them.
    const measured = this.measuredNow(begun.step >= begun.steps ? begun.heldOut : SAMPLE);
    // What goes on from behind the target does not stop at it again.
    this.met = begun.step > 0 && measured[0]!.reached === true;
    this.tell(this.progress({ measured, ...this.pictured(begun.step), checkpoints: this.checkpointNow(),
      held: this.examples().map(({ asked, truth }) => ({ asked, truth })) }));
  }

  // Only of words, and where the training's engine gives none. Without the other engine there is no map.
  private async lookInside({ session, document }: Begun, at: EngineAt | undefined): Promise<void> {
    const { maps, image } = this.picture(0, session);
    if (!at || !document || maps.length > 0 || image) return;
    this.inner = await this.openInner?.(at, document, this.saved('float')).catch(() => undefined);
  }

  private async follow(order: Order): Promise<void> {
    switch (order.kind) {
      case 'begin':
        return this.begin(order);
      case 'judge': {
        this.module = await this.load(order.wasmUrl);
        const { session } = read<Begun>(this.module.trainOpen(order.document, ''));
        this.fit(session, fileOf(order.weights));
        return judge(this.module, session, order, this.picture(0, session), this.tell, wait);
      }
      case 'play':
        this.pace = order.pace;
        this.until = order.until ?? Infinity;
        if (this.playing || !this.begun) return;
        this.playing = true;
        return this.play();
      case 'pause':
        this.playing = false;
        return;
      // The worker answers it by itself (trainer.ts): it has nothing to do with a training.
      case 'module':
      case 'fits':
        return;
      case 'step':
        if (!this.playing && this.begun) {
          this.until = Infinity;
          this.advance(1);
          this.gathered.add(this.progress(this.pictureNow()));
        }
        this.gathered.flush();
        return;
      case 'restore':
        this.playing = false;
        this.round++;
        this.gathered.drop();
        this.team?.leave();
        this.shownAt = undefined;
        this.begun = { ...this.begun!,
          ...read<{ step: number }>(this.module.trainRestore(this.begun!.session, order.checkpoint)) };
        this.met = this.measures(SAMPLE).reached === true;
        this.tell({ kind: 'begun', begun: this.begun });
        return;
      case 'try':
        for (const [at, variant] of order.variants.entries()) {
          this.tell({ kind: 'tried', at, ...this.tried(variant, order.whole === true),
            last: at === order.variants.length - 1 });
          await wait(0);
        }
        return;
      case 'save':
        // Whoever goes on from these bytes has all that came before them.
        this.gathered.flush();
        this.tell({ kind: 'saved', bytes: this.saved(order.weightsOnly ? 'float' : 'checkpoint'),
          weightsOnly: order.weightsOnly });
        return;
      case 'close':
        this.playing = false;
        this.round++;
        this.inner = undefined;
        this.team?.close();
        this.team = undefined;
        if (this.begun) this.module.trainClose(this.begun.session);
        this.begun = undefined;
    }
  }
}

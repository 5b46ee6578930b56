// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { equation } from '../directory/naming.ts';
import { marginOf, shownAlone } from '../first/margin.ts';
import { HEAD } from '../directory/places.ts';
import { distinct, plane, type Tensor } from '../engine/result.ts';
import { imagePorts } from '../state/image-ports.ts';
import { Later } from '../lazy-fetch.ts';
import { measured, widthOf } from '../measured.ts';
import { Part, property, reactive } from '../part.ts';
import { WAYS } from '../state/link-view.ts';
import { moduleCalled } from '../strings/counted.ts';
import { strings } from '../strings/en.ts';
import { headNamed } from '../strings/heads.ts';
import { direction } from '../strings/language.ts';
import { icons } from '../styles/icons.ts';
import { flowStyles } from './flow.styles.ts';
import { geometry } from './geometry.ts';
import { bring, goTo } from './go-to.ts';
import { many } from './many.ts';
import { type Arranged, arrange, type Module, tensorsOf, weightsOf } from '../directory/modules.ts';
import { largeShown, openModule } from './open.ts';
import { LONG, stage as narrowStage } from './narrow.ts';
import { wholeTable } from './whole-table.ts';
import { reached, type Stage, stageShown } from './stages.ts';
import { unfit } from './misfit-notice.ts';
import { warningsOf } from '../engine/encoder.ts';
import { withoutUnknown } from '../state/vocabulary.ts';
import { isModel } from '../state/model.ts';
import { warned } from './warnings.ts';
import { rank, type Rank } from '../turns.ts';

const samples = new Later(() => import('../sampling/sampling.ts'));
const truths = new Later(() => import('../inputs/truth.ts'));
const walks = new Later(() => import('./walk-step.ts'));
const views = new Later(() => import('./views.ts'));
const maps = new Later(() => import('../row/map-rows.ts'));
const larges = new Later(() => import('../large/large.ts'));
const pictures = new Later(() => import('../views/view-element.ts'));
const images = new Later(() => import('../image/image.ts'));
const courses = new Later(() =>
  Promise.all([import('../timeline/timeline.ts'), import('../directory/steps-in-time.ts')]));
const structures = new Later(() => import('../structure/structure.ts'));
const facts = new Later(() => Promise.all([import('./heads.ts'), import('./measures.ts')]));
const memories = new Later(() => import('./memory.ts'));
const lists = new Later(() => import('./parameter-list.ts'));
const overviews = new Later(() => import('../heads/overview.ts'));
const compares = new Later(() => import('../compare/compare.ts'));
// A map whose columns are at least READABLE wide, in CSS pixels, names each of them and prints its numbers.
const [NARROW, READABLE, MOST_COURSES] = [600, 24, 4];
// What lies between the diagram and the edge of the page, and both edges together (flow.styles.ts).
const [WITHOUT_EDGE, EDGES] = [30, { wide: 48, narrow: 28 }];
const isOpen = ({ target }: Event): boolean => (target as HTMLDetailsElement).open;

/** The computation, drawn; wide as a whole, narrow one stage at a time. */
export class FlowElement extends Part {
  /** One stage and nothing below it. */
  @property({ type: Boolean }) bare!: boolean;
  /** What is to be said of the answer stands beside it already. */
  @property({ type: Boolean }) told!: boolean;
  @reactive width = 0;
  @reactive open = false;
  @reactive listing = false;
  /** The diagram of a single module is shown. */
  @reactive unfolded = false;

  static override styles = flowStyles;

  constructor() {
    super();
    measured(this, (width) => (this.width = Math.floor(width)));
  }

  protected override get rank(): Rank {
    return rank.picture;
  }

  override willUpdate(): void {
    // Told by the browser, the width would come a frame later.
    if (this.width === 0) this.width = Math.floor(widthOf(this));
    const was = this.hasAttribute('narrow');
    // With its edge, which is another on a narrow page: else each of two widths would lead to the other.
    this.narrow = this.width > 0 && (this.bare || this.width + EDGES[was ? 'narrow' : 'wide'] < NARROW);
    if (this.narrow === was) return;
    this.toggleAttribute('narrow', this.narrow);
    this.width = Math.floor(widthOf(this));
  }

  private tabled: string | undefined;
  private narrow = false;

  override updated(): void {
    const { table } = this.store.view;
    const asked = table !== this.tabled && table !== undefined;
    this.tabled = table;
    // One that a link opens leaves the page where it is.
    if (!asked || !(this.renderRoot as ShadowRoot).activeElement) return;
    const sheet = this.renderRoot.querySelector<HTMLElement>('[data-part="table"]');
    sheet?.scrollIntoView({ block: 'center' });
    sheet?.focus({ preventScroll: true });
  }

  override render(): unknown {
    const { result, shapes } = this.store.sessions;
    if (this.width === 0) return nothing;
    if (!result) return shapes ? this.waiting(arrange(shapes)) : nothing;
    const arranged = arrange(result);
    if (this.store.view.walk !== undefined) void walks.wanted();
    if (this.store.view.view !== 'matrix' || this.store.view.table !== undefined) void views.wanted();
    if (this.store.comparison.on) void compares.wanted();
    const compared = this.store.comparison.on ? html`<ap-compare .width=${this.width}></ap-compare>` : undefined;
    const { sessions: { slow }, trial: { unpictured } } = this.store;
    return html`${unfit(this.store)}<div class="${slow ? 'dim' : ''} ${this.narrow ? 'narrow' : ''} ${
      unpictured ? 'hidden' : ''}">
        ${this.store.view.walk === undefined ? nothing : html`<ap-walking .width=${this.width - 30}></ap-walking>`}
        ${compared ?? nothing}
        ${compared ? nothing : this.narrow ? this.alone(arranged) : this.whole(arranged)}
        <slot name="change"></slot>
        ${this.bare || compared ? nothing : html`<slot name="doors"></slot>${this.courses()}`}
        ${samples.use(this)?.sampling(this.store) ?? nothing}
        ${!compared && !this.narrow && this.folded(arranged) ? this.structure(false) : nothing}
        ${this.bare || (compared && !isModel(result.directory.document)) ? nothing : overviews.use(this) ? html`
          <ap-heads-overview dir=${direction()} .weights=${openModule(this.store, arranged.modules)?.weights}
          @open-head=${(e: CustomEvent<string>) => this.goTo(e.detail)}></ap-heads-overview>` : nothing}
        ${this.bare ? nothing : this.rest(arranged)}
      </div><div class="busy" role="presentation"></div>`;
  }

  private alone(arranged: Arranged): unknown {
    const { store, store: { writer: { truth } } } = this;
    const [module, several] = [openModule(store, arranged.modules), arranged.modules.length > 1];
    const map = module?.weights ?? module?.scores;
    const long = map !== undefined && plane(map, this.store.selection.chosen).cols >= LONG;
    if (long) void larges.wanted();
    const only = { ...arranged, modules: module ? [module] : [] };
    // Where the inputs are out of sight, what is to be said of the answer stands here.
    const said = truth && !this.told && truths.use(this)
      ? html`<ap-truth dir=${direction()} .name=${truth.input}></ap-truth>` : nothing;
    return html`${said}${this.bare ? nothing : html`${this.structure(several)}${this.images()}`}${
      several && module?.name ? html`<h2>${moduleCalled(module.name)}</h2>` : nothing}
      ${narrowStage(this.store, only, this.width, module ? this.views(module) : nothing,
        long ? larges.use(this)?.labelled : undefined)}${
        this.noted(module) && (stageShown(this.store) ?? 'weights') === 'weights' ? html`<ap-margin></ap-margin>`
          : nothing}${this.left([module?.name ?? ''])}`;
  }

  // Where there is no room for the inputs beside, the images that are looked at stand here.
  private images(): unknown {
    const ports = imagePorts(this.store.book, this.store.documents.document);
    return ports.length > 0 && images.use(this)
      ? ports.map(({ input }) => html`<ap-image fixed .input=${input}></ap-image>`) : nothing;
  }

  // Steps in time, and hops.
  private courses(): unknown {
    const { result } = this.store.sessions;
    const [shown, found] = (result && courses.use(this)) ?? [];
    const maps = (result && found?.courseMaps(result)) ?? [];
    return maps.length > 0 && shown
      ? html`<section>${shown.timelines(maps.slice(0, MOST_COURSES))}</section>` : nothing;
  }

  private whole(arranged: Arranged): unknown {
    const { store, width } = this;
    const module = openModule(store, arranged.modules);
    const several = arranged.modules.length > 1;
    const alone = this.folded(arranged);
    if (!alone && this.parted) return this.inPlace(arranged, module);
    return html`${alone ? nothing : this.structure(false)}${this.large(module, width, alone)}${module ? html`
      <div class="beside">${geometry(
        { store, module, input: several ? undefined : this.source(), width, views: this.views(module), alone,
        back: this.stands(module) })}
        ${this.left([module.name])}</div>
      ${module.weights && (!alone || module.weights.places.includes(HEAD)) 
        ? this.below(module.weights, module.mask) : nothing}` : this.left([''])}`;
  }

  // Of several modules one is drawn large where it stands in the diagram: an attention in its geometry, of any other
  // what it gives.
  private inPlace({ modules }: Arranged, module: Module | undefined): unknown {
    const { store } = this;
    void structures.wanted();
    const { frame } = structures.use(this) ?? { frame: 0 };
    const width = this.width - WITHOUT_EDGE;
    const inner = width - frame;
    const shown = largeShown(store);
    const attention = module?.name === shown ? module : undefined;
    const source = modules.length > 1 ? undefined : this.source();
    const drawn = attention ? html`${this.large(attention, inner)}
      <div class="beside">${geometry(
        { store, module: attention, input: source, width: inner, views: this.views(attention),
        back: this.stands(attention) })}
        ${this.left([attention.name])}</div>
      ${attention.weights ? this.below(attention.weights, attention.mask, inner) : nothing}`
      : html`${many(store, this.given(shown), inner, pictures.use(this)?.better)}${this.left([shown ?? ''])}`;
    return html`<h2 dir=${direction()}>${strings.structure.title}</h2><ap-structure .width=${width} .holds=${true}
      @to-matrix=${this.toMatrix}>${drawn}</ap-structure>`;
  }

  // What a module gives; numbers with two names once.
  private given(name: string | undefined): Tensor[] {
    return distinct((this.store.sessions.result?.all('outputs') ?? []).filter(({ within }) => within === name));
  }

  // The diagram has several modules, attentions or not.
  private get parted(): boolean {
    const { result } = this.store.sessions;
    return result !== undefined && new Set(result.all('outputs').map(({ within }) => within ?? '')).size > 1;
  }

  // The module's weights are those that notes speak of.
  private noted(module: Module | undefined): boolean {
    return module?.weights !== undefined && marginOf(this.store)?.tensor.name === module.weights.name;
  }

  // The module's weights are those that stand alone.
  private stands(module: Module | undefined): boolean {
    return module?.weights !== undefined && shownAlone(this.store)?.name === module.weights.name;
  }

  // A trained model shows its weights alone until somebody asks for what is behind them, or comes to it another way.
  private folded({ modules }: Arranged): boolean {
    const { view, selection: { lock } } = this.store;
    const module = openModule(this.store, modules);
    if (!module || modules.length > 1 || view.how || view.walk !== undefined || !this.stands(module)) return false;
    if (view.stage !== undefined && view.stage !== 'weights') return false;
    return !tensorsOf(module).some(({ name, group }) =>
      name === lock?.tensor && group === lock.group && name !== module.weights?.name);
  }

  // What the reader wants large, or else the weights of a long text that do not stand large already.
  private large({ weights }: Module = { name: '' }, width = this.width, alone = false): unknown {
    const { store } = this;
    const wanted = store.view.large === undefined ? undefined : store.sessions.result?.whole(store.view.large);
    const cols = weights ? plane(weights, store.selection.chosen).cols : 0;
    const long = store.view.view === 'matrix' && cols >= LONG && !(alone && width / cols >= READABLE)
      ? weights : undefined;
    const tensor = wanted ?? long;
    if (!tensor) return nothing;
    void larges.wanted();
    return larges.use(this)?.large(store, tensor, width - 4, wanted !== undefined) ?? nothing;
  }

  // Of several modules the diagram is the way around; of one it is unfolded on demand.
  private structure(several: boolean): unknown {
    if (several) void structures.wanted();
    const diagram = () => (structures.use(this)
      ? html`<ap-structure .width=${this.width - WITHOUT_EDGE} .holds=${false}
        @to-matrix=${this.toMatrix}></ap-structure>` : nothing);
    if (several) return html`<h2 dir=${direction()}>${strings.structure.title}</h2>${diagram()}`;
    return html`<details class="structure" @toggle=${(e: Event) => this.unfold(isOpen(e))}>
      <summary dir=${direction()}>${strings.structure.title} <span
        class="note">${strings.structure.note}</span></summary>${this.unfolded ? diagram() : nothing}</details>`;
  }

  private unfold(open: boolean): void {
    this.unfolded = open;
    if (open) void structures.wanted().then(() => this.requestUpdate());
  }

  bring(name: string): void {
    bring(this.renderRoot, name);
  }

  /** The keyboard comes to the weights, or else to the first matrix. */
  enter(): void {
    const { result } = this.store.sessions;
    const weights = result && weightsOf(result);
    this.goTo(weights?.name);
  }

  // Whoever asks for a table at a matrix is brought to it; Escape leads back.
  private readonly shutTable = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    const { table } = this.store.view;
    this.store.view.show({ table: undefined });
    void this.updateComplete.then(() => this.goTo(table));
    event.preventDefault();
  };

  private readonly toMatrix = (event: CustomEvent<string>): void => this.goTo(event.detail);

  private goTo(name: string | undefined): void {
    void goTo(this.renderRoot, name);
  }

  // Maps that were left out for their size, or never held: a row of them on demand.
  private left(of: string[]): unknown {
    const { left } = this.store.sessions.result ?? {};
    if (!left?.length) return nothing;
    void maps.wanted();
    return maps.use(this)?.rows(left, of) ?? nothing;
  }

  private waiting(arranged: Arranged): unknown {
    const { store, width } = this;
    if (this.narrow) return html`<div inert>${narrowStage(store, arranged, width, nothing)}</div>`;
    const module = openModule(store, arranged.modules);
    return module ? html`<div inert>${geometry({ store, module, input: undefined, width, views: nothing })}</div>`
      : nothing;
  }

  private below(weights: Tensor, mask: Tensor | undefined, width = this.width): unknown {
    const shown = plane(weights, this.store.selection.chosen);
    const hides = mask && plane(mask, this.store.selection.chosen);
    const fits = hides?.rows === shown.rows && hides.cols === shown.cols ? hides : undefined;
    void facts.wanted();
    return html`<div class="below ${this.later('weights')}">
      ${weights.places.includes(HEAD) ? html`<ap-heads .tensor=${weights} .mask=${fits}></ap-heads>` : nothing}
      <ap-measures .plane=${shown}></ap-measures></div>${
        weights.places.includes(HEAD) ? this.through(weights, width) : nothing}`;
  }

  // Of a computation that is stepped through, what it has not come to keeps its place and says nothing.
  private later(stage: Stage): string {
    return reached(this.store, stage) ? '' : 'unreached';
  }

  // A chosen word in all heads.
  private through(weights: Tensor, width: number): unknown {
    if (this.store.selection.lock !== undefined) void larges.wanted();
    return larges.use(this)?.through(weights, width - 4) ?? nothing;
  }

  // The inputs that are words: their features are drawn here, if anything reads them; numbers stand among the inputs.
  private words(): Tensor[] {
    const { result } = this.store.sessions;
    const given = result?.directory.document.inputs ?? {};
    return (result?.all('inputs') ?? []).filter((tensor) =>
      (given[tensor.name]?.['tokens'] ?? given[tensor.name]?.['labels']) && result!.reads(tensor));
  }

  // What queries and keys both come from: of several inputs no single one is the source.
  private source(): Tensor | undefined {
    const words = this.words();
    return words.length === 1 && this.store.sessions.result?.all('inputs').length === 1 ? words[0] : undefined;
  }

  private views(module: Module): unknown {
    const { weights } = module;
    if (!weights) return nothing;
    const heads = weights.shape[weights.places.indexOf(HEAD)] ?? 1;
    const at = Math.min(this.store.selection.chosen[HEAD] ?? 0, heads - 1);
    const go = (h: number) => this.store.selection.choose(HEAD, h);
    const { how } = this.store.view;
    return html`<div class="views">${this.narrow || !this.stands(module) ? nothing : html`<button class="how"
        data-part="how" aria-expanded=${how} @click=${() => this.store.view.show({ how: !how })}>${
          how ? strings.story.weightsAlone : strings.story.how}</button>`}
      <span class="seg" role="group"
        aria-label=${strings.viewAs}>${WAYS.map((view) => html`<button
        aria-pressed=${this.store.view.view === view}
        @click=${() => this.store.view.show({ view })}>${strings.views[view]}</button>`)}</span>
      ${this.narrow && heads > 1 ? html`<span class="pager">
        <button class="icon" aria-label=${strings.previousHead} ?disabled=${at === 0}
          @click=${() => go(at - 1)}>${icons.back}</button>
        <b>${headNamed(weights, at)}</b> <span class="unseen">${strings.ofHeads(heads / (weights.maps ?? 1))}</span>
        <button class="icon" aria-label=${strings.nextHead} ?disabled=${at >= heads - 1}
          @click=${() => go(at + 1)}>${icons.forward}</button></span>` : nothing}
    </div>`;
  }

  private rest({ modules, others: all }: Arranged): unknown {
    const { store, width } = this;
    // What stands large is not shown again.
    const large = this.narrow || store.comparison.on || !this.parted ? undefined : largeShown(store);
    const others = modules.some(({ name }) => name === large) ? all : all.filter(({ within }) => within !== large);
    const { result } = store.sessions;
    if (!result) return nothing;
    const found = [...(this.source() ? [] : this.words()), ...others];
    const parameters = result.all('parameters');
    const steps = result.all('steps');
    // That something was left out is no news where rows of it are shown.
    const byRows = result.left.length > 0 && maps.use(this)?.areRowsOfMaps(result.left) !== false;
    // What is said of an input stands beside its words, where there is room for them.
    const beside = !this.narrow && !this.bare;
    const engines = warningsOf(result.directory).filter(({ path }) =>
      (path !== '/outputs' || !byRows) && !(beside && path.startsWith('/inputs/')));
    const warnings = this.bare ? engines : withoutUnknown(engines, store.book, store.pictured);
    const table = store.view.table === undefined ? undefined : result.whole(store.view.table);
    return html`
      ${table ? wholeTable(store, table, this.shutTable) : nothing}
      ${result.directory.fused && !result.directory.left ? html`<p class="note" role="status">${strings.fused}</p>`
        : nothing}
      ${warned(warnings)}
      ${found.length ? html`<section class=${this.later('output')}><h2 dir=${direction()}>${
        strings.outputAndMore}</h2>${many(store, found, width, pictures.use(this)?.better,
        (tensor) => memories.use(this)?.equationIn(store.book, store.pictured, tensor) ?? equation(tensor))}</section>`
        : nothing}
      ${parameters.length ? html`<section><h2 dir=${direction()}>${strings.parameters} <span class="note">${
        lists.use(this)?.parametersSaid(store, parameters)}</span></h2>${
        lists.use(this)?.listed(store, parameters, this.listing, (e) => (this.listing = isOpen(e)))}${
        many(store, parameters, width)}</section>`
        : nothing}
      ${steps.length ? html`<section><details
        @toggle=${(e: Event) => (this.open = isOpen(e))}>
        <summary dir=${direction()}>${strings.everyStep} <span class="note">${strings.everyStepNote}</span></summary>
        ${this.open ? many(store, steps, width, pictures.use(this)?.better) : nothing}</details></section>` : nothing}`;
  }
}
customElements.define('ap-flow', FlowElement);

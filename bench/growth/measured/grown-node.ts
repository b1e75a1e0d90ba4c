import { setTimeout as sleep } from 'node:timers/promises';

import { HttpConnection, requestText } from '../../support/http-connection.ts';
import { processorTime, residentBytes } from '../../support/process-tree.ts';
import { seededRandom } from '../../support/random.ts';
import { startService, type RunningService } from '../../support/running-service.ts';
import { scratchDirectory } from '../../support/scratch-directory.ts';
import type { GeneratedStore } from '../data/generated-store.ts';
import { Figures } from './figures.ts';
import { Screen } from './screen.ts';
import { UpdateSource } from './update-source.ts';

/** Number of instruments that a stream selects: one screen. */
const followedByEach = 20;

/** Time after which memory is measured, in milliseconds. */
const settleMs = 2_000;

/** How long the check of the store may take, in milliseconds. */
const checkMaxMs = 240_000;

/** How long the last quotes of a push may take to reach every stream, in milliseconds. */
const showMaxMs = 30_000;

const mebibyte = 1024 ** 2;

/** The service on one core with a generated store, all its streams, and what is measured of it. */
export class GrownNode implements AsyncDisposable {
  readonly figures: Figures;
  readonly service: RunningService;
  readonly source: UpdateSource;
  readonly store: GeneratedStore;
  readonly screens: Screen[] = [];
  /** What is disposed with the node. It stays with {@link open} until the node is complete. */
  #cleanUp = new AsyncDisposableStack();
  readonly #random = seededRandom(27);
  /** Processor time of a second without requests and updates, in seconds. */
  #restShare = 0;

  private constructor(parts: {
    readonly figures: Figures;
    readonly service: RunningService;
    readonly source: UpdateSource;
    readonly store: GeneratedStore;
  }) {
    this.figures = parts.figures;
    this.service = parts.service;
    this.source = parts.source;
    this.store = parts.store;
  }

  /** Starts the service several times, and opens its streams after the last start. */
  static async open(
    store: GeneratedStore,
    { starts, streams }: { readonly starts: number; readonly streams: number },
  ): Promise<GrownNode> {
    await using cleanUp = new AsyncDisposableStack();
    const figures = new Figures();
    const { path } = cleanUp.use(await scratchDirectory());
    await store.copyTo(path);
    const start = (): Promise<RunningService> =>
      startService(path, { instruments: store.lines, args: argumentsFor(streams) });
    for (let count = 0; count < starts; count += 1) {
      await using service = await start();
      figures.add(count === 0 ? 'firstStart' : 'start', service.secondsToReady);
    }
    const service = cleanUp.use(await start());
    figures.add('start', service.secondsToReady);
    figures.add('store', store.bytes / 1e6);
    figures.add('check', (await checkedMs(service)) / 1e3);
    await sleep(settleMs);
    figures.add('idle', residentBytes(service.pid) / mebibyte);
    const source = cleanUp.use(await UpdateSource.of(service, store.universe));
    const node = new GrownNode({ figures, service, source, store });
    await node.#requestAllCloses();
    await node.#beginSessions();
    await node.#openStreams(streams);
    node.#cleanUp = cleanUp.move();
    return node;
  }

  /** The processor time of some work beyond that of a node at rest, in microseconds. */
  async cost(work: () => Promise<unknown>): Promise<number> {
    const [before, begun] = [this.#processorSeconds(), performance.now()];
    await work();
    const seconds = (performance.now() - begun) / 1e3;
    return (this.#processorSeconds() - before - seconds * this.#restShare) * 1e6;
  }

  /** Measures the processor time of a node with its streams, without requests and updates. */
  async measureRest(seconds: number): Promise<void> {
    this.#restShare = 0;
    const microseconds = await this.cost(() => sleep(seconds * 1e3));
    this.#restShare = microseconds / seconds / 1e6;
    this.figures.add('rest', this.#restShare * 100);
  }

  /** Requests targets one after another over one connection. */
  async requestInTurn(targets: Iterable<string>): Promise<void> {
    const { url, keys } = this.service;
    const headers = { authorization: `Bearer ${keys.read}` };
    using connection = await HttpConnection.open(Number(new URL(url).port));
    for (const target of targets) {
      const { promise, resolve } = Promise.withResolvers<number>();
      connection.exchange(requestText('GET', new URL(`${url}${target}`), headers), resolve);
      const status = await promise;
      if (status !== 200) throw new Error(`${target} got ${status}`);
    }
  }

  /** Waits until each stream has the last price of each of its instruments. */
  async untilCurrent(): Promise<void> {
    const until = performance.now() + showMaxMs;
    while (this.screens.some((one) => !one.isCurrent)) {
      if (performance.now() > until) throw new Error('streams lack a last quote');
      await sleep(5);
    }
  }

  /** The events of all streams so far. */
  get events(): number {
    return this.screens.reduce((sum, one) => sum + one.events, 0);
  }

  /** Adds the resident memory to the figures. */
  async measureMemory(name: 'loaded' | 'streaming' | 'atEnd'): Promise<void> {
    await sleep(settleMs);
    this.figures.add(name, residentBytes(this.service.pid) / mebibyte);
  }

  /** Opens a further screen of instruments that are picked at random. */
  async openScreen(tickers = this.#pick(), after?: number): Promise<Screen> {
    return Screen.open(this.service, tickers, this.source, after);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const screen of this.screens) screen[Symbol.dispose]();
    await this.#cleanUp.disposeAsync();
  }

  async #requestAllCloses(): Promise<void> {
    const { universe } = this.store;
    const panels = universe.panels.keys().map((panel) => `/cotizaciones?panel=${panel}`);
    await this.requestInTurn(panels);
    const targets = universe.instruments.map(
      ({ ticker }) =>
        `/historicos?especie=${encodeURIComponent(ticker)}&desde=2000-01-01&hasta=2026-12-31`,
    );
    const microseconds = await this.cost(() => this.requestInTurn(targets));
    this.figures.add('coldSeries', microseconds / targets.length);
    await this.measureMemory('loaded');
  }

  /** Gives each instrument a quote of the current session. */
  async #beginSessions(): Promise<void> {
    for (let round = 0; round < 3; round += 1) await this.source.push(this.source.tickers.length);
  }

  async #openStreams(streams: number): Promise<void> {
    const microseconds = await this.cost(async () => {
      while (this.screens.length < streams) this.screens.push(await this.openScreen());
      await this.untilCurrent();
    });
    this.figures.add('open', microseconds / streams);
    await this.measureMemory('streaming');
  }

  #pick(): readonly string[] {
    const { tickers } = this.source;
    const picked = new Set<string>();
    while (picked.size < Math.min(followedByEach, tickers.length)) {
      picked.add(tickers[Math.floor(this.#random() * tickers.length)] ?? '');
    }
    return [...picked];
  }

  #processorSeconds(): number {
    return processorTime(this.service.pid);
  }
}

function argumentsFor(streams: number): readonly string[] {
  const most = [
    '--streams-per-key-max',
    '--streams-max',
    '--connections-per-address-max',
    '--connections-max',
  ];
  return ['--access-log', 'off', ...most.flatMap((flag) => [flag, String(2 * streams + 1_000)])];
}

/** Waits until the service has checked its store. Gives the duration that it logs. */
async function checkedMs(service: RunningService): Promise<number> {
  const until = performance.now() + checkMaxMs;
  while (performance.now() < until) {
    const [, ms] = /"ms":(\d+)[^\n]*"msg":"store checked/.exec(service.output()) ?? [];
    if (ms !== undefined) return Number(ms);
    await sleep(100);
  }
  throw new Error('the check of the store takes too long');
}

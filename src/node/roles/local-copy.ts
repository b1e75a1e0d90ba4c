import { Turns } from '../../lib/time/turns.ts';
import type { ApiKeyRecord } from '../../domain/access/api-key.ts';
import { actionKey } from '../../domain/history/corporate-action.ts';
import { firstEpochDay, lastEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { repeat } from '../../lib/time/repeat.ts';
import type { LineState, PlaceNotes, StorePlace } from '../../store/contract/place.ts';
import type { Store } from '../../store/contract/store.ts';
import type { KnownKeys } from '../keys/keep-keys.ts';

/** How often the copy is brought up to date, in milliseconds. */
const copyEveryMs = 1_000;

/** Instruments whose closes are copied in one transaction. */
const tickersPerTransaction = 20;

const wholeRange = { from: firstEpochDay, to: lastEpochDay };

/** The note with the keys. It contains their hashes, and only the user of the service may read it. */
const keysNote = 'replica-keys';
/** The note with the state of the copy. */
const stateNote = 'replica-state';

/** The note with the newest line of the database that a node has known. */
const lineNote = 'replica-line';

/** What is known about a copy. */
interface CopyState {
  /** The revision of the source's history up to which all closes are copied. */
  readonly historyRevision: number;
  /** Whether all closes, actions, indices and quotes have been copied once. */
  readonly isComplete: boolean;
  /** When the source was last read, in epoch milliseconds. */
  readonly confirmedAt: number;
}

const nothing: CopyState = { historyRevision: 0, isComplete: false, confirmedAt: 0 };

/**
 * A copy of a store in a directory of this machine: closes, corporate actions, indices, quotes, and
 * the hashes of keys. A node starts from it while the database is down. It lags the database by about a second.
 */
export class LocalCopy implements AsyncDisposable {
  readonly store: Store;
  readonly #place: StorePlace;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #below: AsyncDisposable;
  #state: CopyState;
  readonly #notes = new Turns();
  #keyRevision: number | undefined;
  #actionRevision: number | undefined;
  #indexRevision: number | undefined;
  /** The highest version of the copied quotes. Undefined before the first copy of this process. */
  #quotePosition: number | undefined;

  private constructor(own: {
    readonly place: StorePlace;
    readonly store: Store;
    readonly state: CopyState;
    readonly log: Log;
    readonly clock: Clock;
    readonly below: AsyncDisposable;
  }) {
    this.#place = own.place;
    this.store = own.store;
    this.#state = own.state;
    this.#log = own.log;
    this.#clock = own.clock;
    this.#below = own.below;
  }

  /**
   * Opens the copy of a directory, and creates it when none exists.
   *
   * @throws StoreFault `busy` when another process uses the directory.
   */
  static async open(
    place: StorePlace,
    { log, clock }: { readonly log: Log; readonly clock: Clock },
  ): Promise<LocalCopy> {
    await using cleanUp = new AsyncDisposableStack();
    const claim = cleanUp.use(await place.claim({ id: `cache-${process.pid}`, name: 'cache' }));
    const store = cleanUp.use(await place.open({ mode: 'create', claim }));
    const state = (await readNote<CopyState>(place, stateNote)) ?? nothing;
    return new LocalCopy({ place, store, state, log, clock, below: cleanUp.move() });
  }

  /** Small texts beside the copy, for what else a node that starts without the database needs. */
  get notes(): PlaceNotes {
    return this.#place.notes;
  }

  /**
   * Teaches a database's line what an earlier process knew, and remembers what this one learns, so that a node
   * does not use an older line after a restart either.
   */
  async keepLine(line: LineState): Promise<Disposable> {
    const known = await this.#place.notes.read(lineNote);
    if (known !== undefined) line.learn(known);
    return line.subscribe((text) => {
      this.#place.notes
        .write(lineNote, text)
        .catch((fault: unknown) =>
          this.#log.warn({ err: fault }, 'could not note the line of the database'),
        );
    });
  }

  /** Whether the copy is whole, so that a node can start from it. */
  get isComplete(): boolean {
    return this.#state.isComplete;
  }

  /** Time since the source was last read, in milliseconds, also by an earlier process. */
  get ageMs(): number {
    const age = this.#clock.now() - this.#state.confirmedAt;
    // A clock that was set back proves nothing about the age.
    return age < 0 ? Infinity : age;
  }

  /** The keys of the source, as of the last copy. */
  async keys(): Promise<KnownKeys | undefined> {
    const keys = await readNote<readonly ApiKeyRecord[]>(this.#place, keysNote);
    return keys === undefined ? undefined : { keys, ageMs: this.ageMs };
  }

  /**
   * Keeps the copy up to date until disposed. The first copy of the closes, and that of a large import, may take
   * minutes. Meanwhile quotes and keys are copied as often as always.
   */
  follow(source: Store): AsyncDisposable {
    const onFault = (fault: unknown): void =>
      this.#log.warn({ err: fault }, 'could not bring the local copy up to date, retrying');
    const options = { pauseMs: copyEveryMs, onFault };
    const following = new AsyncDisposableStack();
    following.use(repeat(() => this.#updateHistory(source), options));
    following.use(repeat(() => this.#updateQuotes(source), options));
    return following;
  }

  /** Copies what has changed since the last call. */
  async update(source: Store): Promise<void> {
    await this.#updateQuotes(source);
    await this.#updateHistory(source);
  }

  /** Copies what changes all the time, and notes when it was read. */
  async #updateQuotes(source: Store): Promise<void> {
    const confirmedAt = this.#clock.now();
    await this.#copyKeys(source);
    await this.#copyQuotes(source);
    await this.#note({ ...this.#state, confirmedAt });
  }

  async #updateHistory(source: Store): Promise<void> {
    await this.#copyActions(source);
    await this.#copyIndices(source);
    const historyRevision = await this.#copyCloses(source);
    const isComplete = this.#quotePosition !== undefined;
    const { historyRevision: known, isComplete: wasComplete } = this.#state;
    if (isComplete === wasComplete && historyRevision === known) return;
    await this.#note({ ...this.#state, historyRevision, isComplete });
  }

  /** Notes of both parts are written one after the other, each with the latest state of the other part. */
  async #note(state: CopyState): Promise<void> {
    this.#state = state;
    await this.#notes.run(() => this.#place.notes.write(stateNote, JSON.stringify(this.#state)));
  }

  async #copyKeys({ keys: source }: Store): Promise<void> {
    if ((await source.revision()) === this.#keyRevision) return;
    const { revision, keys } = await source.readAll();
    await this.#place.notes.write(keysNote, JSON.stringify(keys));
    this.#keyRevision = revision;
  }

  async #copyActions({ actions: source }: Store): Promise<void> {
    if ((await source.revision()) === this.#actionRevision) return;
    const { revision, actions: put } = await source.readAll();
    const kept = new Set(put.map(actionKey));
    const { actions: stored } = await this.store.actions.readAll();
    const remove = stored.filter((one) => !kept.has(actionKey(one)));
    await this.store.actions.apply({ put, remove }, { at: this.#clock.now(), origin: 'unknown' });
    this.#actionRevision = revision;
  }

  /** Values that were replaced are read from the database only. */
  async #copyIndices({ indices: source }: Store): Promise<void> {
    if ((await source.revision()) === this.#indexRevision) return;
    const { revision, values } = await source.readAll();
    await this.store.indices.restore({ values, replaced: [] });
    this.#indexRevision = revision;
  }

  async #copyCloses({ history: source }: Store): Promise<number> {
    const known = this.#state.historyRevision;
    // The memory of changes is read from the database only.
    const stamp = { origin: 'unknown', now: () => this.#clock.now() } as const;
    let { revision, tickers } = await source.changesSince(known);
    // A lower revision is that of another database: everything is copied again.
    if (revision < known) ({ revision, tickers } = await source.changesSince(0));
    for (let at = 0; at < tickers.length; at += tickersPerTransaction) {
      const some = await Promise.all(
        tickers.slice(at, at + tickersPerTransaction).map(async (ticker) => ({
          ticker,
          closes: await source.readCloses(ticker, wholeRange),
        })),
      );
      await this.store.history.transaction(async (transaction) => {
        for (const { ticker, closes } of some) await transaction.put(ticker, closes);
      }, stamp);
    }
    return revision;
  }

  async #copyQuotes({ quotes: source }: Store): Promise<void> {
    this.#quotePosition ??= (await this.store.quotes.readNewer(0)).at(-1)?.version ?? 0;
    const quotes = await source.readNewer(this.#quotePosition);
    if (quotes.length === 0) return;
    await this.store.quotes.commit({ quotes, closes: [] });
    this.#quotePosition = quotes.at(-1)?.version;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#below[Symbol.asyncDispose]();
  }
}

/** A note that was written as JSON. A missing or damaged note is undefined. */
async function readNote<T>(place: StorePlace, name: string): Promise<T | undefined> {
  try {
    const text = await place.notes.read(name);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}

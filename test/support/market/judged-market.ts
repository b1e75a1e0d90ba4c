import type { TickerBar } from '../../../src/domain/quotes/minute-bar.ts';
import type { PlainDate } from '../../../src/domain/calendar/plain-date.ts';
import type { Quote } from '../../../src/domain/quotes/quote.ts';
import type { ReferenceCloses } from '../../../src/domain/history/reference-closes.ts';
import type { StoredQuote } from '../../../src/domain/quotes/stored-quote.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import type { Universe } from '../../../src/domain/instruments/universe.ts';
import type { Update } from '../../../src/domain/quotes/update.ts';
import type { ReportSource } from '../../../src/engine/doubted-updates.ts';
import { Engine, type HistoryFacts, type Outcome } from '../../../src/engine/engine.ts';
import type { JudgedPrice } from '../../../src/engine/judged-price.ts';
import type { ChangeSet } from '../../../src/engine/change-set.ts';
import { closeOn } from './close-on.ts';
import { latest } from './drive-engine.ts';

/** An engine that records bars, with what it reports about prices, and with what it stores. */
export class JudgedMarket {
  engine: Engine;
  readonly judged: JudgedPrice[] = [];
  readonly bars: TickerBar[] = [];
  readonly #universe: Universe;
  readonly #stored = new Map<Ticker, StoredQuote>();

  constructor(universe: Universe) {
    this.#universe = universe;
    this.engine = this.#start();
  }

  /** Applies updates with the time of the last of them. */
  send(updates: readonly Update[], source?: ReportSource): readonly Outcome[] {
    const now = updates.at(-1)?.at ?? 0;
    const { outcomes, ...turn } = this.engine.apply(updates, now, source);
    this.#keep(turn);
    return outcomes;
  }

  /** Applies one update. */
  sendOne(update: Update, source?: ReportSource): Outcome | undefined {
    return this.send([update], source)[0];
  }

  settle(now: number): ChangeSet {
    const turn = this.engine.settle(now);
    this.#keep(turn);
    return turn;
  }

  /** Lets the engine adopt the closes of an instrument: the last one, and those that it is compared with. */
  adopt(
    ticker: string,
    [date, close]: readonly [date: string, close: number],
    {
      references = {},
      setAside,
      sessionDate = date,
    }: {
      readonly references?: ReferenceCloses;
      readonly setAside?: HistoryFacts['setAside'];
      readonly sessionDate?: string;
    } = {},
  ): readonly Quote[] {
    const one = ticker as Ticker;
    const turn = this.engine.adoptHistory([
      {
        ticker: one,
        closesReturned: this.engine.closesReturned(one),
        latest: { ...closeOn(date, close), volume: null },
        sessionDate: sessionDate as PlainDate,
        references,
        setAside,
      },
    ]);
    if (turn.stale.length > 0) throw new Error('the facts are of another session');
    this.#keep(turn);
    return turn.quotes;
  }

  /** Replaces the engine by one that has only what is stored. */
  restart(): void {
    this.engine = this.#start();
    this.engine.restore([...this.#stored.values()]);
  }

  quote(ticker: string): Quote | undefined {
    return latest(this.engine, ticker);
  }

  /** The types of the reports so far. */
  reports(): readonly string[] {
    return this.judged.map(({ type }) => type);
  }

  #start(): Engine {
    return new Engine(this.#universe, {
      settleDelayMs: 15 * 60_000,
      nextVersion: 1,
      recordsBars: true,
      onJudged: (one) => void this.judged.push(one),
    });
  }

  #keep({ stored, bars }: ChangeSet): void {
    for (const one of stored) this.#stored.set(one.ticker, one);
    this.bars.push(...bars);
  }
}

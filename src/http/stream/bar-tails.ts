import type { Board } from '../../board/board.ts';
import type { BarInterval } from '../../domain/quotes/bar-interval.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { Selection } from '../../domain/instruments/selection.ts';
import type { Log } from '../../lib/reports/log.ts';
import type { BarReader } from '../../store/contract/bar-store.ts';
import { BarFollower } from './bar-follower.ts';
import { BarTail } from './bar-tail.ts';

/**
 * Passes the bars of instruments to the streams that requested them. Without such a stream, a quote costs
 * one look-up.
 */
export class BarTails implements Disposable {
  readonly #board: Board;
  readonly #bars: BarReader;
  readonly #log: Log;
  readonly #calendars: MarketCalendars;
  readonly #tails = new Map<Instrument, BarTail>();
  readonly #subscription: Disposable;

  constructor(parts: { readonly board: Board; readonly bars: BarReader; readonly log: Log }) {
    this.#board = parts.board;
    this.#bars = parts.bars;
    this.#log = parts.log;
    this.#calendars = new MarketCalendars(parts.board.universe);
    this.#subscription = parts.board.subscribe((quotes) => {
      if (this.#tails.size === 0) return;
      for (const { instrument, bar } of quotes) {
        if (bar !== undefined) this.#tails.get(instrument)?.adopt(bar);
      }
    });
  }

  /**
   * Starts following the bars of a selection. Those under way are pending as soon as the store has been
   * read.
   */
  follow(
    selection: Selection,
    { interval, onReady }: { readonly interval: BarInterval; readonly onReady: () => void },
  ): BarFollower {
    const { instruments } = this.#board.named(selection);
    const follower = new BarFollower({
      onReady,
      onDispose: (gone) => {
        for (const instrument of instruments) this.#leave(instrument, interval, gone);
      },
    });
    for (const instrument of instruments) this.#join(instrument, interval, follower);
    return follower;
  }

  #join(instrument: Instrument, interval: BarInterval, follower: BarFollower): void {
    const held = this.#tails.get(instrument);
    const tail = held ?? this.#newTail(instrument);
    tail.add(interval, follower);
    if (held !== undefined) return;
    this.#tails.set(instrument, tail);
    const bar = this.#board.quote(instrument)?.bar;
    if (bar !== undefined) tail.adopt(bar);
  }

  #newTail(instrument: Instrument): BarTail {
    return new BarTail({
      instrument,
      calendar: this.#calendars.of(instrument),
      bars: this.#bars,
      onFault: (fault) => {
        const { ticker } = instrument;
        this.#log.error({ err: fault, ticker }, 'could not read the bars of a stream');
      },
    });
  }

  #leave(instrument: Instrument, interval: BarInterval, follower: BarFollower): void {
    const tail = this.#tails.get(instrument);
    tail?.remove(interval, follower);
    if (tail?.isFollowed === false) this.#tails.delete(instrument);
  }

  /** Stops following the board. */
  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
  }
}

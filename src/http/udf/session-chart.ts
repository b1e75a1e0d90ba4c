import { setImmediate as nextTurn } from 'node:timers/promises';

import { firstEpochDay, lastEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import type { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { barsOf, startOfBar, type BarInterval } from '../../domain/quotes/bar-interval.ts';
import { isSameMinute, type Bar } from '../../domain/quotes/minute-bar.ts';
import type { BarReader } from '../../store/contract/bar-store.ts';
import { cellsOfBars } from '../../wire/udf/chart-cells.ts';
import { Chart } from './chart.ts';
import { ChartPart } from './chart-part.ts';

/** The finished bars of an instrument, and the minutes of the bar that further prices change. */
interface Finished {
  /** The minute under way when the store was read. */
  readonly upTo: Bar | undefined;
  /** The sessions before {@link day}, each one a part. They do not change. */
  readonly past: readonly ChartPart[];
  /** The day of the latest session, whose bars are read again. */
  readonly day: EpochDay;
  readonly latest: ChartPart;
  /** The finished minutes of the bar under way. */
  readonly minutes: readonly Bar[];
}

/**
 * The bars of an instrument within its sessions, in one interval (contract 4.15.7). All that are stored are read
 * at the first request. When a minute has been finished since, only the latest session is read again. In
 * between, only the bar under way is rendered, from the latest quote.
 *
 * When a session begins, the oldest one is dropped if there are more than the store keeps. Each past session
 * is rendered in a turn of the event loop of its own, so that no other request waits for all of them.
 */
export class SessionChart {
  readonly instrument: Instrument;
  readonly #interval: BarInterval;
  readonly #bars: Pick<BarReader, 'readBars'>;
  readonly #calendar: SessionCalendar;
  readonly #sessionsMax: number;
  readonly #underWay: () => Bar | undefined;
  readonly #onLoad: () => void;
  #finished: Finished | undefined;
  #loading: { readonly upTo: Bar | undefined; readonly done: Promise<Chart> } | undefined;
  #shown: { readonly bar: Bar | undefined; readonly chart: Chart } | undefined;

  constructor(
    instrument: Instrument,
    parts: {
      readonly interval: BarInterval;
      readonly bars: Pick<BarReader, 'readBars'>;
      readonly calendar: SessionCalendar;
      /** Number of sessions before the latest one that the store keeps. */
      readonly sessionsMax: number;
      /** Gives the minute under way. */
      readonly underWay: () => Bar | undefined;
      /** Called when bars have been read, which changes {@link bytesHeld}. */
      readonly onLoad: () => void;
    },
  ) {
    this.instrument = instrument;
    this.#interval = parts.interval;
    this.#bars = parts.bars;
    this.#calendar = parts.calendar;
    this.#sessionsMax = parts.sessionsMax;
    this.#underWay = parts.underWay;
    this.#onLoad = parts.onLoad;
  }

  /** Its approximate memory, in bytes. */
  get bytesHeld(): number {
    if (this.#finished === undefined) return 0;
    const { past, latest } = this.#finished;
    return [...past, latest].reduce((sum, { bytesHeld }) => sum + bytesHeld, 0);
  }

  /** The current bars. */
  current(): Chart | Promise<Chart> {
    const bar = this.#underWay();
    const finished = this.#finished;
    if (finished !== undefined && isSameMinute(finished.upTo, bar)) {
      return this.#chartOf(finished, bar);
    }
    if (this.#loading !== undefined && isSameMinute(this.#loading.upTo, bar)) {
      return this.#loading.done;
    }
    const done = this.#load(bar);
    this.#loading = { upTo: bar, done };
    return done;
  }

  async #load(bar: Bar | undefined): Promise<Chart> {
    try {
      const finished = await this.#read(this.#finished, bar);
      // A request of a later minute may have loaded the bars meanwhile.
      if (this.#loading?.upTo !== bar) return this.#newChart(finished, bar);
      this.#finished = finished;
      this.#shown = undefined;
      this.#onLoad();
      return this.#chartOf(finished, bar);
    } finally {
      if (this.#loading?.upTo === bar) this.#loading = undefined;
    }
  }

  async #read(known: Finished | undefined, bar: Bar | undefined): Promise<Finished> {
    const range = { from: known?.day ?? firstEpochDay, to: lastEpochDay };
    const stored = await this.#bars.readBars(this.instrument.ticker, range);
    // The quote has the minute under way, and the store may be ahead of it.
    const minutes = bar === undefined ? stored : stored.filter(({ minute }) => minute < bar.minute);
    const day = bar?.day ?? minutes.at(-1)?.day ?? range.from;
    const start =
      bar === undefined
        ? Number.POSITIVE_INFINITY
        : startOfBar(bar, this.#interval, this.#calendar);
    const before = Map.groupBy(
      minutes.filter((one) => one.day < day),
      (one) => one.day,
    );
    const latest = minutes.filter((one) => one.day >= day && one.minute < start);
    return {
      upTo: bar,
      past: await this.#pastWith(before.values(), known?.past),
      day,
      latest: this.#part(latest),
      minutes: minutes.filter(({ minute }) => minute >= start),
    };
  }

  /** The past sessions with further ones. */
  async #pastWith(
    sessions: Iterable<readonly Bar[]>,
    known: readonly ChartPart[] = [],
  ): Promise<readonly ChartPart[]> {
    const past = [...known];
    for (const session of sessions) {
      past.push(this.#part(session));
      await nextTurn();
    }
    if (known.length === 0) return past;
    // The first read may have found more, such as the sessions of an earlier ticker.
    const kept = Math.max(known.length, this.#sessionsMax);
    return past.slice(-kept);
  }

  #chartOf(finished: Finished, bar: Bar | undefined): Chart {
    if (this.#shown === undefined || this.#shown.bar !== bar) {
      this.#shown = { bar, chart: this.#newChart(finished, bar) };
    }
    return this.#shown.chart;
  }

  #newChart({ past, latest, minutes }: Finished, bar: Bar | undefined): Chart {
    const underWay = this.#part(bar === undefined ? [] : [...minutes, bar]);
    return new Chart(this.instrument, [...past, latest, underWay]);
  }

  #part(minutes: readonly Bar[]): ChartPart {
    const bars = barsOf(minutes, this.#interval, this.#calendar);
    return new ChartPart(cellsOfBars(this.instrument, bars));
  }
}

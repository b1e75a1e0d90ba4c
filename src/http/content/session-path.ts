import { toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Bar } from '../../domain/quotes/minute-bar.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import {
  lastPrices,
  stepAt,
  stepsOf,
  type SessionSteps,
} from '../../domain/quotes/session-steps.ts';
import type { BarReader } from '../../store/contract/bar-store.ts';
import { pathJson, pricesJson } from '../../wire/bodies/path-body.ts';

/** The finished steps of a session. They do not change until a later step has a price. */
interface Finished {
  readonly session: PlainDate;
  readonly steps: SessionSteps;
  /** The number of the step under way. Undefined where the quote has no minute under way. */
  readonly step: number | undefined;
  /** The prices of the steps before it, as JSON. */
  readonly prices: string;
}

/**
 * The path of one instrument in the session of its quote, as JSON. The quote has the price of the step under
 * way. The store is read when the path is first requested, and again when a later step has begun since.
 */
export class SessionPath {
  readonly #instrument: Instrument;
  readonly #calendar: SessionCalendar;
  readonly #bars: Pick<BarReader, 'readBars'>;
  #finished: Finished | undefined;
  #reading: { readonly of: Omit<Finished, 'prices'>; readonly done: Promise<Finished> } | undefined;

  constructor(
    instrument: Instrument,
    calendar: SessionCalendar,
    bars: Pick<BarReader, 'readBars'>,
  ) {
    this.#instrument = instrument;
    this.#calendar = calendar;
    this.#bars = bars;
  }

  /** The path in the session of a quote of the instrument. Undefined if the store has to be read first. */
  known(quote: Quote): string | undefined {
    const finished = this.#finished;
    if (finished === undefined || !isSame(finished, this.#before(quote))) return undefined;
    return this.#render(finished, quote);
  }

  /** As {@link known}, after reading the store. Requests that wait for the same step share one reading. */
  async read(quote: Quote): Promise<string> {
    const known = this.known(quote);
    if (known !== undefined) return known;
    const wanted = this.#before(quote);
    if (this.#reading === undefined || !isSame(this.#reading.of, wanted)) {
      const reading = { of: wanted, done: this.#readBefore(wanted) };
      this.#reading = reading;
      const end = (): void => {
        if (this.#reading === reading) this.#reading = undefined;
      };
      reading.done.then(end, end);
    }
    return this.#render(await this.#reading.done, quote);
  }

  /** The steps before the one under way. */
  #before(quote: Quote): Omit<Finished, 'prices'> {
    const { sessionDate: session } = quote;
    const known = this.#finished;
    const steps = known?.session === session ? known.steps : stepsOf(this.#calendar, session);
    const bar = underWay(quote);
    return { session, steps, step: bar === undefined ? undefined : stepAt(steps, bar.minute) };
  }

  async #readBefore({ session, steps, step }: Omit<Finished, 'prices'>): Promise<Finished> {
    const known = this.#finished;
    // The steps that are known already are not read again.
    const isLater = known?.session === session && (known.step ?? Infinity) < (step ?? Infinity);
    const first = isLater ? (known.step ?? 0) : 0;
    const day = toEpochDay(session);
    const sinceMinute = first === 0 ? -Infinity : steps.openMinute + first * steps.length;
    const range = { from: day, to: day, sinceMinute };
    const stored = await this.#bars.readBars(this.#instrument.ticker, range);
    // The quote has the price of the step under way, and the store may be ahead of it.
    const bars = stored.filter(({ minute }) => stepAt(steps, minute) < (step ?? steps.count));
    const prices = [...lastPrices(bars, steps)];
    while (prices.length < (step ?? 0)) prices.push(null);
    const texts = [
      first === 0 ? '' : (known?.prices ?? ''),
      pricesJson(this.#instrument, prices.slice(first)),
    ];
    const finished = {
      session,
      steps,
      step,
      prices: texts.filter((text) => text !== '').join(','),
    };
    this.#finished = finished;
    return finished;
  }

  #render({ session, steps, prices }: Finished, quote: Quote): string {
    return pathJson(this.#instrument, { session, steps, prices, last: underWay(quote)?.last });
  }
}

/** The minute under way in the session of a quote. */
function underWay({ sessionDate, bar }: Quote): Bar | undefined {
  return bar?.day === toEpochDay(sessionDate) ? bar : undefined;
}

function isSame(a: Omit<Finished, 'prices'>, b: Omit<Finished, 'prices'>): boolean {
  return a.session === b.session && a.step === b.step;
}

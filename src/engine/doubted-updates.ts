import { agree } from '../domain/history/judge/move.ts';
import type { Witness } from '../domain/history/judge/witness.ts';
import type { QuoteSource } from '../domain/quotes/quote.ts';
import type { Update } from '../domain/quotes/update.ts';

/** The source of an update, with what its reports are worth as witnesses. */
export interface ReportSource extends QuoteSource {
  /** Whether the source is asked less often than twice a minute. */
  readonly isPolledSlowly?: boolean | undefined;
}

/** The source as a quote carries it. */
export function quoteSourceOf(source: ReportSource | undefined): QuoteSource | undefined {
  if (source?.isPolledSlowly === undefined) return source;
  const { isPolledSlowly: _, ...quoteSource } = source;
  return quoteSource;
}

/** An update whose price is not believed yet. */
export interface DoubtedUpdate extends Witness {
  readonly update: Update;
  readonly from: ReportSource | undefined;
}

/**
 * Maximum number of updates of one instrument that are kept as witnesses. Beyond it every second one is
 * dropped, so that the time between the first and the last stays.
 */
const doubtedMax = 32;

/** The updates of one instrument and session whose prices are not believed yet, by arrival. */
export class DoubtedUpdates {
  #list: readonly DoubtedUpdate[] = [];

  get list(): readonly DoubtedUpdate[] {
    return this.#list;
  }

  /** Adds an update. A repeated report is no further witness. Returns whether it was added. */
  add(one: DoubtedUpdate): boolean {
    const { price, at, source } = one;
    const isRepeated = this.#list.some(
      (other) => other.price === price && other.at === at && other.source === source,
    );
    if (isRepeated) return false;
    const kept =
      this.#list.length < doubtedMax
        ? this.#list
        : this.#list.filter((_, index) => index % 2 === 0);
    this.#list = [...kept, one];
    return true;
  }

  /** Removes and returns all updates, divided by whether they agree with a price. */
  takeAll(price: number): {
    readonly agreeing: readonly DoubtedUpdate[];
    readonly others: readonly DoubtedUpdate[];
  } {
    const { true: agreeing = [], false: others = [] } = Object.groupBy(this.#list, (one) =>
      String(agree(one.price, price)),
    );
    this.#list = [];
    return { agreeing, others };
  }

  /** Removes and returns the updates that are not later than an instant. */
  takeUntil(at: number): readonly DoubtedUpdate[] {
    if (this.#list.length === 0) return this.#list;
    const taken = this.#list.filter((one) => one.at <= at);
    this.#list = this.#list.filter((one) => one.at > at);
    return taken;
  }
}

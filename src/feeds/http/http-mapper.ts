import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { Update } from '../../domain/quotes/update.ts';
import { asRecord } from '../shapes/as-record.ts';
import type { Rejected } from '../contract/feed.ts';
import { mapPushed } from '../shapes/map-update.ts';
import { reject } from '../contract/sample.ts';

/** What the results of an expression are mapped with. */
export interface MapContext {
  readonly universe: Universe;
  /** The tickers that are taken from the source. */
  readonly tickers: ReadonlySet<Ticker>;
  readonly snapshotAt: number;
}

/** The results of an expression for one response. */
export interface MappedResults {
  /** Updates with an instant of the source. */
  readonly dated: readonly Update[];
  /** Updates whose instant is `$snapshotAt`. They do not show on which day they were traded. */
  readonly undated: readonly Update[];
  readonly rejected: readonly Rejected[];
}

/** Maps what the expression gives. A faulty result is rejected, the others are used. */
export function mapResults(values: readonly unknown[], context: MapContext): MappedResults {
  const dated: Update[] = [];
  const undated = new Map<Ticker, Update>();
  const rejected: Rejected[] = [];
  for (const value of values) {
    const mapped = mapResult(value, context);
    if ('reason' in mapped) rejected.push(mapped);
    else if (mapped.at !== context.snapshotAt) dated.push(mapped);
    // A second price of one instrument would look like a trade.
    else if (undated.has(mapped.ticker))
      rejected.push(explained('The ticker occurs twice.', value));
    else undated.set(mapped.ticker, mapped);
  }
  return { dated, undated: [...undated.values()], rejected };
}

/** The fields of an update that are no number. */
const textFields = new Set(['ticker', 'at']);

function mapResult(value: unknown, { universe, tickers }: MapContext): Update | Rejected {
  const fields = asRecord(value);
  if (fields === undefined) return reject('unintelligible', value);
  const { ticker: spelling } = fields;
  const ticker = typeof spelling === 'string' ? universe.find(spelling)?.ticker : undefined;
  // First, because the faults of an instrument that is not taken do not matter.
  if (typeof spelling === 'string' && (ticker === undefined || !tickers.has(ticker))) {
    return reject('no-instrument', value, spelling);
  }
  const mapped = mapPushed(withNumbers(fields));
  if ('refused' in mapped) {
    const isInstant = mapped.refused === 'bad-instant' || mapped.detail === 'at is missing.';
    return explained(mapped.detail, value, isInstant ? 'bad-instant' : 'unintelligible');
  }
  const { update } = mapped;
  const hasValue = Object.keys(update).some((field) => !textFields.has(field));
  return hasValue
    ? { ...update, ticker: ticker ?? update.ticker }
    : reject('no-price', value, ticker);
}

/** A decimal number as JSON writes it. */
const decimal = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** A CSV, and the JSON of some sources, has numbers as texts. An empty text is an absent number. */
function withNumbers(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (textFields.has(name) || typeof value !== 'string') return [name, value];
      const text = value.trim();
      if (text === '') return [name, null];
      return [name, decimal.test(text) ? Number(text) : value];
    }),
  );
}

function explained(
  detail: string,
  value: unknown,
  reason: 'unintelligible' | 'bad-instant' = 'unintelligible',
): Rejected {
  // A sample is short: the list of the valid fields would leave no room for the value.
  const [sentence] = detail.split(/(?<=\.) /);
  return reject(reason, `${sentence} ${JSON.stringify(value)}`);
}

import * as v from '@badrap/valita';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { Update } from '../../domain/quotes/update.ts';
import type { FeedDeps, FeedType } from '../contract/feed-type.ts';
import { type Feed, type Rejected, mapEach, reject } from '../contract/feed.ts';
import {
  checkedField,
  choiceField,
  commonFields,
  optional,
  networkFields,
  secretField,
  textField,
  urlField,
} from '../contract/fields.ts';
import { filesOf } from '../contract/secrets.ts';
import { selectInstruments, tickersOf } from '../contract/select-instruments.ts';
import { createPolledFeed } from '../net/polled-feed.ts';
import { snapshotRequest, type Snapshot } from '../net/trade-detector.ts';
import { asRecord } from '../shapes/as-record.ts';
import { mapPushed } from '../shapes/map-update.ts';
import { evaluate, formats } from './evaluate.ts';
import { expressionCharsMax, faultOfExpression } from './expression.ts';

/** What the results of an expression are mapped with. */
interface MapContext {
  readonly universe: Universe;
  /** The tickers that are taken from the source. */
  readonly tickers: ReadonlySet<Ticker>;
  readonly snapshotAt: number;
}

/**
 * Maps what the expression gives for one response. A faulty result is rejected, the others are used. Updates whose
 * instant is `$snapshotAt` do not show on which day they were traded.
 */
function mapResults(values: readonly unknown[], context: MapContext): Snapshot {
  const undated = new Set<Ticker>();
  const { taken, rejected } = mapEach(values, (value): Update | Rejected => {
    const mapped = mapResult(value, context);
    if ('reason' in mapped || mapped.at !== context.snapshotAt) return mapped;
    // A second price of one instrument would look like a trade.
    if (undated.has(mapped.ticker)) return explained('The ticker occurs twice.', value);
    undated.add(mapped.ticker);
    return mapped;
  });
  const isDated = ({ at }: Update): boolean => at !== context.snapshotAt;
  return { dated: taken.filter(isDated), rows: taken.filter((one) => !isDated(one)), rejected };
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

const schema = v.object({
  ...commonFields('http', { staleAfterSeconds: 900 }),
  ...networkFields({ url: '', pollSeconds: { usual: 60, min: 10 }, delayMinutes: 0 }),
  url: urlField(['https:', 'http:']),
  format: optional(choiceField(formats), 'json'),
  expression: checkedField(
    (value) => {
      if (typeof value !== 'string' || value.length > expressionCharsMax) {
        return v.err(`must be a JSONata expression of at most ${expressionCharsMax} characters`);
      }
      const fault = faultOfExpression(value);
      return fault === undefined ? v.ok(value) : v.err(`must be a JSONata expression: ${fault}`);
    },
    { type: 'string', maxLength: expressionCharsMax },
  ),
  key: optional(secretField()),
  keyHeader: optional(
    textField(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a header'),
    'Authorization',
  ),
});

type Config = v.Infer<typeof schema>;

/** Any JSON or CSV over HTTP. An expression in the configuration makes updates of it. */
export const httpType: FeedType<Config> = {
  type: 'http',
  schema,
  create,
  startsProcesses: true,
  files: ({ key }) => filesOf(key),
};

/** The maximum processor time of one evaluation, the start of its process included, in seconds. */
const evaluationCpuSeconds = 5;

function create(config: Config, deps: FeedDeps): Feed {
  const { universe } = deps;
  const tickers = tickersOf(selectInstruments(() => true, { universe, config }));
  const { expression, format } = config;
  const snapshots = snapshotRequest(universe, {
    isResetAsWhole: false,
    request: () => ({ url: new URL(config.url), headers: keyHeader(config, deps) }),
    async map({ snapshotAt, text, contentType }, signal) {
      const body = { text, contentType };
      const evaluation = { expression, format, body, snapshotAt, cpuSeconds: evaluationCpuSeconds };
      const { values, malformed } = await evaluate(evaluation, signal);
      const mapped = mapResults(values, { universe, tickers, snapshotAt });
      const unread = malformed.map((part) => reject('unintelligible', part));
      return { ...mapped, rejected: [...unread, ...mapped.rejected] };
    },
  });
  const request = { ...snapshots, hasSeries: true };
  return createPolledFeed(config, deps, { tickers, closedPollSeconds: 600, requests: [request] });
}

/** The key, as a bearer token (RFC 6750) in `Authorization` and alone in any other header. */
function keyHeader(
  { key, keyHeader: name }: Config,
  { secrets }: Pick<FeedDeps, 'secrets'>,
): Readonly<Record<string, string>> {
  if (key === undefined) return {};
  const value = secrets.read(key);
  return { [name]: name.toLowerCase() === 'authorization' ? `Bearer ${value}` : value };
}

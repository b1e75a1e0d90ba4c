import * as v from '@badrap/valita';
import type { FeedDeps, FeedType } from '../contract/feed-type.ts';
import type { Feed } from '../contract/feed.ts';
import {
  checkedField,
  choiceField,
  commonFields,
  maybe,
  networkFields,
  secretField,
  textField,
  urlField,
} from '../contract/fields.ts';
import { createPolledFeed } from '../net/polled-feed.ts';
import type { PollRequest } from '../net/poll.ts';
import { TradeDetector } from '../net/trade-detector.ts';
import { reject } from '../contract/sample.ts';
import { filesOf } from '../contract/secrets.ts';
import { selectInstruments } from '../contract/select-instruments.ts';
import { evaluate, formats } from './evaluate.ts';
import { expressionCharsMax, faultOfExpression } from './expression.ts';
import { mapResults } from './http-mapper.ts';

const schema = v.object({
  ...commonFields('http', { staleAfterSeconds: 900 }),
  ...networkFields({ url: '', pollSeconds: { usual: 60, min: 10 }, delayMinutes: 0 }),
  url: urlField(['https:', 'http:']),
  format: maybe(choiceField(formats), (one) => one.optional(() => 'json')),
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
  key: maybe(secretField(), (one) => one.optional()),
  keyHeader: maybe(textField(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a header'), (one) =>
    one.optional(() => 'Authorization'),
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
  const offered = universe.instruments.map(({ ticker }) => ticker);
  const tickers = selectInstruments(offered, { universe, config });
  const detector = new TradeDetector(universe, { isResetAsWhole: false });
  const { expression, format } = config;
  const request: PollRequest = {
    request: () => ({ url: new URL(config.url), headers: keyHeader(config, deps) }),
    repeat: (snapshotAt) => detector.repeat(snapshotAt),
    hasSeries: true,
    map: async ({ snapshotAt: describedAt, ...body }, signal) => {
      // A text of RFC 3339 carries whole milliseconds, so the instant survives the expression.
      const snapshotAt = Math.trunc(describedAt);
      const evaluation = { expression, format, body, snapshotAt, cpuSeconds: evaluationCpuSeconds };
      const { values, malformed } = await evaluate(evaluation, signal);
      const mapped = mapResults(values, { universe, tickers, snapshotAt });
      const traded = detector.detect(
        mapped.undated.map((update) => ({ update })),
        snapshotAt,
      );
      return {
        updates: [...mapped.dated, ...traded.updates],
        rejected: [
          ...malformed.map((text) => reject('unintelligible', text)),
          ...mapped.rejected,
          ...traded.rejected,
        ],
        read: [...mapped.dated, ...mapped.undated],
      };
    },
  };
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

import * as v from '@badrap/valita';
import type { FeedDeps, FeedType } from '../contract/feed-type.ts';
import { FeedFault, type Feed } from '../contract/feed.ts';
import { commonFields, secretField, streamFields } from '../contract/fields.ts';
import { createFetch, type Fetch } from '../net/fetch-limited.ts';
import { createSocketFeed } from '../net/socket-feed.ts';
import { filesOf } from '../contract/secrets.ts';
import { selectWhere } from '../contract/select-instruments.ts';
import { isOffered, PrimaryMapper } from './primary-mapper.ts';

const schema = v.object({
  ...commonFields('primary', { staleAfterSeconds: 300 }),
  // Brokers have servers of their own.
  ...streamFields({ url: 'wss://api.primary.com.ar' }),
  /** The name of the user. */
  key: secretField(),
  /** The password. */
  secret: secretField(),
});

type Config = v.Infer<typeof schema>;

/** BYMA and the futures of A3, in real time, with an account of a broker or of Primary. */
export const primaryType: FeedType<Config> = {
  type: 'primary',
  schema,
  create,
  files: ({ key, secret }) => filesOf(key, secret),
};

/** The header that carries the token in both directions. */
const tokenHeader = 'x-auth-token';

function create(config: Config, deps: FeedDeps): Feed {
  const { universe, clock, fetchLimits, network } = deps;
  const instruments = selectWhere(isOffered, { universe, config });
  const mapper = new PrimaryMapper(universe, instruments);
  const fetch = createFetch({ clock, limits: fetchLimits, network });
  return createSocketFeed(config, deps, {
    tickers: new Set(instruments.map(({ ticker }) => ticker)),
    connect: async (signal) => ({
      url: new URL(config.url),
      headers: { [tokenHeader]: await requestToken(config, { deps, fetch, signal }) },
      subscribe: mapper.subscriptions(),
    }),
    map: (text) => mapper.map(text),
  });
}

/**
 * A token, which is valid for a day: longer than a connection lasts.
 *
 * @throws FeedFault `refused` when the source does not accept the user or the password.
 */
async function requestToken(
  { url, key, secret }: Config,
  {
    deps: { secrets },
    fetch,
    signal,
  }: { readonly deps: FeedDeps; readonly fetch: Fetch; readonly signal: AbortSignal },
): Promise<string> {
  const login = new URL('/auth/getToken', url.replace(/^ws/, 'http'));
  const headers = { 'x-username': secrets.read(key), 'x-password': secrets.read(secret) };
  const request = { url: login, method: 'POST', headers, wantedHeader: tokenHeader } as const;
  const fetched = await fetch(request, signal);
  const token = fetched.isUnchanged ? undefined : fetched.header;
  if (token === undefined || token === '') {
    throw new FeedFault('unintelligible', `${login.origin}${login.pathname} sent no token`);
  }
  secrets.protect(token);
  return token;
}

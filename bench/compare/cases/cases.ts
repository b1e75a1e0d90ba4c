import type { PanelCode } from '../../../src/domain/instruments/panel.ts';

/** What a request asks for, independently of the interface of a server. */
export type Question =
  | { readonly kind: 'quotes'; readonly tickers: readonly string[] }
  | { readonly kind: 'panel'; readonly panel: PanelCode }
  | {
      readonly kind: 'history';
      readonly ticker: string;
      readonly from: string;
      readonly to: string;
    };

/**
 * The carrier of the requests: HTTP/1.1, HTTP/1.1 over TLS, HTTP/2 over TLS, or nginx with the configuration
 * of `deploy/proxy/nginx.conf`.
 */
export type Carrier = 'http' | 'tls' | 'h2' | 'proxy';

/** The carriers over which only Pizarra and nginx are compared, in the order of their turns. */
export const carriers = ['tls', 'h2', 'proxy'] as const satisfies readonly Carrier[];

/** One measured case. */
export interface Case {
  readonly name: string;
  readonly title: string;
  readonly carrier: Carrier;
  readonly question: Question;
  /**
   * `not-modified` sends the current ETag. `gzip` accepts a compressed response. `mixed` sends the requests of
   * {@link mixedRequests} in turn, while streams are opened and closed.
   */
  readonly manner: 'plain' | 'not-modified' | 'gzip' | 'mixed';
  /** Whether 1,000 updates per second are pushed meanwhile. */
  readonly withUpdates: boolean;
}

/** The instrument of requests for one. It is not updated while a 304 is expected. */
export const oneTicker = 'GGAL';

/** The suffix of a case's name with updates. */
const updatesSuffix = '+updates';

const lastDay = '2026-11-13';

type QuietCase = Omit<Case, 'withUpdates' | 'carrier'>;

const quiet: readonly QuietCase[] = [
  {
    name: 'one',
    title: 'one ticker',
    question: { kind: 'quotes', tickers: [oneTicker] },
    manner: 'plain',
  },
  {
    name: 'three',
    title: 'three tickers',
    question: { kind: 'quotes', tickers: [oneTicker, 'AAPL', 'AL30'] },
    manner: 'plain',
  },
  { name: 'lid', title: 'panel LID', question: { kind: 'panel', panel: 'LID' }, manner: 'plain' },
  { name: 'ced', title: 'panel CED', question: { kind: 'panel', panel: 'CED' }, manner: 'plain' },
  {
    name: 'bonos',
    title: 'panel BONOS',
    question: { kind: 'panel', panel: 'BONOS' },
    manner: 'plain',
  },
  {
    name: 'year',
    title: 'one year of closes',
    question: { kind: 'history', ticker: oneTicker, from: '2025-11-14', to: lastDay },
    manner: 'plain',
  },
  {
    name: 'twenty-years',
    title: '20 years of closes',
    question: { kind: 'history', ticker: oneTicker, from: '2006-11-14', to: lastDay },
    manner: 'plain',
  },
  {
    name: 'not-modified',
    title: 'a 304',
    question: { kind: 'quotes', tickers: [oneTicker] },
    manner: 'not-modified',
  },
  {
    name: 'gzip',
    title: 'panel CED, gzip',
    question: { kind: 'panel', panel: 'CED' },
    manner: 'gzip',
  },
];

/** The case of one ticker on connections that have not carried the mixed requests. */
const fresh: QuietCase = {
  name: 'fresh-one',
  title: 'one ticker on fresh connections',
  question: { kind: 'quotes', tickers: [oneTicker] },
  manner: 'plain',
};

const mixed: QuietCase = {
  name: 'mixed',
  title: 'mixed requests',
  question: { kind: 'quotes', tickers: [oneTicker] },
  manner: 'mixed',
};

/** Whether the connections of a case have not carried other requests. */
export function isOnFresh({ name }: Case): boolean {
  return name.endsWith(fresh.name);
}

/** The questions that are also sent over TLS, over HTTP/2 and through a proxy. */
const carried = new Set(['one', 'lid', 'ced', 'not-modified']);

const carrierTitles: Readonly<Record<Exclude<Carrier, 'http'>, string>> = {
  tls: 'TLS',
  h2: 'HTTP/2',
  proxy: 'behind nginx',
};

function casesOver(carrier: Exclude<Carrier, 'http'>): readonly Case[] {
  const own = quiet.filter(({ name }) => carried.has(name));
  return (carrier === 'proxy' ? [fresh, mixed, ...own] : own).map((one) => ({
    ...one,
    name: `${carrier}-${one.name}`,
    title: `${one.title}, ${carrierTitles[carrier]}`,
    carrier,
    withUpdates: false,
  }));
}

const alone: readonly Case[] = [
  ...quiet.map((one) => ({ ...one, carrier: 'http' as const, withUpdates: false })),
  ...casesOver('tls'),
  ...casesOver('h2'),
  // These cases come after the mixed requests, so each connection has carried each of those.
  ...casesOver('proxy'),
];

/** All cases: each question without updates, then each with updates. */
export const cases: readonly Case[] = [
  ...alone,
  ...alone
    .filter(({ name }) => name !== `proxy-${fresh.name}`)
    .map((one) => ({
      ...one,
      name: `${one.name}${updatesSuffix}`,
      title: `${one.title}, updates`,
      withUpdates: true,
    })),
];

/** The cases of a short run: one small, one large and one conditional response of each carrier. */
export const shortCases: readonly Case[] = cases.filter(({ name }) =>
  /^(?:(?:tls-|h2-|proxy-)?(?:one|lid|not-modified)|proxy-(?:fresh-one|mixed))(?:\+updates)?$/.test(
    name,
  ),
);

/** A request of the mixed case, and the status of its response. */
export interface MixedRequest {
  readonly method: 'GET' | 'HEAD';
  readonly target: string;
  readonly status: 200 | 304 | 401 | 404;
}

/** The requests of a desk's clients: ten paths, polls without changes, HEAD, and refused requests. */
export const mixedRequests: readonly MixedRequest[] = [
  ...[
    ...quiet.filter(({ manner }) => manner === 'plain').map(({ question }) => question),
    { kind: 'panel', panel: 'IND' } as const,
    { kind: 'panel', panel: 'ADR' } as const,
  ]
    // The response with 20 years of closes is a hundred times as long as the others, and would dominate.
    .filter((question) => question.kind !== 'history' || question.from > '2020')
    .map((question) => ({ method: 'GET', target: contractTarget(question), status: 200 }) as const),
  { method: 'GET', target: '/especies.txt', status: 200 },
  { method: 'GET', target: '/especies.json', status: 200 },
  { method: 'GET', target: `/cotizaciones?especie=${oneTicker}`, status: 304 },
  { method: 'GET', target: `/cotizaciones?especie=${oneTicker}`, status: 304 },
  { method: 'HEAD', target: `/cotizaciones?especie=${oneTicker}`, status: 200 },
  { method: 'HEAD', target: '/cotizaciones?panel=LID', status: 200 },
  { method: 'GET', target: '/nada', status: 404 },
  { method: 'GET', target: '/cotizaciones?panel=LID', status: 401 },
];

/** The target of the streams that are opened during the mixed requests. */
export const streamTarget = `/cotizaciones/stream?especie=${oneTicker}`;

/** The request target of a question, in the interface of the contract. */
export function contractTarget(question: Question): string {
  switch (question.kind) {
    case 'quotes':
      return `/cotizaciones?especie=${question.tickers.map(encodeURIComponent).join(',')}`;
    case 'panel':
      return `/cotizaciones?panel=${question.panel}`;
    case 'history':
      return `/historicos?especie=${encodeURIComponent(question.ticker)}&desde=${question.from}&hasta=${question.to}`;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';

import { msPerDay } from '../../../src/domain/calendar/plain-date.ts';
import { ask } from '../../support/ask.ts';
import { HttpConnection, requestText } from '../../support/http-connection.ts';
import {
  preciseTime,
  processorTime,
  proportionalBytes,
  residentBytes,
} from '../../support/process-tree.ts';
import { PushedBodies } from '../../support/pushed-bodies.ts';
import { StreamClient } from '../../support/stream-client.ts';
import { Http1Load, Http2Load, type RequestLoad } from '../../support/request-load.ts';
import type { Carrier, Checkout, Server, Service, Setting } from './checkout.ts';
import { PushSource } from './push-source.ts';
import { QuoteClient } from './quote-client.ts';

/** How long a turn takes, and what all sides share. */
interface Turn {
  readonly seconds: number;
  readonly setting: Setting;
}

/** A figure of a running side. */
interface RunningCase {
  readonly title: string;
  readonly unit: string;
  readonly carrier: Carrier;
  /** For a case that rivals can be measured by: the target of its requests. */
  readonly target?: string;
  measure(side: Service, turn: Turn): Promise<number>;
}

/** A figure of a start. */
interface StartCase {
  readonly title: string;
  readonly unit: string;
  measureStart(checkout: Checkout): Promise<number>;
}

const oneTarget = '/cotizaciones?especie=GGAL';
const panelTarget = '/cotizaciones?panel=CED';

/** Number of different requests in turn that clients send through a proxy. */
const proxiedRequests = 400;

/** Requests of a turn that are sent once each, so that no response is in memory. */
const firstRequests = 100;
const rangeRequests = 300;
const joinedRequests = 20;

const firstRange = Date.UTC(2008, 0, 1);

/** Streams of a panel beside updates, and streams without a change. */
const panelStreams = 20;
const idleStreams = 10_000;
/** A heartbeat of each stream. */
const heartbeatSeconds = 15;

/** How long a turn of requests and pushes at a steady rate takes. */
const pacedSeconds = 3;

/** Pushes before the first measurement: until V8 has compiled what they run. */
const warmUpPushes = 200;

/** When the memory of a start is measured, in milliseconds. */
const settleMs = 2_000;
const mebibyte = 2 ** 20;

const usual = { updates: 20, perSecond: 50 };
const bursts = { updates: 5_000, perSecond: 2 };

/** Everything that is measured, in the order of the table. */
const cases = {
  one: request('one ticker', 'http', oneTarget),
  panel: request('panel CED, 34 kB', 'http', panelTarget),
  year: request(
    'a year of closes',
    'http',
    '/historicos?especie=GGAL&desde=2020-01-01&hasta=2100-01-01',
  ),
  'not-modified': request('a 304', 'http', oneTarget, 'not-modified'),
  gzip: request('panel CED, gzip', 'http', panelTarget, 'gzip'),
  tls: request('one ticker, TLS', 'tls', oneTarget),
  h2: request('one ticker, HTTP/2', 'tls', oneTarget, 'h2'),
  'h2-panel': request('panel CED, HTTP/2', 'tls', panelTarget, 'h2'),
  proxied: {
    title: `${proxiedRequests} tickers in turn, from a proxy`,
    unit: 'µs',
    carrier: 'proxy',
    measure: (side, { seconds, setting: { universe } }) => {
      const some = universe.instruments.slice(0, proxiedRequests);
      const targets = some.map(
        ({ ticker }) => `/cotizaciones?especie=${encodeURIComponent(ticker)}`,
      );
      return loaded(side, { targets, seconds });
    },
  },
  first: eachOnce('a year of closes, from the store', ({ universe }, turn) =>
    universe.instruments
      .slice((turn * firstRequests) % universe.instruments.length)
      .slice(0, firstRequests)
      .map(
        ({ ticker }) =>
          `/historicos?especie=${encodeURIComponent(ticker)}&desde=2020-01-01&hasta=2100-01-01`,
      ),
  ),
  ranges: eachOnce('another year of a series of 20 years', ({ longTickers }, turn) =>
    Array.from({ length: rangeRequests }, (_, at) => {
      const from = firstRange + (turn * rangeRequests + at) * msPerDay;
      const [desde, hasta] = [from, from + 365 * msPerDay].map(dayText);
      return `/historicos?especie=${longTickers[at % longTickers.length]}&desde=${desde}&hasta=${hasta}`;
    }),
  ),
  joined: eachOnce('closes of 20 instruments, a column each', ({ universe }, turn) =>
    Array.from({ length: joinedRequests }, (_, at) => {
      const first = (turn * joinedRequests + at) % (universe.instruments.length - 20);
      const some = universe.instruments.slice(first, first + 20);
      const names = some.map(({ ticker }) => encodeURIComponent(ticker)).join(',');
      return `/historicos?especie=${names}&forma=ancha&desde=2020-01-01&hasta=2100-01-01`;
    }),
  ),
  push: {
    title: 'a push of 20 updates, 50 a second',
    unit: 'ms',
    carrier: 'http',
    measure: pushed,
  },
  stream: {
    title: `the same, with ${panelStreams} streams of panel CED`,
    unit: 'ms',
    carrier: 'http',
    measure: async (side) => {
      using _ = await openStreams(side, panelStreams, 'panel=CED');
      return await pushed(side);
    },
  },
  busy: {
    title: 'p99 at 2,000 requests/s and 1,000 updates/s',
    unit: 'ms',
    carrier: 'http',
    measure: async (side) => percentile(await timesBeside(side, usual, 2_000), 0.99),
  },
  bursts: {
    title: 'p99 while 5,000 updates arrive at once, twice a second',
    unit: 'ms',
    carrier: 'http',
    measure: async (side) => percentile(await timesBeside(side, bursts, 600), 0.99),
  },
  slowest: {
    title: 'slowest request meanwhile',
    unit: 'ms',
    carrier: 'http',
    measure: async (side) => percentile(await timesBeside(side, bursts, 600), 1),
  },
  streams: {
    title: `${idleStreams} streams without a change`,
    unit: '% of a core',
    carrier: 'http',
    measure: async (side) => {
      using _ = await openStreams(side, idleStreams, 'especie=GGAL');
      await sleep(settleMs);
      const share = await spent(side, () => sleep(heartbeatSeconds * 1_000));
      return (share / heartbeatSeconds) * 100;
    },
  },
  start: {
    title: 'processor time of a start',
    unit: 's',
    measureStart: async (checkout) => {
      await using service = await checkout.start('http');
      return processorTime(service.pid);
    },
  },
  idle: {
    title: 'memory of an idle service',
    unit: 'MiB',
    measureStart: async (checkout) => {
      await using service = await checkout.start('http');
      await sleep(settleMs);
      return residentBytes(service.pid) / mebibyte;
    },
  },
  workers: {
    title: 'memory of two processes (`--workers 2`)',
    unit: 'MiB',
    measureStart: async (checkout) => {
      await using service = await checkout.start('http', ['--workers', '2']);
      await sleep(settleMs);
      return proportionalBytes(service.pid) / mebibyte;
    },
  },
} as const satisfies Readonly<Record<string, RunningCase | StartCase>>;

/** The name of a case. */
export type CaseName = keyof typeof cases;

export const caseNames = Object.keys(cases) as readonly CaseName[];

/** The case of a name. */
export function caseOf(name: CaseName): RunningCase | StartCase {
  return cases[name];
}

/** Processor time of the same request again and again. */
function request(
  title: string,
  carrier: Carrier,
  target: string,
  manner?: 'not-modified' | 'gzip' | 'h2',
): RunningCase {
  return {
    title,
    unit: 'µs',
    carrier,
    target,
    measure: async (side, { seconds }) => {
      const headers: Record<string, string> = {};
      if (manner === 'gzip') headers['accept-encoding'] = 'gzip';
      if (manner === 'not-modified') {
        const authorization = `Bearer ${side.key}`;
        const { etag = '' } = (await ask(side.url + target, { authorization })).headers;
        headers['if-none-match'] = etag;
      }
      return loaded(side, { targets: [target], headers, seconds, isHttp2: manner === 'h2' });
    },
  };
}

/** The connections to each side and protocol stay open over the turns. */
const loads = new WeakMap<Server, Map<boolean, RequestLoad>>();

/** Microseconds of processor time for each request. */
async function loaded(
  side: Server,
  {
    targets,
    headers = {},
    seconds,
    isHttp2 = false,
  }: {
    readonly targets: readonly string[];
    readonly headers?: Readonly<Record<string, string>>;
    readonly seconds: number;
    readonly isHttp2?: boolean;
  },
): Promise<number> {
  const ofSide = loads.getOrInsertComputed(side, () => new Map<boolean, RequestLoad>());
  const load = ofSide.getOrInsertComputed(isHttp2, () =>
    isHttp2 ? new Http2Load(side.url) : new Http1Load(side.url),
  );
  await load.ready();
  const { url, key } = side;
  const sent = { url, targets, headers: { authorization: `Bearer ${key}`, ...headers } };
  return spentPer(side, () => load.run(sent, seconds * 1_000));
}

/** Processor time of requests that differ from all before. */
function eachOnce(
  title: string,
  targetsOf: (setting: Setting, turn: number) => readonly string[],
): RunningCase {
  const turns = new Map<number, number>();
  return {
    title,
    unit: 'µs',
    carrier: 'http',
    measure: async (side, { setting }) => {
      const turn = turns.get(side.pid) ?? 0;
      turns.set(side.pid, turn + 1);
      using connection = await HttpConnection.open(Number(new URL(side.url).port));
      return await spentPer(side, async () => {
        const targets = targetsOf(setting, turn);
        for (const target of targets) await send(connection, side, target);
        return targets.length;
      });
    },
  };
}

async function send(
  connection: HttpConnection,
  { url, key }: Server,
  target: string,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const headers = { authorization: `Bearer ${key}` };
  connection.exchange(requestText('GET', new URL(url + target), headers), resolve);
  const status = await promise;
  if (status !== 200) throw new Error(`${target} got ${status}`);
}

function dayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Processor time of some work, in seconds. */
async function spent({ pid }: Server, work: () => Promise<unknown>): Promise<number> {
  const before = preciseTime(pid);
  await work();
  return preciseTime(pid) - before;
}

/** Microseconds of processor time for each of the requests that some work says to have sent. */
async function spentPer(side: Server, work: () => Promise<number>): Promise<number> {
  let requests = 0;
  const seconds = await spent(side, async () => {
    requests = await work();
  });
  return (seconds / requests) * 1e6;
}

/** Milliseconds of processor time for each push, without what the service takes at rest. */
async function pushed(side: Service): Promise<number> {
  using source = new PushSource(usual, await PushedBodies.of(side));
  await source.warmUp(warmUpPushes);
  const rest = await spent(side, () => sleep(pacedSeconds * 1_000));
  const busy = await spent(side, () => source.pushFor(pacedSeconds));
  return ((busy - rest) / (usual.perSecond * pacedSeconds)) * 1_000;
}

/** The times of requests at a steady rate beside pushes, in milliseconds, ascending. */
async function timesBeside(
  side: Service,
  pushes: { readonly updates: number; readonly perSecond: number },
  requestsPerSecond: number,
): Promise<readonly number[]> {
  using source = new PushSource(pushes, await PushedBodies.of(side));
  await source.warmUp(pushes.perSecond);
  const times = await new QuoteClient(side, requestsPerSecond).run(pacedSeconds, source);
  return times.toSorted((a, b) => a - b);
}

function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

async function openStreams(side: Service, count: number, query: string): Promise<Disposable> {
  const streams = new DisposableStack();
  for (let at = 0; at < count; at += 1) streams.use(await StreamClient.open(side, query));
  return streams;
}

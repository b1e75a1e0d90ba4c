/**
 * What bonds cost while 1,000 prices arrive each second: the processor time of the program, and the time in which
 * it responds to `/cotizaciones`, without clients of `/bonos` and with some that poll it once a second and send
 * the ETag that they have. Two services run, one with the terms of bonds and one without: without clients, both
 * take the same time if nothing is computed when a price arrives. The cases take turns in every round. Both
 * services share one core, of which each idles while the other is measured. The clients have the other core.
 *
 * Usage: taskset -c 1 node bench/updates/bonds.ts [ROUNDS] [SECONDS] [CLIENTS]
 */
import { rm } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { Bonds } from '../../src/domain/bonds/bonds.ts';
import { valuedIn } from '../../src/domain/bonds/bond.ts';
import { conventions } from '../../src/domain/bonds/conventions.ts';
import { valueBond } from '../../src/domain/bonds/value-bond.ts';
import { addDays, toEpochDay, type PlainDate } from '../../src/domain/calendar/plain-date.ts';
import { indexNames } from '../../src/domain/indices/index-name.ts';
import type { Instrument } from '../../src/domain/instruments/instrument.ts';
import { requireUniverse } from '../../src/node/market/require-universe.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { readNumbers } from '../support/arguments.ts';
import { figure, say } from '../support/print.ts';
import { processorTime } from '../support/process-tree.ts';
import { startService, type RunningService } from '../support/running-service.ts';
import { scratchDirectory } from '../support/scratch-directory.ts';
import { spreadOf } from '../support/statistics.ts';
import { changeAt } from '../../test/support/market/test-change.ts';

const { rounds, seconds, clients } = readNumbers(import.meta.filename, {
  rounds: 7,
  seconds: 4,
  clients: 100,
});

const updatesPerSecond = 1_000;
const batchEveryMs = 10;
const batchLength = (updatesPerSecond * batchEveryMs) / 1_000;
const quotesEveryMs = 20;
const pollEveryMs = 1_000;
const panel = 'panel=BONOS';
/** The value of every index on every day. */
const indexValue = 780;
const pesosPerDollar = 1_550;

const today = new Date().toISOString().slice(0, 10) as PlainDate;
const universe = await requireUniverse(resolve(import.meta.dirname, '../../universe'));
const bonds = new Bonds(universe);
const bondQuotes = quotesNear([
  ...universe.listOf('BONOS'),
  ...['AL30D', 'AL30C'].flatMap((ticker) => universe.find(ticker) ?? []),
]);
const shareQuotes = quotesNear(universe.listOf('LID'));

/** What is measured: whose prices arrive, and what the clients poll. */
interface Case {
  readonly name: string;
  readonly hasTerms: boolean;
  readonly arriving: Readonly<Record<string, number>>;
  /** Absent without clients. */
  readonly polled?: string;
}

const cases: readonly Case[] = [
  { name: 'no terms, no clients', hasTerms: false, arriving: bondQuotes },
  { name: 'terms, no clients', hasTerms: true, arriving: bondQuotes },
  {
    name: 'clients of /cotizaciones',
    hasTerms: true,
    arriving: bondQuotes,
    polled: `/cotizaciones?${panel}`,
  },
  { name: 'clients of /bonos', hasTerms: true, arriving: bondQuotes, polled: `/bonos?${panel}` },
  {
    name: 'clients of /bonos, shares arrive',
    hasTerms: true,
    arriving: shareQuotes,
    polled: `/bonos?${panel}`,
  },
];

/** The figures of a case in one round. */
interface Measured {
  /** Processor time of the service, in milliseconds for 1,000 updates: those of a second. */
  readonly processor: number;
  /** Response times of `/cotizaciones`, in milliseconds. */
  readonly median: number;
  readonly p99: number;
  /** Responses to the clients, and how many of them were 304, and 503 on a machine that others use too. */
  readonly polls: number;
  readonly unchanged: number;
  readonly refused: number;
}

/** How many prices were pushed, so that each differs from the one before, and how many are durable. */
let pushed = 0;
let durable = 0;

const agent = new Agent({ keepAlive: true });
await run();
agent.destroy();

async function run(): Promise<void> {
  await using withTerms = await start();
  await using without = await start((directory) => rm(join(directory, 'bonds.csv')));
  const serviceOf = ({ hasTerms }: Case) => (hasTerms ? withTerms : without).service;
  // Every quote exists, and every path has run, before anything is measured.
  for (const { service } of [withTerms, without]) {
    await push(service, Object.entries({ ...bondQuotes, ...shareQuotes }));
    await measure(service, cases[3] as Case, 1_000);
  }
  say(
    `load average ${loadavg()[0]?.toFixed(1)}, ${rounds} rounds of ${seconds} s, ${clients} clients`,
  );
  const measured = new Map<Case, Measured[]>(cases.map((one) => [one, []]));
  for (let round = 0; round < rounds; round += 1) {
    // Each round has another order, so that none of them is always the first.
    for (let at = 0; at < cases.length; at += 1) {
      const one = cases[(at + round) % cases.length] as Case;
      measured.get(one)?.push(await measure(serviceOf(one), one, seconds * 1_000));
    }
  }
  for (const [{ name }, all] of measured) sayCase(name, all);
  say(`load average ${loadavg()[0]?.toFixed(1)}`);
}

interface Started extends AsyncDisposable {
  readonly service: RunningService;
}

/** Starts a service whose store has every index on all days that are needed. */
async function start(editUniverse?: (directory: string) => Promise<void>): Promise<Started> {
  const directory = await scratchDirectory();
  {
    await using store = await openSqliteStore({ directory: directory.path });
    const days = Array.from({ length: 60 }, (_, at) => toEpochDay(addDays(today, at - 50)));
    await store.indices.put(
      indexNames.flatMap((index) =>
        days.map((day) => ({ index, day, value: indexValue, source: 'bench' })),
      ),
      changeAt(Date.now()),
    );
  }
  const service = await startService(
    directory.path,
    editUniverse === undefined ? {} : { editUniverse },
  );
  return {
    service,
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** A plausible price of each instrument: of a bond, 95 % of its technical value. */
function quotesNear(instruments: readonly Instrument[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    instruments.map((instrument) => {
      const bond = bonds.of(instrument);
      if (bond === undefined) return [instrument.ticker, 1_000];
      const flows = valuedIn(bond.terms);
      const { technicalValue } = valueBond(bond, {
        settlement: addDays(today, 1),
        convention: conventions.pizarra,
        price: { amount: 100, currency: flows, form: 'quoted' },
        index: () => indexValue,
      });
      const rate = instrument.currency === flows ? 1 : pesosPerDollar;
      return [instrument.ticker, (technicalValue ?? 100) * 0.95 * rate];
    }),
  );
}

/** Pushes prices at the steady rate, and measures what the service and the requests take meanwhile. */
async function measure(service: RunningService, one: Case, forMs: number): Promise<Measured> {
  const stopping = new AbortController();
  const polling = Array.from({ length: one.polled === undefined ? 0 : clients }, (_, client) =>
    poll(service, one.polled ?? '', {
      firstAfterMs: (client * pollEveryMs) / clients,
      signal: stopping.signal,
    }),
  );
  const pushing = every(batchEveryMs, forMs, () => push(service, nextBatch(one.arriving)));
  // The clients have begun when the measurement begins.
  await sleep(Math.min(pollEveryMs, forMs / 4));
  const [before, durableBefore] = [processorTime([service.pid]), durable];
  const times = await every(quotesEveryMs, forMs * 0.7, async () => {
    const sent = performance.now();
    await get(service, `/cotizaciones?${panel}`);
    return performance.now() - sent;
  });
  const after = processorTime([service.pid]);
  // On a machine that others use too, the service may be behind the rhythm.
  const updates = (durable - durableBefore) / updatesPerSecond;
  stopping.abort();
  const counts = await Promise.all(polling);
  await pushing;
  const sorted = times.toSorted((a, b) => a - b);
  const share = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  return {
    processor: ((after.user + after.kernel - before.user - before.kernel) / updates) * 1_000,
    median: share(0.5),
    p99: share(0.99),
    polls: counts.reduce((sum, { polls }) => sum + polls, 0),
    unchanged: counts.reduce((sum, { unchanged }) => sum + unchanged, 0),
    refused: counts.reduce((sum, { refused }) => sum + refused, 0),
  };
}

/** Starts some work in a fixed rhythm, however long it takes, and gives all results. */
async function every<T>(
  everyMs: number,
  forMs: number,
  work: () => Promise<T>,
): Promise<readonly T[]> {
  const under: Promise<T>[] = [];
  const begun = performance.now();
  for (let turn = 0; turn * everyMs < forMs; turn += 1) {
    await sleep(Math.max(0, begun + turn * everyMs - performance.now()));
    under.push(work());
  }
  return Promise.all(under);
}

/** The prices of one batch: the next instruments in turn, each within half a percent of its first price. */
function nextBatch(
  prices: Readonly<Record<string, number>>,
): readonly (readonly [string, number])[] {
  const all = Object.entries(prices);
  return Array.from({ length: batchLength }, () => {
    pushed += 1;
    const [ticker, price] = all[pushed % all.length] ?? ['', 0];
    return [ticker, price * (1 + (pushed % 101) / 20_000)] as const;
  });
}

async function push(
  service: RunningService,
  prices: readonly (readonly [string, number])[],
): Promise<void> {
  const at = new Date().toISOString();
  const lines = prices.map(([ticker, last]) =>
    JSON.stringify({ ticker, at, last: Number(last.toFixed(5)) }),
  );
  const headers = { authorization: `Bearer ${service.keys.ingest}` };
  const outgoing = request(`${service.privateUrl}/updates`, { method: 'POST', agent, headers });
  outgoing.end(lines.join('\n'));
  const { status, body } = await answered(outgoing);
  if (status === 503) return;
  const { accepted, unchanged } = JSON.parse(body) as Readonly<Record<string, number>>;
  if ((accepted ?? 0) + (unchanged ?? 0) !== prices.length)
    throw new Error(`not all were accepted: ${body}`);
  durable += prices.length;
}

/** A client that polls a path until it is stopped, and sends the tag of the response that it has. */
async function poll(
  service: RunningService,
  path: string,
  { firstAfterMs, signal }: { readonly firstAfterMs: number; readonly signal: AbortSignal },
): Promise<Pick<Measured, 'polls' | 'unchanged' | 'refused'>> {
  let [polls, unchanged, refused, tag] = [0, 0, 0, ''];
  const begun = performance.now() + firstAfterMs;
  for (let turn = 0; ; turn += 1) {
    await sleep(Math.max(0, begun + turn * pollEveryMs - performance.now()), undefined, {
      signal,
    }).catch(() => undefined);
    if (signal.aborted) return { polls, unchanged, refused };
    const { status, etag } = await get(service, path, tag === '' ? {} : { 'if-none-match': tag });
    polls += 1;
    if (status === 304) unchanged += 1;
    else if (status === 503) refused += 1;
    else tag = etag;
  }
}

function get(
  service: RunningService,
  path: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${service.keys.read}`,
    'accept-encoding': 'gzip',
    ...more,
  };
  return answered(request(service.url + path, { agent, headers }).end());
}

interface Answer {
  readonly status: number;
  readonly etag: string;
  readonly body: string;
}

async function answered(outgoing: ReturnType<typeof request>): Promise<Answer> {
  const { promise, resolve: arrived, reject } = Promise.withResolvers<IncomingMessage>();
  outgoing.on('response', arrived).on('error', reject);
  const response = await promise;
  const body = await text(response);
  const { statusCode: status = 0 } = response;
  if (![200, 304, 503].includes(status)) throw new Error(`${status}: ${body}`);
  return { status, etag: response.headers.etag ?? '', body };
}

function sayCase(name: string, all: readonly Measured[]): void {
  const show = (of: (one: Measured) => number): string => {
    const { median, least, most } = spreadOf(all.map(of));
    return `${figure(median)} (${figure(least)} to ${figure(most)})`;
  };
  const polls = all.reduce((sum, one) => sum + one.polls, 0);
  const unchanged = all.reduce((sum, one) => sum + one.unchanged, 0);
  const refused = all.reduce((sum, one) => sum + one.refused, 0);
  const same =
    polls === 0
      ? ''
      : `; of ${polls} polls ${figure((unchanged / polls) * 100)} % 304, ${refused} 503`;
  say(
    `${name.padEnd(34)} processor ${show((one) => one.processor)} ms/s; /cotizaciones p50 ${show((one) => one.median)} ms, p99 ${show((one) => one.p99)} ms${same}`,
  );
}

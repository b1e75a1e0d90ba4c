/**
 * Two keys of one service, of which one asks for the most expensive tables without end, over several connections, each
 * of them new: the time of the requests of the other key, alone and beside it.
 *
 * Usage: node bench/requests/fair-reads.ts [SECONDS] [CONNECTIONS]
 */
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import {
  fromEpochDay,
  isoWeekday,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../src/domain/calendar/plain-date.ts';
import { createKey } from '../../src/node/keys/keys.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { requireUniverse } from '../../src/node/market/require-universe.ts';
import { testStamp } from '../../test/support/market/test-change.ts';
import { readNumbers } from '../support/arguments.ts';
import { say } from '../support/print.ts';
import { startService } from '../support/running-service.ts';
import { scratchDirectory } from '../support/scratch-directory.ts';

const { seconds, connections } = readNumbers(import.meta.filename, {
  seconds: 10,
  connections: 8,
});

const last = toEpochDay('2026-11-20' as PlainDate);
const days = Array.from({ length: 7_000 }, (_, at) => (last - 6_999 + at) as EpochDay).filter(
  (day) => isoWeekday(day) <= 5,
);
const universe = await requireUniverse(new URL('../../universe', import.meta.url).pathname);
const tickers = universe.instruments.slice(0, 400).map(({ ticker }) => ticker);

await using directory = await scratchDirectory();
{
  await using store = await openSqliteStore({ directory: directory.path });
  await store.history.transaction(async (transaction) => {
    for (const ticker of tickers) await transaction.put(ticker, closesOf(ticker));
  }, testStamp);
}
await using service = await startService(directory.path);
const expires = Date.now() + 86_400_000;
const busy = await createKey(directory.path, { name: 'busy', scope: 'read', expiresAt: expires });
await sleep(1_000);

const list = tickers.map(encodeURIComponent);
const since = (day: number): string => fromEpochDay((last - day) as EpochDay);
let sent = 0;
/** As many rows as allowed, and a refused table, with and without an instant. Each is of another first day. */
const expensive = [
  () => `/historicos?especie=${list.slice(0, 19).join()}&forma=larga&desde=${since(6_990)}`,
  () => `/historicos?especie=${list.join()}&forma=larga&desde=${since(345)}`,
  () => `/historicos?especie=${list.join()}&forma=larga&desde=${since(6_990)}`,
  () => `/historicos?especie=${list.slice(0, 19).join()}&forma=ancha&desde=${since(6_990)}`,
].flatMap((target) => [target, () => `${target()}&conocido=${new Date().toISOString()}`]);

const light = {
  'a quote': () => '/cotizaciones?especie=GGAL',
  'a table': () =>
    `/historicos?especie=${list[++sent % 400]},GGAL&forma=larga&desde=${since(60 + (sent % 40))}`,
  'a table, conocido': () =>
    `/historicos?especie=GGAL&forma=larga&desde=${since(30)}&conocido=${new Date().toISOString()}`,
  changes: () => `/cambios?especie=${list[++sent % 400]}&desde=${since(100 + (sent % 300))}`,
} as const;

interface Answered {
  readonly status: number;
  readonly ms: number;
}

function ask(target: string, key: string): Promise<Answered> {
  const begun = performance.now();
  const url = new URL(`${target}&hasta=2026-11-20`, service.url);
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  httpRequest(url, { headers: { authorization: `Bearer ${key}` } }, (response) => {
    response.resume();
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, ms: performance.now() - begun }),
    );
  })
    .on('error', reject)
    .end();
  return promise;
}

async function measure(name: string): Promise<void> {
  for (const [kind, target] of Object.entries(light)) {
    const answers: Answered[] = [];
    const until = performance.now() + seconds * 1_000;
    while (performance.now() < until) {
      answers.push(await ask(target(), service.keys.read));
      await sleep(5);
    }
    const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
    const at = (part: number): string => (times[Math.floor(times.length * part)] ?? 0).toFixed(1);
    const failed = answers.filter(({ status }) => status !== 200).length;
    say(
      `${name} ${kind}: ${times.length} requests, median ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(0.9999)} ms, ${failed} failed`,
    );
  }
}

await measure('alone:');
const over = new AbortController();
const statuses = new Map<number, number>();
const loads = Array.from({ length: connections }, async (_, connection) => {
  for (let at = connection; !over.signal.aborted; at += 1) {
    const { status } = await ask(expensive[at % expensive.length]?.() ?? '', busy.key);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
});
await measure('beside the other:');
over.abort();
await Promise.all(loads);
say(`the other key: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}`);

function closesOf(ticker: string): readonly { day: EpochDay; close: number; volume: number }[] {
  let price = 100 + ticker.length;
  return days.map((day, at) => {
    price = Math.round(price * (1 + Math.sin(at) * 0.01) * 100) / 100;
    return { day, close: price, volume: at };
  });
}

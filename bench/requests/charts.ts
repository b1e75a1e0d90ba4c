/**
 * The processor time of 300 bars of `/udf/history` beside the same rows of `/historicos`, from memory: the same
 * request again, a request whose `to` moves with the clock, as that of a chart does, the poll of a chart, which
 * requests two bars, and pages of the past. Requests go to the handler of the public listener, without sockets. The
 * sides take turns.
 *
 * Usage: node bench/requests/charts.ts [ROUNDS] [REQUESTS]
 */
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';

import { issueKey } from '../../src/auth/issue-key.ts';
import { KeyRing } from '../../src/auth/key-ring.ts';
import { Board } from '../../src/board/board.ts';
import { fromEpochDay, type EpochDay } from '../../src/domain/calendar/plain-date.ts';
import { noActions } from '../../src/domain/history/corporate-actions.ts';
import type { BarSeries } from '../../src/domain/history/daily-close.ts';
import { noIndices } from '../../src/domain/indices/index-series.ts';
import type { Request } from '../../src/http/handler/request.ts';
import { createPublicServer } from '../../src/http/public-server.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { requireUniverse } from '../../src/node/market/require-universe.ts';
import { HistoryChanges } from '../../src/store/contract/history-store.ts';
import { readNumbers } from '../support/arguments.ts';
import { processorTimeOf, report } from '../support/report.ts';
import { median } from '../support/statistics.ts';

const { rounds, requests } = readNumbers(import.meta.filename, { rounds: 7, requests: 20_000 });
const bars = 300;
const dayCount = 5_000;
const firstDay = 15_000;
const secondsPerDay = 86_400;

function column(from: number): Float64Array {
  return Float64Array.from({ length: dayCount }, (_, at) => from + at * 1.25);
}
const series: BarSeries = {
  days: Int32Array.from({ length: dayCount }, (_, at) => firstDay + at),
  opens: column(100.5),
  highs: column(110.25),
  lows: column(90.75),
  closes: column(105),
  volumes: column(1_000),
};

const keyRing = new KeyRing();
const { key, record } = issueKey(
  { name: 'bench', scope: 'read' },
  { now: systemClock.now(), randomBytes },
);
keyRing.replace([record]);
const ignore = (): void => undefined;
await using server = createPublicServer({
  instance: 'bench',
  board: new Board(await requireUniverse(resolve(import.meta.dirname, '../../universe'))),
  history: {
    readSeries: async () => series,
    readBars: async () => series,
    countCloses: async () => [],
  },
  memory: {
    readCloses: async () => [],
    countCloses: async () => [],
    readActions: async () => [],
    readTerms: async () => [],
    knownSince: async () => undefined,
    began: async () => 0,
  },
  indexMemory: {
    readAll: async () => ({ revision: 0, values: [] }),
    readReplaced: async () => [],
  },
  bars: { readBars: async () => [], latestBarDay: async () => undefined },
  actions: () => noActions,
  indices: () => noIndices,
  historyChanges: new HistoryChanges(),
  keyRing,
  openapi: () => ({}),
  log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  clock: systemClock,
});

const peer = { address: '127.0.0.1', isEncrypted: false };
const headers = { host: 'bench', authorization: `Bearer ${key}` };

/** Answers a request. @returns the length of the body. */
async function answer(target: string): Promise<number> {
  const request: Request = {
    peer,
    method: 'GET',
    target,
    version: '1.1',
    headers,
    count: () => 1,
    hasBody: false,
    keepsAlive: true,
    headBytes: undefined,
    body: undefined,
    reading: undefined,
  };
  const { status, body } = await server.handler.respond(request);
  if (status !== 200) throw new Error(`${target}: ${status}`);
  return body.reduce((sum, part) => sum + part.length, 0);
}

const lastDay = firstDay + dayCount - 1;
const date = (day: number): string => fromEpochDay(day as EpochDay);
const range = `desde=${date(lastDay - bars + 1)}&hasta=${date(lastDay)}`;
const chart = `/udf/history?symbol=GGAL&resolution=1D&countback=${bars}&from=0&to=`;
const to = (lastDay + 1) * secondsPerDay;
const sides: Readonly<Record<string, (at: number) => string>> = {
  '/historicos': () =>
    `/historicos?especie=GGAL&${range}&ajuste=splits&campos=apertura,maximo,minimo`,
  '/udf/history': () => `${chart}${to}`,
  '/udf/history, moving': (at) => `${chart}${to + at}`,
  '/udf/history, poll': (at) =>
    `/udf/history?symbol=GGAL&resolution=1D&countback=2&from=0&to=${to + at}`,
  '/udf/history, random page': (at) => `${chart}${to - ((at * 7) % 4_000) * secondsPerDay}`,
};

const microseconds: Record<string, number[]> = {};
for (let round = 0; round < rounds; round += 1) {
  for (const [side, targetOf] of Object.entries(sides)) {
    // oxlint-disable-next-line no-await-in-loop -- the sides take turns.
    const total = await processorTimeOf(async () => {
      // oxlint-disable-next-line no-await-in-loop -- each request is answered after the one before.
      for (let at = 0; at < requests; at += 1) await answer(targetOf(round * requests + at));
    });
    (microseconds[side] ??= []).push(total / requests);
  }
}
const [plain = Number.NaN] = Object.values(microseconds).map(median);
for (const [side, all] of Object.entries(microseconds)) {
  report(side, median(all), 'µs');
  report(`${side}: ratio`, median(all) / plain, 'times');
}

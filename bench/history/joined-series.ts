/**
 * The processor time of `/historicos` with `forma`: a year of closes of 20 and of 80 instruments, and the most
 * rows that a response may have, beside the requests for each instrument alone. Cold is reading the store and
 * rendering; cached is finding the content of a request in memory. The longest step is the time for which no
 * other request is answered.
 *
 * Usage: node bench/history/joined-series.ts [ROUNDS]
 */
import { performance } from 'node:perf_hooks';

import { Board } from '../../src/board/board.ts';
import {
  fromEpochDay,
  isoWeekday,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../src/domain/calendar/plain-date.ts';
import type { CorporateAction } from '../../src/domain/history/corporate-action.ts';
import { CorporateActions } from '../../src/domain/history/corporate-actions.ts';
import { ResponseMemory } from '../../src/http/answers/answers.ts';
import { HistoryRevisions } from '../../src/http/answers/history-revisions.ts';
import { ReadQueue } from '../../src/http/answers/read-queue.ts';
import { defaultHttpLimits } from '../../src/http/http-limits.ts';
import { KnownSources } from '../../src/http/history/known-sources.ts';
import { InstantTexts } from '../../src/wire/texts/instant-texts.ts';
import { historicos } from '../../src/http/public/historicos.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import { readNumbers } from '../support/arguments.ts';
import { say } from '../support/print.ts';
import { seededRandom } from '../support/random.ts';
import { processorTimeOf } from '../support/report.ts';
import { scratchDirectory } from '../support/scratch-directory.ts';
import { spreadOf } from '../support/statistics.ts';
import { testStamp } from '../../test/support/market/test-change.ts';
import { noPayments } from '../../test/support/market/no-payments.ts';

const { rounds } = readNumbers(import.meta.filename, { rounds: 20 });
const cachedPerRound = 2_000;

const tickers = Array.from({ length: 400 }, (_, at) => `T${at}`);
const universe = makeUniverse(tickers.map((ticker) => ({ ticker })));
const last = toEpochDay('2026-11-19' as PlainDate);
const days = Array.from({ length: 3_652 }, (_, at) => (last - 3_651 + at) as EpochDay).filter(
  (day) => isoWeekday(day) <= 5,
);

await using directory = await scratchDirectory();
await using store = await openSqliteStore({ directory: directory.path });
const random = seededRandom(1);
await store.history.transaction(async (transaction) => {
  for (const { ticker } of universe.instruments) {
    let price = 100 + random() * 9_000;
    const closes = days.map((day) => {
      price = Math.round(price * (1.0005 + (random() - 0.5) * 0.04) * 100) / 100;
      const volume = Math.floor(random() * 5_000_000);
      return { day, close: price, volume, open: price, high: price, low: price };
    });
    await transaction.put(ticker, closes);
  }
}, testStamp);
/** Of every second instrument, a split and a quarterly dividend. */
const actions = new CorporateActions(
  universe.instruments
    .filter((_, at) => at % 2 === 0)
    .flatMap(({ ticker }): readonly CorporateAction[] => {
      const split = { ticker, exDay: (last - 200) as EpochDay, factor: 3, source: 'bench' };
      const paid = { ticker, amount: 0.37, currency: 'ARS', source: 'bench' };
      return [
        ...Array.from({ length: 40 }, (_, quarter) => ({
          type: 'cash-dividend' as const,
          exDay: (last - 20 - quarter * 91) as EpochDay,
          ...paid,
        })),
        { type: 'split' as const, ...split },
      ];
    }),
);

const queue = new ReadQueue({ ...defaultHttpLimits, clock: systemClock });
const caller = { key: undefined, departure: undefined };
const memory = new ResponseMemory({ clock: systemClock, queue, bytesMax: 2 ** 28 });
const revisions = new HistoryRevisions();
const source = historicos(
  {
    history: store.history,
    payments: noPayments,
    actions: () => actions,
    sessionDay: () => last,
    board: new Board(universe),
    known: new KnownSources({
      memory: store.memory,
      actions: () => actions,
      revisions,
      responses: memory,
      payments: noPayments,
    }),
    revisions,
    instants: new InstantTexts(universe),
    rowsMax: 100_000,
  },
  { memory, tickersMax: 500 },
);

function rangeOf(sessions: number): string {
  return `desde=${fromEpochDay(days.at(-sessions) as EpochDay)}&hasta=2026-11-19`;
}

interface Case {
  readonly name: string;
  readonly queries: readonly string[];
  readonly isRefused?: boolean;
}

function together(count: number, sessions: number, further: string): readonly string[] {
  return [`especie=${tickers.slice(0, count).join()}&${rangeOf(sessions)}&${further}`];
}

const cases: readonly Case[] = [
  {
    name: '20 × 250, one request each',
    queries: tickers.slice(0, 20).map((ticker) => `especie=${ticker}&${rangeOf(250)}`),
  },
  { name: '20 × 250, larga', queries: together(20, 250, 'forma=larga') },
  { name: '20 × 250, ancha', queries: together(20, 250, 'forma=ancha') },
  { name: '20 × 250, larga, splits', queries: together(20, 250, 'forma=larga&ajuste=splits') },
  { name: '20 × 250, larga, total', queries: together(20, 250, 'forma=larga&ajuste=total') },
  {
    name: '20 × 250, larga, splits, all fields',
    queries: together(20, 250, 'forma=larga&ajuste=splits&campos=apertura,maximo,minimo'),
  },
  { name: '80 × 250, larga', queries: together(80, 250, 'forma=larga') },
  { name: '400 × 250, larga', queries: together(400, 250, 'forma=larga') },
  { name: '400 × 250, ancha', queries: together(400, 250, 'forma=ancha') },
  {
    name: '400 × 2,609, refused',
    queries: together(400, 2_609, 'forma=larga'),
    isRefused: true,
  },
];

async function request({ queries, isRefused = false }: Case): Promise<void> {
  for (const query of queries) {
    const found = await source.find(query, 'json', caller);
    if (found.ok === isRefused) throw new Error(`${query} was ${found.ok ? 'served' : 'refused'}`);
    if (found.ok) found.value.body.pick(['identity']);
  }
}

/** The longest time between two turns of the event loop while something runs, in milliseconds. */
async function longestStep(run: () => Promise<void>): Promise<number> {
  let longest = 0;
  let at = performance.now();
  let isRunning = true;
  const turn = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - at);
    at = now;
    if (isRunning) setImmediate(turn);
  };
  setImmediate(turn);
  await run();
  isRunning = false;
  return longest;
}

const number = (value: number): string => value.toFixed(value < 10 ? 3 : 1).padStart(9);
say(`${rounds} rounds; ms of processor time, median, least, most: cold; cached; longest step`);
for (const one of cases) {
  const [cold, cached, steps] = [[], [], []] as [number[], number[], number[]];
  for (let round = -2; round < rounds; round += 1) {
    memory.clear();
    const coldCost = await processorTimeOf(() => request(one));
    const cachedCost = await processorTimeOf(async () => {
      for (let count = 0; count < cachedPerRound; count += 1) await request(one);
    });
    memory.clear();
    const step = await longestStep(() => request(one));
    if (round < 0) continue;
    cold.push(coldCost / 1_000);
    cached.push(cachedCost / 1_000 / cachedPerRound);
    steps.push(step);
  }
  const figures = [cold, cached, steps].map((values) => {
    const { median, least, most } = spreadOf(values);
    return [median, least, most].map(number).join('');
  });
  say(`${one.name.padEnd(38)}${figures.join('  ')}`);
}

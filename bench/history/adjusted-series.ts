/**
 * The processor time of ten years of closes of one instrument: as traded, adjusted, and with further
 * fields. Cold is reading the store and rendering; cached is finding the content of a request in memory.
 * The sides alternate.
 *
 * Usage: node bench/history/adjusted-series.ts [ROUNDS]
 */
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import type { CorporateAction } from '../../src/domain/history/corporate-action.ts';
import { CorporateActions } from '../../src/domain/history/corporate-actions.ts';
import {
  isoWeekday,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { Board } from '../../src/board/board.ts';
import { ResponseMemory } from '../../src/http/answers/answers.ts';
import { HistoryRevisions } from '../../src/http/answers/history-revisions.ts';
import { ReadQueue } from '../../src/http/answers/read-queue.ts';
import { defaultHttpLimits } from '../../src/http/http-limits.ts';
import { KnownSources } from '../../src/http/history/known-sources.ts';
import { InstantTexts } from '../../src/wire/texts/instant-texts.ts';
import { historicos } from '../../src/http/public/historicos.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { readNumbers } from '../support/arguments.ts';
import { say } from '../support/print.ts';
import { seededRandom } from '../support/random.ts';
import { processorTimeOf } from '../support/report.ts';
import { scratchDirectory } from '../support/scratch-directory.ts';
import { spreadOf } from '../support/statistics.ts';
import { testStamp } from '../../test/support/market/test-change.ts';
import { noPayments } from '../../test/support/market/no-payments.ts';

const { rounds } = readNumbers(import.meta.filename, { rounds: 40 });
const coldPerRound = 20;
const cachedPerRound = 20_000;

const ticker = 'GGAL' as Ticker;
const universe = makeUniverse([{ ticker }]);
const [first, last] = ['2016-11-20', '2026-11-19'].map((date) => toEpochDay(date as PlainDate)) as [
  EpochDay,
  EpochDay,
];

await using directory = await scratchDirectory();
await using store = await openSqliteStore({ directory: directory.path });
const random = seededRandom(1);
let price = 100;
const closes = Array.from({ length: last - first + 1 }, (_, at) => (first + at) as EpochDay)
  .filter((day) => isoWeekday(day) <= 5)
  .map((day) => {
    price = Math.round(price * (1.0005 + (random() - 0.5) * 0.04) * 100) / 100;
    const volume = Math.floor(random() * 5_000_000);
    return { day, close: price, volume, open: price, high: price, low: price };
  });
await store.history.transaction((transaction) => transaction.put(ticker, closes), testStamp);

const actions = new CorporateActions([
  ...Array.from({ length: 40 }, (_, quarter): CorporateAction => {
    const exDay = (first + 45 + quarter * 91) as EpochDay;
    return { type: 'cash-dividend', ticker, exDay, amount: 0.37, currency: 'ARS', source: 'bench' };
  }),
  ...[900, 1_800, 3_100].map((at, index): CorporateAction => {
    const exDay = (first + at) as EpochDay;
    return { type: 'split', ticker, exDay, factor: [3, 1.09, 7][index] ?? 1, source: 'bench' };
  }),
]);

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
const range = `especie=${ticker}&desde=2016-11-20&hasta=2026-11-20`;
const fields = '&campos=apertura,maximo,minimo';
const queries = ['', '&ajuste=splits', '&ajuste=total', fields, `&ajuste=total${fields}`];

/** The processor time of one call, in microseconds. */
async function costOf(calls: number, call: () => unknown): Promise<number> {
  const microseconds = await processorTimeOf(async () => {
    for (let count = 0; count < calls; count += 1) await call();
  });
  return microseconds / calls;
}

async function cold(query: string): Promise<number> {
  return costOf(coldPerRound, () => {
    memory.clear();
    return source.find(range + query, 'json', caller);
  });
}

async function cached(query: string): Promise<number> {
  await source.find(range + query, 'json', caller);
  return costOf(cachedPerRound, () => {
    const found = source.find(range + query, 'json', caller);
    if (found instanceof Promise || !found.ok) throw new Error('the series is not in the cache');
    found.value.body.pick(['identity']);
  });
}

const number = (value: number): string => value.toFixed(value < 10 ? 2 : 0).padStart(8);
say(
  `${closes.length} closes, ${rounds} rounds; µs of processor time: median, least, most; ratio of the medians`,
);
for (const [name, measure] of [
  ['cold', cold],
  ['cached', cached],
] as const) {
  const costs = new Map(queries.map((query) => [query, [] as number[]]));
  // The first three rounds warm up.
  for (let round = -3; round < rounds; round += 1) {
    for (const query of round % 2 === 0 ? queries : queries.toReversed()) {
      const cost = await measure(query);
      if (round >= 0) costs.get(query)?.push(cost);
    }
  }
  const plain = spreadOf(costs.get('') ?? []).median;
  for (const [query, values] of costs) {
    const { median, least, most } = spreadOf(values);
    const figures = [median, least, most].map(number).join(' ');
    say(
      `${name.padEnd(7)}${(query || 'as traded').padEnd(46)}${figures}  ${(median / plain).toFixed(2)}`,
    );
  }
}

/**
 * The speed of the SQLite store on one core: putting rows, reading series, finding references.
 *
 * Usage: node bench/store.ts [ROWS]
 */
import type { DailyClose } from '../src/domain/history/daily-close.ts';
import type { EpochDay, PlainDate } from '../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../src/domain/instruments/ticker.ts';
import { openSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import { peakMemoryMiB, report, secondsOf } from './support/report.ts';
import { scratchDirectory } from './support/scratch-directory.ts';

const rowsPerInstrument = 5_000;
const firstDay = 13_000;

const rows = Number(process.argv[2] ?? 1_000_000);
const tickers = Array.from(
  { length: Math.ceil(rows / rowsPerInstrument) },
  (_, index) => `T${index}` as Ticker,
);
const closes: readonly DailyClose[] = Array.from({ length: rowsPerInstrument }, (_, index) => ({
  day: (firstDay + index) as EpochDay,
  close: 100 + index * 0.37,
  volume: index * 1_000,
  open: 99.5 + index * 0.37,
  high: 101.25 + index * 0.37,
  low: 98.75 + index * 0.37,
}));

await using directory = await scratchDirectory();
await using store = await openSqliteStore({ directory: directory.path });

for (const what of ['new', 'already there']) {
  const seconds = await secondsOf(async () => {
    for (const ticker of tickers) {
      await store.history.transaction((transaction) => transaction.put(ticker, closes));
    }
  });
  report(
    `put, ${what}, one transaction per instrument`,
    (tickers.length * rowsPerInstrument) / seconds,
    'rows/s',
  );
}

const range = { from: firstDay as EpochDay, to: (firstDay + rowsPerInstrument) as EpochDay };
const reading = await secondsOf(async () => {
  for (const ticker of tickers) await store.history.readSeries(ticker, range);
});
report(`read a series of ${rowsPerInstrument} rows`, (reading / tickers.length) * 1e3, 'ms');

const sessions = Array.from({ length: 650 }, (_, index) => ({
  ticker: tickers[index % tickers.length] ?? ('' as Ticker),
  sessionDate: '2015-06-15' as PlainDate,
}));
const references = await secondsOf(() => store.history.referenceCloses(sessions));
report('references of 650 instruments', references * 1e3, 'ms');
const latest = await secondsOf(() =>
  store.history.latestCloses(sessions.map(({ ticker }) => ticker)),
);
report('latest closes of 650 instruments', latest * 1e3, 'ms');

const polls = 10_000;
const { revision } = await store.history.changesSince(0);
const polling = await secondsOf(async () => {
  for (let poll = 0; poll < polls; poll += 1) await store.history.changesSince(revision);
});
report('read changes when there are none', (polling / polls) * 1e6, 'µs');
const asking = await secondsOf(async () => {
  for (let poll = 0; poll < polls; poll += 1) await store.keys.revision();
});
report('read the revision of the keys', (asking / polls) * 1e6, 'µs');

const groups = 100;
const quotes = sessions.map(({ ticker, sessionDate }, index) => ({
  ticker,
  version: index,
  session: {
    sessionDate,
    last: index,
    volume: null,
    openAt: null,
    isInHistory: false,
    historyClose: null,
  },
  references: {},
}));
const committing = await secondsOf(async () => {
  for (let group = 0; group < groups; group += 1) await store.quotes.commit({ quotes, closes: [] });
});
report('commit a group of 650 quotes', (committing / groups) * 1e3, 'ms');

report('peak memory', peakMemoryMiB(), 'MiB');

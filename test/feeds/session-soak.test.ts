import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { toEpochDay } from '../../src/domain/calendar/plain-date.ts';
import type { Quote } from '../../src/domain/quotes/quote.ts';
import { percentChange } from '../../src/domain/values/rounding.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { FeedTallies } from '../../src/pipeline/live/feed-state.ts';
import { heapMiB } from '../support/heap-mib.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { until } from '../support/wait.ts';
import { SourceServer } from '../support/http/source-server.ts';
import {
  mistakesInBar,
  mistakesInDerived,
  mistakesOf,
  withQuote,
  type Shown,
} from './soak/compare.ts';
import { describeRun, type SessionRun } from './soak/describe-run.ts';
import { startService, storeCloses } from './soak/service.ts';
import { StandIns } from './soak/stand-ins.ts';
import { Trouble } from './soak/trouble.ts';
import { derived, sessionUniverse, TrueMarket, tradedTickers } from './soak/true-market.ts';
import { WithheldPrices } from './soak/withheld.ts';
import { SteppedClock } from './soak/stepped-clock.ts';
import { closesAt, date, isLong, minuteMs, opensAt, seed } from './soak/timetable.ts';

// A session with all slips, outages and limits at once: what is shown is compared with the truth every
// second. `npm test` plays the first hour and a quarter. `npm run test:soak` plays whole sessions.

const startsAt = opensAt - 5 * minuteMs;
const endsAt = isLong ? closesAt + 10 * minuteMs : opensAt + 75 * minuteMs;
const runs = isLong ? Number(process.env['SOAK_RUNS'] ?? 10) : 1;

/** The most that memory may grow in the second half, in MiB. A leak of some KB for each poll is more. */
const growthMiBMax = 4;

async function play(t: TestContext, runSeed: number): Promise<SessionRun> {
  const directory = await temporaryDirectory(t);
  await using server = await SourceServer.start();
  const clock = new SteppedClock(startsAt);
  const market = new TrueMarket(runSeed, endsAt);
  const trouble = new Trouble(runSeed, endsAt);
  const withheld = new WithheldPrices((source) => trouble.isDown(source));
  const standIns = new StandIns({
    market,
    trouble,
    clock,
    seed: runSeed,
    shown: (ticker) => service.quote(ticker)?.last,
    onSent: (sent) => withheld.add(sent, service.quote(sent.ticker)),
  });
  standIns.serve(server);
  await storeCloses(directory, market);
  const surroundings = {
    directory,
    url: server.url,
    clock,
    seed: runSeed,
    tallies: new FeedTallies(),
    judged: new Map<string, number>(),
  };
  let service = await startService(surroundings);
  const wrong: string[] = [];
  const secondsOf = new Map<string, number>();
  const compared = new Map<string, number>();
  const shownOf = new Map<string, Shown | undefined>();
  let seconds = 0;
  const quoteOf = (ticker: string) => service.quote(ticker);
  const compare = (): void => {
    seconds += 1;
    for (const ticker of [...tradedTickers, derived.ticker]) {
      const quote = quoteOf(ticker);
      if (quote === undefined) continue;
      if (ticker !== derived.ticker) {
        const isOfSession = (quote.asOf ?? 0) >= opensAt;
        const source = isOfSession ? (quote.source?.name ?? 'none') : 'the stored close';
        secondsOf.set(source, (secondsOf.get(source) ?? 0) + 1);
      }
      // A quote is compared with the truth at its own instant, so it stays as right as it was.
      if (compared.get(ticker) === quote.version) continue;
      compared.set(ticker, quote.version);
      const mistakes =
        ticker === derived.ticker
          ? mistakesInDerived(quote, quoteOf, market)
          : mistakesOf(ticker, quote, { market, shown: shownOf.get(ticker) });
      shownOf.set(ticker, withQuote(shownOf.get(ticker), quote));
      const now = new Date(clock.now()).toISOString();
      wrong.push(
        ...mistakes.map((mistake) => `${now} ${ticker}: ${mistake} (${quote.source?.name})`),
      );
    }
  };
  const restartsAt = startsAt + Math.floor(((endsAt - startsAt) * 0.47) / 1_000) * 1_000;
  const halfwayAt = restartsAt + 10 * minuteMs;
  let halfMiB = Number.NaN;
  try {
    await clock.untilPaused(service.feeds);
    for (let now = startsAt + 1_000; now <= endsAt; now += 1_000) {
      t.signal.throwIfAborted();
      await clock.moveTo(now, service.feeds, () => withheld.compare(clock.now(), quoteOf));
      compare();
      if (now === halfwayAt) halfMiB = heapMiB();
      if (now !== restartsAt) continue;
      await service[Symbol.asyncDispose]();
      standIns.forget();
      withheld.restart();
      service = await startService(surroundings);
      await clock.untilPaused(service.feeds);
    }
    const growthMiB = heapMiB() - halfMiB;
    const day = toEpochDay(date);
    let bars = 0;
    for (const ticker of tradedTickers) {
      const stored = await service.store.bars.readBars(ticker as string as Ticker, {
        from: day,
        to: day,
      });
      bars += stored.length;
      for (const bar of stored) {
        wrong.push(...mistakesInBar(ticker, bar, market).map((mistake) => `${ticker}: ${mistake}`));
      }
    }
    clock.jumpTo(closesAt + 20 * minuteMs);
    const lasts = tradedTickers.flatMap((ticker) => {
      const { asOf = 0, last } = quoteOf(ticker) ?? {};
      return asOf < opensAt ? [] : [[ticker, last] as const];
    });
    const closeOf = async (ticker: string) => {
      const range = { from: day, to: day };
      return (await service.store.history.readSeries(ticker as Ticker, range)).closes[0];
    };
    await until('the close of every session is stored', async () => {
      const closes = await Promise.all(lasts.map(([ticker]) => closeOf(ticker)));
      return closes.every((close) => close !== undefined);
    });
    for (const [ticker, last] of lasts) assert.equal(await closeOf(ticker), last, ticker);
    const { tallies, judged } = surroundings;
    return {
      seed: runSeed,
      seconds,
      wrong,
      bars,
      secondsOf,
      standIns,
      trouble,
      withheld,
      tallies,
      judged,
      growthMiB,
    };
  } finally {
    await service[Symbol.asyncDispose]();
  }
}

test(
  'with slips, outages and limits at once, every second shows the truth, and no true price is withheld for longer than decided, each last price is the close, and memory is flat',
  { timeout: isLong ? 7_200_000 : 600_000 },
  async (t) => {
    for (let index = 0; index < runs; index += 1) {
      const run = await play(t, seed + index);
      for (const line of describeRun(run)) t.diagnostic(line);
      assert.deepEqual(run.wrong.slice(0, 20), []);
      assert.deepEqual(run.withheld.tooLong.slice(0, 20), []);
      assert.ok(run.growthMiB < growthMiBMax, `memory grew by ${run.growthMiB} MiB`);
    }
  },
);

test('the comparison notices a wrong price in every field of a quote', () => {
  const market = new TrueMarket(seed, endsAt);
  const ticker = 'GGAL';
  const { at, price, open, high, low, volume } = market.tradesOf(ticker)[50] ?? assert.fail();
  const { previous, monthBase, yearBase } = market.closesOf(ticker);
  const quote: Quote = {
    instrument: sessionUniverse.get(ticker as string as Ticker),
    version: 1,
    sessionDate: date,
    asOf: at,
    last: price,
    open,
    high,
    low,
    volume,
    previousClose: previous,
    references: {},
    change: { value: percentChange(previous, price) ?? 0, unit: 'percent' },
    monthToDatePct: percentChange(monthBase, price),
    yearToDatePct: percentChange(yearBase, price),
  };
  const shown = { since: at, high, low };
  assert.deepEqual(mistakesOf(ticker, quote, { market, shown }), []);
  const bar = {
    day: toEpochDay(date),
    minute: Math.floor(at / minuteMs),
    open: price,
    high: price,
    low: price,
  };
  const wrong: readonly Partial<Quote>[] = [
    { last: price * 10 },
    { open: open / 10 },
    { high: high * 10 },
    // A price that was traded, but is not the highest or the lowest that was shown.
    { high: price === high ? low : price },
    { low: price === low ? high : price },
    { volume: volume + 1 },
    { previousClose: previous * 10 },
    { change: null },
    { monthToDatePct: 0 },
    { yearToDatePct: null },
    { bar: { ...bar, last: price * 10, volume: 1 } },
  ];
  for (const one of wrong) {
    const mistakes = mistakesOf(ticker, { ...quote, ...one }, { market, shown });
    assert.ok(mistakes.length > 0, JSON.stringify(one));
  }
});

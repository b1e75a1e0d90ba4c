import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toEpochDay, type PlainDate } from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { at, update } from '../support/market/drive-engine.ts';
import { makeUniverse } from '../support/market/make-universe.ts';
import { until } from '../support/wait.ts';
import { follow, openService, type TestService } from './two-services.ts';
import { testStamp } from '../support/market/test-change.ts';

const [thursday, friday, tuesday] = ['2026-11-19', '2026-11-20', '2026-11-24'];
const universe = makeUniverse([
  { ticker: 'GGAL', panels: ['LID'] },
  { ticker: 'YPFD', panels: ['LID'] },
  { ticker: 'OLD' },
  { ticker: 'AL30' },
  { ticker: 'AL30D', currency: 'USD' },
  { ticker: 'AL30X', kind: 'bond', derivation: { type: 'alias', source: 'AL30' as Ticker } },
  { ticker: 'MERVAL', kind: 'index' },
  { ticker: 'BTC', kind: 'crypto', market: 'CRIPTO' },
  {
    ticker: 'DOLAR MEP',
    kind: 'exchange-rate',
    derivation: { type: 'ratio', numerator: 'AL30' as Ticker, denominator: 'AL30D' as Ticker },
  },
]);
const tickers = universe.instruments.map(({ ticker }) => ticker);
const all = encodeURIComponent(tickers.join(','));
const extras = 'compra,venta,cantCompra,cantVenta,monto,operaciones,fuente,instante';

/** What a client may request about followed instruments, from a day on. */
function pathsSince(date: string): readonly string[] {
  return [
    `/cotizaciones?especie=${all}`,
    `/cotizaciones?especie=${all}&campos=${extras}`,
    '/cotizaciones?panel=LID&formato=csv',
    `/recorridos?especie=${all}`,
    '/especies.json',
    '/ranking?panel=LID',
    '/mercados',
    `/udf/quotes?symbols=${all}`,
    '/udf/symbols?symbol=GGAL',
    '/udf/history?symbol=GGAL&resolution=1&from=0&to=1800000000&countback=500',
    ...tickers.flatMap((ticker) => [
      `/intradiarios?especie=${encodeURIComponent(ticker)}&intervalo=1m&desde=${date}&hasta=2026-12-31`,
      `/intradiarios?especie=${encodeURIComponent(ticker)}&intervalo=15m`,
      `/historicos?especie=${encodeURIComponent(ticker)}&desde=${date}&hasta=2026-12-31&campos=apertura,maximo,minimo`,
    ]),
  ];
}

/** Waits until the mirror gives the responses of the origin. */
async function same(origin: TestService, mirror: TestService, date: string): Promise<void> {
  for (const path of pathsSince(date)) {
    const bodies = async () =>
      (await Promise.all([origin, mirror].map(({ server }) => server.get(path)))).map(
        ({ status, body }) => `${status} ${body}`,
      );
    const isSame = async (): Promise<boolean> => {
      const [ofOrigin, ofMirror] = await bodies();
      return ofOrigin === ofMirror;
    };
    await until(path, isSame).catch(async () => {
      const [ofOrigin, ofMirror] = await bodies();
      assert.equal(ofMirror, ofOrigin, path);
    });
  }
}

/** An imported close. */
const close = (date: string, price: number) => ({
  day: toEpochDay(date as PlainDate),
  close: price,
  volume: 5,
  source: 'import:a.csv',
});

/** The closes of earlier sessions, which only the origin has. */
async function importCloses(store: TestService['store']): Promise<void> {
  await store.history.transaction(async (transaction) => {
    await transaction.put('OLD' as Ticker, [close('2026-10-30', 40), close(thursday, 44)]);
    await transaction.put('GGAL' as Ticker, [
      close('2025-12-30', 5_000.123_4),
      close('2026-10-30', 6_500),
      close(thursday, 7_000),
    ]);
    await transaction.put('YPFD' as Ticker, [close(thursday, 30_000)]);
  }, testStamp);
}

/** Trades of the session of a day, with a book, a jump that is confirmed, and a price that never is. */
async function trade(
  origin: TestService,
  date: string,
  from: number,
  until_: number,
  time: { now: number },
) {
  for (let minute = from; minute <= until_; minute += 7) {
    const clock = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
    const now = at(date, clock) + 12_345;
    time.now = now;
    const wave = Math.round(100 * Math.sin(minute));
    await origin.submit([
      update('GGAL', now, {
        last: 7_000 + wave,
        volume: minute * 10,
        bid: 6_999 + wave,
        ...(minute % 2 === 0 ? { ask: 7_001 + wave, bidSize: minute, askSize: 3 } : { askSize: 0 }),
      }),
      update('GGAL', now, { last: 70 }),
      update('AL30', now, { last: 90_000 + wave * 10, amount: minute * 1e6, trades: minute }),
      update('AL30D', now - 3_000, { last: 60 + wave / 100 }),
      update('MERVAL', now, { last: 2_000_000 + wave, previousClose: 1_990_000 }),
    ]);
    await origin.submit([update('BTC', now, { last: 90_000 + wave, bid: 1 })], { name: 'binance' });
  }
}

test('a mirror gives the responses of its origin: before the open, in the session, after the close, after a cut and a holiday', async () => {
  const time = { now: at(friday, '09:00') };
  await using origin = await openService(universe, { time, before: importCloses });
  await using mirror = await openService(universe, { time });
  const reached = { port: origin.server.port, key: origin.server.key };
  {
    await using _ = follow(mirror, reached, { universe, time });
    await same(origin, mirror, friday);
    await trade(origin, friday, 10 * 60 + 31, 12 * 60, time);
    await same(origin, mirror, friday);
    // YPFD opens at another level, which five prices confirm: its close is set aside.
    const noon = time.now;
    for (const [step, last] of [3_000, 3_010, 3_020, 3_030, 3_040, 3_050].entries()) {
      time.now = noon + step * 40_000;
      await origin.submit([update('YPFD', time.now, { last, volume: 5 + step })]);
    }
    await same(origin, mirror, friday);
  }
  // The mirror misses the end of the session, and the origin a restart of its feeds.
  await trade(origin, friday, 16 * 60, 16 * 60 + 59, time);
  time.now = at(friday, '17:02');
  await origin.submit([update('GGAL', at(friday, '16:59'), { last: 7_050, close: 7_055 })]);
  time.now = at(friday, '17:20');
  const settled = `/historicos?especie=GGAL&desde=${friday}&hasta=${friday}`;
  await until('the close is in history', async () => {
    return (await origin.server.get(settled)).body.includes('7055');
  });
  {
    await using _ = follow(mirror, reached, { universe, time });
    await same(origin, mirror, friday);
  }
  // Monday is a holiday. On Tuesday the mirror starts in the afternoon. A session that it misses as a whole is of
  // its history, which is read apart.
  await trade(origin, tuesday, 10 * 60 + 31, 14 * 60, time);
  {
    await using _ = follow(mirror, reached, { universe, time });
    await same(origin, mirror, friday);
    await trade(origin, tuesday, 15 * 60, 15 * 60 + 20, time);
    await same(origin, mirror, friday);
    assert.ok(mirror.pipeline.board.quote(universe.get('DOLAR MEP' as Ticker)) !== undefined);
  }
});

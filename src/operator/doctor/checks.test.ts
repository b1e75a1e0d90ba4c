import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../../../test/support/program/program.ts';
import { al30 } from '../../../test/support/market/bond-samples.ts';
import { makeUniverse, sketchMarkets } from '../../../test/support/market/make-universe.ts';
import type { ApiKeyRecord } from '../../domain/access/api-key.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import { toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { StoredQuote } from '../../domain/quotes/stored-quote.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { Universe } from '../../domain/instruments/universe.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { openPlace } from '../../node/place/open-place.ts';
import { resolveSettings } from '../../config/settings/resolve-settings.ts';
import { checkClock } from './check-data.ts';
import { checkInstalled } from './check-service.ts';
import { checkPrices, checkSources } from './check-responses.ts';
import { checkHistory } from './check-history.ts';
import { checkKeys } from './check-data.ts';
import { checkMaturities } from './check-universe.ts';
import { checkService } from './check-service.ts';
import { checkCalendars } from './check-universe.ts';
import { testStamp } from '../../../test/support/market/test-change.ts';

/** Friday 20 November 2026, 20:00 in Buenos Aires. */
const now = Date.parse('2026-11-20T23:00:00Z');
const msPerDay = 86_400_000;

function key(id: string, parts: Partial<ApiKeyRecord> = {}): ApiKeyRecord {
  return { id, name: `of ${id}`, scope: 'read', sha256: 'f'.repeat(64), createdAt: 0, ...parts };
}

function quote(asOf: number): StoredQuote {
  return { session: { asOf } } as unknown as StoredQuote;
}

test('keys: a warning if no key can read, and for keys that expire soon without a rotation', () => {
  assert.equal(checkKeys([key('a', { scope: 'ingest' })], now, false).state, 'warning');
  assert.equal(checkKeys([key('a', { revokedAt: 1 })], now, false).state, 'warning');
  assert.equal(checkKeys([key('a', { expiresAt: now + 15 * msPerDay })], now, false).state, 'fine');
  const soon = now + 13 * msPerDay;
  const { state, cases } = checkKeys(
    [key('a', { expiresAt: soon }), key('b', { expiresAt: soon }), key('c', { replaces: 'b' })],
    now,
    false,
  );
  assert.equal(state, 'warning');
  assert.deepEqual(cases, [`a (of a): ${new Date(soon).toISOString()}`]);
});

test('keys: a warning for active keys for URLs while the service refuses them', () => {
  const keys = [key('a'), key('u', { scope: 'url' }), key('v', { scope: 'url', revokedAt: 1 })];
  const { state, cases, says } = checkKeys(keys, now, false);
  assert.deepEqual([state, cases], ['warning', ['u (of u)']]);
  assert.match(says, /^1 keys for URLs are refused/);
  assert.equal(checkKeys(keys, now, true).state, 'fine');
});

test('calendars: missing holidays and settlement days of the next year get a warning from November on, those of this year are always wrong', () => {
  const universe = new Universe({
    instruments: [],
    markets: sketchMarkets,
    panels: new Map(),
    derived: [],
    bondTerms: [],
  });
  const stateAt = (instant: string) => checkCalendars(universe, Date.parse(instant));
  assert.equal(stateAt('2026-10-31T12:00:00Z').state, 'fine');
  assert.match(stateAt('2026-10-31T12:00:00Z').says, /through 2026/);
  const november = stateAt('2026-11-20T12:00:00Z');
  assert.equal(november.state, 'warning');
  assert.deepEqual(november.cases, [
    'BYMA: holidays through 2026',
    'BYMA: days without settlement through 2026',
    'NYSE: holidays through 2026',
    'NYSE: days without settlement through 2026',
  ]);
  assert.equal(stateAt('2027-01-04T12:00:00Z').state, 'wrong');
});

test('calendars: the days without settlement are missed alone, and a market with bonds must have some', () => {
  const byma = sketchMarkets.get('BYMA') ?? assert.fail('no market');
  const withDays = (...unsettled: readonly string[]) => {
    const { instruments, bondTerms } = makeUniverse(
      [{ ticker: 'AL30', kind: 'bond' }],
      [{ ...al30, series: [] }],
    );
    const market = {
      ...byma,
      holidays: new Map([...byma.holidays, ['2027-01-01' as PlainDate, 'Año Nuevo'] as const]),
      unsettled: new Set(unsettled as readonly PlainDate[]),
    };
    const markets = new Map([['BYMA', market]]);
    return new Universe({ instruments, markets, panels: new Map(), derived: [], bondTerms });
  };
  const november = Date.parse('2026-11-20T12:00:00Z');
  const missing = checkCalendars(withDays('2026-12-07'), november);
  assert.equal(missing.state, 'warning');
  assert.deepEqual(missing.cases, ['BYMA: days without settlement through 2026']);
  assert.equal(checkCalendars(withDays('2026-12-07', '2027-12-24'), november).state, 'fine');
  const none = checkCalendars(withDays(), november);
  assert.equal(none.state, 'warning');
  assert.match(`${none.says} ${none.todo}`, /every session of BYMA.*settlementCalendar/);
});

test('maturities: a panel that has an instrument that has matured is a warning, and one in no panel is only named', () => {
  const universe = makeUniverse([
    { ticker: 'S13N6', kind: 'bill', maturity: '2026-11-13' },
    { ticker: 'S20N6', kind: 'bill', maturity: '2026-11-20', panels: ['BONOS', 'IND'] },
    { ticker: 'S30N6', kind: 'bill', maturity: '2026-11-30', panels: ['BONOS'] },
  ]);
  const before = checkMaturities(universe, now - msPerDay);
  assert.equal(before.state, 'fine');
  assert.match(before.says, /In no panel, .*: S13N6 \(2026-11-13\)\.$/);
  const { state, says, todo, cases } = checkMaturities(universe, now);
  assert.equal(state, 'warning');
  assert.match(says, /S13N6/);
  assert.match(todo ?? '', /instruments\.csv/);
  assert.deepEqual(cases, ['S20N6 (2026-11-20): matured, in BONOS, IND']);
  assert.equal(
    checkMaturities(makeUniverse([{ ticker: 'GGAL' }]), now).says,
    'No panel has an instrument that has matured.',
  );
});

test('history: no close is missing from the maturity of a bond on', async () => {
  const universe = makeUniverse([{ ticker: 'S13N6', kind: 'bill', maturity: '2026-11-13' }]);
  await using directory = await temporaryDirectory();
  await using store = await openSqliteStore({ directory: directory.path });
  await store.history.transaction(
    (transaction) =>
      transaction.put(
        'S13N6' as Ticker,
        ['2026-11-10', '2026-11-11'].map((date): DailyClose => ({
          day: toEpochDay(date as PlainDate),
          close: 100,
          volume: null,
        })),
      ),
    testStamp,
  );
  const { cases } = await checkHistory(universe, store.history, { now, settleDelayMs: 900_000 });
  assert.deepEqual(cases, ['S13N6: 2026-11-12']);
});

test('history: missing closes are listed by session, and once for a day that a whole market lacks', async () => {
  const names = ['GGAL', 'YPFD', 'PAMP', 'ALUA', 'NEVER HAD ONE', 'LISTED LATER'];
  const universe = makeUniverse([
    ...names.map((ticker) => ({ ticker })),
    { ticker: 'BTC', market: 'CRIPTO' },
  ]);
  await using directory = await temporaryDirectory();
  await using store = await openSqliteStore({ directory: directory.path });
  const put = (ticker: string, dates: readonly string[]): Promise<void> =>
    store.history.transaction(
      (transaction) =>
        transaction.put(
          ticker as Ticker,
          dates.map((date): DailyClose => ({
            day: toEpochDay(date as PlainDate),
            close: 1,
            volume: null,
          })),
        ),
      testStamp,
    );
  // All sessions of BYMA from 21 October to 20 November, except Tuesday 10 November.
  const dates = Array.from({ length: 31 }, (_, at) =>
    new Date(Date.parse('2026-10-21T12:00:00Z') + at * msPerDay).toISOString().slice(0, 10),
  ).filter((date) => ![0, 6].includes(new Date(date).getUTCDay()) && date !== '2026-11-10');
  const before = ['2026-09-01', ...dates];
  for (const ticker of ['GGAL', 'YPFD', 'PAMP']) await put(ticker, before);
  await put(
    'ALUA',
    before.filter((date) => date !== '2026-11-18'),
  );
  await put('LISTED LATER', ['2026-11-19', '2026-11-20']);
  const finding = await checkHistory(universe, store.history, { now, settleDelayMs: 900_000 });
  assert.equal(finding.state, 'warning');
  assert.match(finding.says, /^5 of 7 instruments/);
  assert.deepEqual(finding.cases, ['BYMA 2026-11-10: 4 instruments', 'ALUA: 2026-11-18']);

  // A session counts only when it has settled.
  await put('ALUA', ['2026-11-10', '2026-11-18']);
  for (const ticker of ['GGAL', 'YPFD', 'PAMP']) await put(ticker, ['2026-11-10']);
  const monday = Date.parse('2026-11-24T20:05:00Z');
  const again = await checkHistory(universe, store.history, {
    now: monday,
    settleDelayMs: 900_000,
  });
  assert.equal(again.state, 'fine', JSON.stringify(again));
});

test('clock: a clock that is before a stored price is wrong', async () => {
  const today = Date.now();
  assert.equal((await checkClock([quote(today + 60_000)], today)).state, 'fine');
  assert.equal((await checkClock([quote(today + 3_600_000)], today)).state, 'wrong');
  assert.equal((await checkClock([], Date.parse('1970-01-02T00:00:00Z'))).state, 'wrong');
});

test('service: if the database does not respond, the remedy is not another user', async () => {
  // Port 1 refuses connections at once.
  await using place = openPlace('postgres://pizarra@127.0.0.1:1/pizarra');
  const settings = resolveSettings({ flags: {}, environment: {} });
  const [finding] = await checkService(place, settings, now);
  assert.equal(finding?.state, 'warning');
  assert.match(finding.says, /^Cannot determine whether a service runs on PostgreSQL/);
  assert.match(finding.todo ?? '', /database/);
});

test('no service: a warning where systemd has the unit or the directory has data', async () => {
  await using directory = await temporaryDirectory();
  const [units, data] = ['units', 'data'].map((name) => join(directory.path, name)) as [
    string,
    string,
  ];
  const place = { name: data, directory: data };
  assert.equal(checkInstalled(place, [units]).state, 'fine');
  mkdirSync(data);
  assert.equal(checkInstalled(place, [units]).state, 'fine');
  writeFileSync(join(data, 'pizarra.db'), '');
  const stopped = checkInstalled(place, [units]);
  assert.deepEqual(
    [stopped.state, stopped.says],
    ['warning', `No service runs on ${data}, which has data.`],
  );
  mkdirSync(units);
  writeFileSync(join(units, 'pizarra.service'), '');
  const installed = checkInstalled({ name: 'a database' }, [join(units, 'none'), units]);
  assert.equal(installed.state, 'warning');
  assert.match(installed.todo ?? '', /systemctl start pizarra/);
});

/** A response of `/readyz`. */
function readyz(feeds: object): string {
  return JSON.stringify({ checks: { feeds } });
}

test('prices and sources: a warning for simulated prices, and for each source that is stale or has failed', () => {
  assert.equal(checkPrices('{"datos":"simulados"}').state, 'warning');
  assert.equal(checkPrices('{"datos":"reales"}').state, 'fine');
  assert.deepEqual(checkSources(readyz({ ok: true, reason: 'no feed is stale or failed' })), []);
  const some = checkSources(readyz({ ok: true, reason: 'a: failed; b: stale', cases: ['a', 'b'] }));
  assert.equal(some[0]?.says, '2 sources are stale or have failed.');
  assert.deepEqual(some[0]?.cases, ['a', 'b']);
  const none = checkSources(readyz({ ok: false, reason: 'no source responds: a', cases: ['a'] }));
  assert.equal(none[0]?.says, 'No source responds.');
});

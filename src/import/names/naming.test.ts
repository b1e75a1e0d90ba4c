import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import type { Naming } from '../layouts/layout.ts';
import { isUnclear, resolveName, unclearName, withSuffix } from './naming.ts';

const universe = makeUniverse([
  { ticker: 'GGAL' },
  { ticker: 'GGAL_US', kind: 'adr', market: 'NYSE' },
  { ticker: 'AL30', kind: 'bond' },
  { ticker: 'KO', kind: 'cedear' },
  { ticker: 'KO_US', market: 'NYSE' },
  { ticker: 'TSLA_US', market: 'NYSE' },
  { ticker: 'DISN', kind: 'cedear' },
  { ticker: 'DOLAR MEP', kind: 'exchange-rate' },
  { ticker: 'EL PASO', kind: 'cedear' },
  { ticker: 'BTC', kind: 'crypto', market: 'CRIPTO' },
]);

/** The ticker of a name, `?` when it is ambiguous, and undefined when it is unknown. */
function tickerOf(name: string, naming: Naming = 'bare', suffix?: string): string | undefined {
  const rules = { universe, naming, ...(suffix !== undefined && { suffix }) };
  const resolution = resolveName(name, rules);
  return isUnclear(resolution) ? '?' : resolution?.ticker;
}

/** The text of the refusal of an ambiguous name. */
function refusal(name: string, canBeTicker: boolean): string {
  const resolution = resolveName(name, { universe, naming: 'bare' });
  if (!isUnclear(resolution)) return assert.fail(`${name} is clear`);
  const { code, message } = unclearName(resolution, canBeTicker);
  assert.equal(code, 'ambiguous');
  return message;
}

test('a market in the name takes precedence over every other rule', () => {
  for (const naming of ['bare', 'us', 'canonical', 'yahoo'] as const) {
    for (const name of ['GGAL US Equity', ' ggal.us ', 'GGAL.US', 'NASDAQ:GGAL', 'nyse:GGAL']) {
      assert.equal(tickerOf(name, naming, ''), 'GGAL_US', name);
    }
    for (const name of ['GGAL AR Equity', ' ggal.ba ', 'GGAL.BA', 'BCBA:GGAL', 'BYMA:GGAL']) {
      assert.equal(tickerOf(name, naming, '_US'), 'GGAL', name);
    }
  }
});

test("a canonical name is a ticker, and the operator's suffix takes precedence over the source's", () => {
  assert.equal(tickerOf('GGAL', 'canonical', '_US'), 'GGAL');
  assert.equal(tickerOf('TSLA', 'canonical'), undefined);
  assert.equal(tickerOf('GGAL', 'us'), 'GGAL_US');
  assert.equal(tickerOf('GGAL', 'us', ''), 'GGAL');
  assert.equal(tickerOf('GGAL', 'bare', '_US'), 'GGAL_US');
});

test('a bare name that may be a CEDEAR or a US share is ambiguous, and for Yahoo it is the US share', () => {
  assert.deepEqual(
    ['GGAL', 'KO', 'TSLA', 'DISN', 'AL30', 'NADA', 'KO_US', ' AL30 '].map((name) => tickerOf(name)),
    ['?', '?', '?', '?', 'AL30', undefined, 'KO_US', 'AL30'],
  );
  assert.equal(tickerOf('TSLA', 'yahoo'), 'TSLA_US');
});

test('a pair is a cryptocurrency only when it is quoted in that currency', () => {
  for (const pair of ['BTCARS', 'btc/ars', 'BTC-ARS', 'BTC_ARS', ' BTCARS ']) {
    assert.equal(tickerOf(pair), 'BTC', pair);
  }
  for (const pair of ['BTCUSD', 'GGALARS', 'XBTCARS', 'BTC//ARS', 'BTCARSX']) {
    assert.equal(tickerOf(pair), undefined, pair);
  }
});

test('a suffix is added to a name that does not end with it, in any case', () => {
  assert.equal(withSuffix(' KO ', '_US'), 'KO_US');
  assert.equal(withSuffix('KO_US', '_US'), 'KO_US');
  assert.equal(withSuffix('ko_us', '_US'), 'ko_us');
  assert.equal(withSuffix('KO_US', '_us'), 'KO_US');
  assert.equal(withSuffix('KO', ''), 'KO');
});

test('an ambiguous name is refused with its possible instruments and the options that decide', () => {
  const ko = 'KO may be KO (cedear in ARS, BYMA) or KO_US (share in ARS, NYSE); choose with';
  assert.equal(refusal(' KO ', false), `${ko} --suffix "" or --suffix _US`);
  assert.equal(
    refusal('KO', true),
    `${ko} --ticker KO, --ticker KO_US, --suffix "" or --suffix _US`,
  );
});

test('a name that exists on one market only is refused with the missing market and the ticker', () => {
  assert.equal(
    refusal('TSLA', true),
    'TSLA may be TSLA_US (share in ARS, NYSE) or a local instrument that is not in the universe; ' +
      'if it is the former, use --ticker TSLA_US or --suffix _US',
  );
  assert.equal(
    refusal('DISN', false),
    'DISN may be DISN (cedear in ARS, BYMA) or a US share that is not in the universe; ' +
      'if it is the former, use --suffix ""',
  );
  assert.match(refusal('EL PASO', true), /use --ticker "EL PASO" or --suffix ""/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { PlainDate } from '../../../domain/calendar/plain-date.ts';
import { SessionCalendar } from '../../../domain/calendar/session-calendar.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import { sampleUniverse } from '../../../../test/support/market/sample-market.ts';
import { tickerIn } from './parts.ts';
import { configJson, foundSymbolsJson, symbolJson } from './symbols.ts';

function symbolOf(ticker: string, delayMinutes?: number): Readonly<Record<string, unknown>> {
  const instrument = sampleUniverse.get(ticker as Ticker);
  const market = sampleUniverse.markets.get(instrument.market) ?? assert.fail();
  const today = '2026-11-20' as PlainDate;
  const calendar = new SessionCalendar(market);
  return JSON.parse(symbolJson(instrument, { calendar, today, delayMinutes })) as Readonly<
    Record<string, unknown>
  >;
}

test('contract 4.15.4: a symbol has the name, the market, the hours and the decimals of its instrument', () => {
  assert.deepEqual(symbolOf('GGAL'), {
    name: 'GGAL',
    ticker: 'GGAL',
    description: sampleUniverse.get('GGAL' as Ticker).name,
    type: 'stock',
    exchange: 'BYMA',
    listed_exchange: 'BYMA',
    timezone: 'America/Argentina/Buenos_Aires',
    session: '1030-1700:23456',
    session_holidays: '20260101,20261123,20261208,20261225',
    corrections: '1030-1500:20261224',
    format: 'price',
    minmov: 1,
    pricescale: 10 ** sampleUniverse.get('GGAL' as Ticker).decimals,
    has_intraday: true,
    intraday_multipliers: ['1', '5', '15', '60'],
    has_daily: true,
    daily_multipliers: ['1'],
    has_weekly_and_monthly: true,
    weekly_multipliers: ['1'],
    monthly_multipliers: ['1'],
    visible_plots_set: 'ohlcv',
    volume_precision: 0,
    currency_code: 'ARS',
    original_currency_code: 'ARS',
    data_status: 'streaming',
    delay: 0,
  });
});

test('contract 4.15.4: a delay is in seconds', () => {
  const { data_status, delay } = symbolOf('GGAL', 20);
  assert.deepEqual([data_status, delay], ['delayed_streaming', 1200]);
  assert.equal(symbolOf('GGAL', 0)['data_status'], 'streaming');
});

test('contract 4.15.4: a kind without volume has no plot of it, and a unit that is no currency is absent', () => {
  const { visible_plots_set, volume_precision } = symbolOf('RIESGO PAIS');
  assert.deepEqual([visible_plots_set, volume_precision], ['ohlc', undefined]);
  assert.equal(symbolOf('BTC')['volume_precision'], 8);
  assert.equal(symbolOf('CAUCION 1D')['pricescale'], 100);
  const units = sampleUniverse.instruments.map(({ ticker, currency }) => {
    const { currency_code = currency, original_currency_code } = symbolOf(ticker);
    assert.equal(original_currency_code !== undefined, /^[A-Z]+$/.test(currency), ticker);
    return currency_code === currency;
  });
  assert.ok(units.every(Boolean));
});

test('contract 4.15.6: a found symbol names its market in full', () => {
  const aapl = sampleUniverse.get('AAPL' as Ticker);
  assert.deepEqual(JSON.parse(foundSymbolsJson([aapl])), [
    {
      symbol: 'AAPL',
      full_name: 'BYMA:AAPL',
      description: aapl.name,
      exchange: 'BYMA',
      ticker: 'AAPL',
      type: 'dr',
    },
  ]);
});

test('contract 4.15.4: what precedes the first colon of a symbol is its market', () => {
  assert.deepEqual(['GGAL', 'BYMA:GGAL', ':GGAL', 'A:B:C', ''].map(tickerIn), [
    'GGAL',
    'GGAL',
    'GGAL',
    'B:C',
    '',
  ]);
});

test('contract 4.15.3: the configuration lists what the service has, and each type with its name', () => {
  const [byma] = [...sampleUniverse.markets.values()];
  assert.deepEqual(JSON.parse(configJson([byma ?? assert.fail()])), {
    supports_search: true,
    supports_group_request: false,
    supports_marks: false,
    supports_timescale_marks: true,
    supports_time: true,
    supported_resolutions: ['1', '5', '15', '30', '60', '240', '1D', '1W', '1M'],
    exchanges: [
      { value: '', name: 'Todos los mercados', desc: '' },
      { value: 'BYMA', name: 'BYMA', desc: 'Bolsas y Mercados Argentinos' },
    ],
    symbols_types: [
      { value: '', name: 'Todas' },
      { value: 'stock', name: 'Acciones' },
      { value: 'dr', name: 'CEDEAR y ADR' },
      { value: 'fund', name: 'ETF' },
      { value: 'bond', name: 'Bonos y letras' },
      { value: 'index', name: 'Índices' },
      { value: 'forex', name: 'Tipos de cambio' },
      { value: 'economic', name: 'Tasas y brechas' },
      { value: 'crypto', name: 'Criptomonedas' },
    ],
  });
});

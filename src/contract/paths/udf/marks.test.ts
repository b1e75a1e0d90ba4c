import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { EpochDay } from '../../../domain/calendar/plain-date.ts';
import type { CorporateAction } from '../../../domain/history/corporate-action.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import { sampleUniverse } from '../../../../test/support/market/sample-market.ts';
import { marksJson } from './marks.ts';

const common = { ticker: 'GGAL' as Ticker, exDay: 1 as EpochDay, source: 'test' };

function marksOf(actions: readonly CorporateAction[], ticker = 'GGAL'): readonly unknown[] {
  return JSON.parse(marksJson(sampleUniverse.get(ticker as Ticker), actions)) as unknown[];
}

test('contract 4.15.10: each type of action has its letter, its color and its text', () => {
  const day = { time: 86_400 };
  assert.deepEqual(
    marksOf([
      { ...common, type: 'ticker-change', newTicker: 'GFG' as Ticker },
      { ...common, type: 'spin-off', factor: 2.376 },
      { ...common, type: 'rights-issue', factor: 1.1 },
      { ...common, type: 'ratio-change', factor: 0.5 },
      { ...common, type: 'cash-dividend', amount: 1234.5, currency: 'ARS' },
      { ...common, type: 'stock-dividend', factor: 1.09 },
      { ...common, type: 'split', factor: 3 },
    ]),
    [
      ['split', 'blue', 'S', 'Split: 3 por 1'],
      ['dividendo-acciones', 'blue', 'A', 'Dividendo en acciones: 9 %'],
      ['dividendo', 'green', 'D', 'Dividendo: 1.234,5 ARS por acción'],
      ['ratio', 'yellow', 'R', 'Cambio de ratio: 1 por 2'],
      ['suscripcion', 'blue', 'P', 'Derechos de suscripción: factor 1,1'],
      ['escision', 'blue', 'E', 'Escisión: factor 2,376'],
      ['cambio-ticker', 'yellow', 'T', 'Cambio de ticker: de GGAL a GFG'],
    ].map(([type, color, label, text]) => ({
      id: `GGAL-1970-01-02-${type}`,
      ...day,
      color,
      label,
      tooltip: [text],
    })),
  );
});

test('contract 4.15.10: a dividend names what one unit of its instrument is', () => {
  const paid = { ...common, type: 'cash-dividend', amount: 0.1, currency: 'USD' } as const;
  const textOf = (ticker: string): unknown => {
    const [mark] = marksOf([{ ...paid, ticker: ticker as Ticker }], ticker);
    return (mark as { tooltip: unknown[] }).tooltip[0];
  };
  assert.deepEqual(['AAPL', 'BABA_US', 'SPY_US', 'AL30'].map(textOf), [
    'Dividendo: 0,1 USD por CEDEAR',
    'Dividendo: 0,1 USD por ADR',
    'Dividendo: 0,1 USD por cuotaparte',
    'Dividendo: 0,1 USD por unidad',
  ]);
});

test('contract 4.15.10: marks are ascending by date, and without actions there are none', () => {
  const later = { ...common, type: 'split', factor: 2, exDay: 9 as EpochDay } as const;
  const marks = marksOf([later, { ...later, exDay: 3 as EpochDay }]);
  assert.deepEqual(
    marks.map((mark) => (mark as { time: unknown }).time),
    [3 * 86_400, 9 * 86_400],
  );
  assert.deepEqual(marksOf([]), []);
});

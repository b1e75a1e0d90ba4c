import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { BondFlow, InstrumentInfo } from '../../market/api/quote.ts';
import { listEvents } from './list-events.ts';

const infos: Readonly<Record<string, Partial<InstrumentInfo>>> = {
  AL30: { base: 'AL30', monedaPagos: 'USD' },
  AL30D: { base: 'AL30', monedaPagos: 'USD' },
  TX28: { monedaPagos: 'ARS' },
  S30N6: { nombre: 'LECAP vto. 30/11/2026' },
};

function flow(pago: string, changes: Partial<BondFlow> = {}): BondFlow {
  const usual = { interes: 0.24, amortizacion: 8, total: 8.24, residual: 56, ajustado: 8.24 };
  return { fecha: pago, pago, ...usual, ...changes };
}

test('payments, maturities and ex dates come in the order of their days, and classes of one bond share a line', () => {
  const events = listEvents(['AL30', 'TX28', 'AL30D', 'S30N6', 'GGAL'], {
    actions: [{ especie: 'GGAL', fecha: '2026-12-01', tipo: 'split', factor: 10 }],
    flows: new Map([
      ['AL30', [flow('2027-01-09'), flow('2030-07-09', { residual: 0 })]],
      ['TX28', [flow('2026-11-27'), flow('2027-05-09', { amortizacion: 0, ajustado: 383.5 })]],
    ]),
    infoOf: (ticker) => infos[ticker] as InstrumentInfo | undefined,
    today: '2026-11-28',
  });
  assert.deepEqual(
    events.map(({ day, tickers, what, amount }) => [day, tickers.join(), what, amount]),
    [
      ['2026-11-30', 'S30N6', 'Vencimiento', '–'],
      ['2026-12-01', 'GGAL', 'Split (fecha ex)', '10 por 1'],
      ['2027-01-09', 'AL30,AL30D', 'Renta y amortización', '8,24 USD'],
      ['2027-05-09', 'TX28', 'Renta', '383,50 ARS'],
      ['2030-07-09', 'AL30,AL30D', 'Vencimiento', '8,24 USD'],
    ],
  );
  assert.match(events[0]?.note ?? '', /^Según su nombre/);
  assert.equal(events[3]?.note, 'Estimado con el último valor del índice');
});

test('a payment whose rate is not known has a dash that says so', () => {
  const unknown = flow('2027-01-09', { interes: null, total: null, ajustado: null });
  const [event] = listEvents(['TX28'], {
    actions: [],
    flows: new Map([['TX28', [unknown]]]),
    infoOf: (ticker) => infos[ticker] as InstrumentInfo | undefined,
    today: '2026-11-28',
  });
  assert.deepEqual([event?.amount, event?.note], ['–', 'Todavía no se conoce la tasa']);
});

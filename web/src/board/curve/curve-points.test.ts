import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bondFigures } from '../../../../test/support/market/bond-figures.ts';
import type { InstrumentInfo, Quote } from '../../market/api/quote.ts';
import { countReasons, curveOf, pointLines, type CurveSource } from './curve-points.ts';

const fecha = '2026-11-26';

function infoOf(ticker: string, changes: Partial<InstrumentInfo> = {}): InstrumentInfo {
  const rest = { nombre: ticker, mercado: 'BYMA', moneda: 'ARS', decimales: 2 };
  return { especie: ticker, tipo: 'bono', unidadVariacion: 'por-ciento', ...rest, ...changes };
}

function source(
  ticker: string,
  {
    terms = {},
    bond = {},
    ...rest
  }: {
    readonly terms?: Partial<InstrumentInfo>;
    readonly bond?: Parameters<typeof bondFigures>[0] | null;
    readonly quote?: Quote | undefined;
    readonly info?: InstrumentInfo;
  } = {},
): CurveSource {
  const quote: Quote = {
    especie: ticker,
    fecha,
    ultimo: 1,
    variacion: null,
    varMTD: null,
    varYTD: null,
    volumen: null,
  };
  return {
    ticker,
    quote,
    info: infoOf(ticker),
    terms: infoOf(ticker, terms),
    isEarlier: false,
    bond: bond === null ? null : bondFigures({ especie: ticker, fecha, ...bond }),
    ...rest,
  };
}

const tickersIn = (list: readonly { readonly ticker: string }[]) =>
  list.map(({ ticker }) => ticker);

test('a point has the yield and the modified duration of /bonos, and what is no bond has none', () => {
  const { points, missing } = curveOf(
    [
      source('AL30', { bond: { tir: 7.5, durationModificada: 1.8 } }),
      source('GGAL', { info: infoOf('GGAL', { tipo: 'accion' }), bond: null }),
    ],
    false,
  );
  assert.deepEqual(
    points.map(({ ticker, rate, duration }) => [ticker, rate, duration]),
    [['AL30', 7.5, 1.8]],
  );
  assert.deepEqual(missing, []);
});

test('a bond without a yield is counted with its reason', () => {
  const { points, missing } = curveOf(
    [
      source('TX28', {
        bond: { tir: null, estado: 'sin-indice', indice: 'CER', fechaIndice: fecha },
      }),
      source('PAP0', { bond: null }),
      source('AO27', { quote: undefined }),
      source('GD30', { bond: { fecha: '2026-11-25' } }),
    ],
    false,
  );
  assert.deepEqual(points, []);
  assert.deepEqual(
    missing.map(({ ticker, reason }) => `${ticker}: ${reason}`),
    [
      'TX28: Falta el valor del índice: CER del 26/11/2026',
      'PAP0: Faltan sus condiciones de emisión',
      'AO27: Sin cotización',
      'GD30: Todavía no se calculó con el precio de esta rueda',
    ],
  );
});

test('one class stands for an issue: that of the MEP dollar, unless only another one has a yield', () => {
  const classes = [
    source('AL30', { terms: { base: 'AL30', clase: 'ARS' } }),
    source('AL30C', { terms: { base: 'AL30', clase: 'CABLE' } }),
    source('AL30D', { terms: { base: 'AL30', clase: 'MEP' } }),
    source('TX28'),
  ];
  assert.deepEqual(tickersIn(curveOf(classes, true).points), ['AL30D', 'TX28']);
  assert.deepEqual(tickersIn(curveOf(classes, false).points), ['AL30', 'AL30C', 'AL30D', 'TX28']);
  const unpriced = classes.map((one) =>
    one.ticker === 'AL30D' ? { ...one, quote: undefined } : one,
  );
  const { points, missing } = curveOf(unpriced, true);
  assert.deepEqual(tickersIn(points), ['AL30C', 'TX28']);
  assert.deepEqual(missing, []);
});

test('a point names its family and has its figures in the formats of Argentina', () => {
  const bond = bondFigures({ paridad: 62.5, vencimiento: '2035-07-09' });
  const point = {
    ticker: 'GD35D',
    family: 'dolar-ny',
    duration: 4.1016,
    rate: 18.5341,
    isEarlier: false,
    bond,
  } as const;
  assert.deepEqual(pointLines(point, -0.354), [
    'Dólar, ley Nueva York',
    'TIR 18,53\u00a0%',
    'Duration modificada 4,10 años',
    '−35 pb bajo la curva ajustada',
    'Paridad 62,50\u00a0%',
    'Vence el 09/07/2035',
  ]);
  assert.equal(
    pointLines({ ...point, isEarlier: true }, undefined).at(-1),
    'Precio de una rueda anterior: 26/11/2026',
  );
});

test('bonds without a yield are counted by reason, the most frequent first', () => {
  const missing = [
    { ticker: 'A', reason: 'Ninguna tasa da ese precio' },
    { ticker: 'B', reason: 'Falta el valor del índice: CER del 26/11/2026' },
    { ticker: 'C', reason: 'Falta el valor del índice: A3500 del 25/11/2026' },
  ];
  assert.equal(
    countReasons(missing),
    'Falta el valor del índice (2); Ninguna tasa da ese precio (1)',
  );
});

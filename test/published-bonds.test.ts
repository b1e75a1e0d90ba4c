import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';

import { makeBond, type Bond } from '../src/domain/bonds/bond.ts';
import { businessDaysBefore, settlementOf } from '../src/domain/calendar/business-days.ts';
import { conventions } from '../src/domain/bonds/conventions.ts';
import { valueBond } from '../src/domain/bonds/value-bond.ts';
import { monthlyRate } from '../src/domain/bonds/yield-measures.ts';
import type { PlainDate } from '../src/domain/calendar/plain-date.ts';
import { SessionCalendar } from '../src/domain/calendar/session-calendar.ts';
import { quotient } from '../src/domain/dollars/dollar-rate.ts';
import { tickerKey } from '../src/domain/instruments/ticker.ts';
import { readBonds } from '../src/universe/bonds/read-bonds.ts';
import { formatUniverseFaults } from '../src/universe/files/universe-fault.ts';
import { loadUniverse } from '../src/universe/load-universe.ts';
import { assertNear } from './support/market/near.ts';
import { sharedData } from './support/program/shared-data.ts';

/**
 * Figures that publishers show, reproduced by the convention of each. The figures and the terms of the day are
 * shared data: the tests are skipped without them.
 */
const file = sharedData('bonds/vectors.json');
const termsFile = sharedData('bonds/terms.csv');
const skip =
  file === undefined || termsFile === undefined
    ? 'the published values are not beside this clone'
    : false;

type Expected = Readonly<Record<string, number | string | null>>;

interface Published {
  readonly id: string;
  readonly tipo: string;
  readonly terminos?: string | Readonly<Record<string, string>>;
  readonly convencion?: string;
  readonly fecha_liquidacion?: string;
  readonly fecha?: string;
  readonly dias?: number;
  readonly precio?: number;
  readonly coeficiente?: number;
  readonly calculo?: string;
  readonly precios?: Readonly<Record<string, number>>;
  readonly ratio?: number;
  readonly tem?: number;
  readonly cer?: number;
  readonly espera: Expected;
  readonly tolerancia: number | Readonly<Record<string, number>>;
}

const loaded = await loadUniverse(resolve(import.meta.dirname, '../universe'));
const universe = loaded.ok ? loaded.universe : assert.fail(formatUniverseFaults(loaded.faults));
const calendar = new SessionCalendar(universe.markets.get('BYMA') ?? assert.fail('no BYMA'));

/** Reads terms as a universe would. The maturities of its instruments are not compared. */
function bondsOf(text: string): ReadonlyMap<string, Bond> {
  const byKey = new Map(
    universe.instruments.map((one) => {
      const { maturity, ...undated } = one;
      return [tickerKey(one.ticker), maturity === undefined ? one : undated];
    }),
  );
  const table = readBonds({ file: 'terms.csv', text }, { byKey, declared: new Map() });
  assert.equal(formatUniverseFaults(table.faults), '');
  return new Map(table.bondTerms.map((terms) => [terms.ticker, makeBond(terms, calendar)]));
}

const bonds: ReadonlyMap<string, Bond> =
  termsFile === undefined ? new Map() : bondsOf(readFileSync(termsFile, 'utf8'));

/** The bond of a value: one of the terms, or of a row of its own. */
function bondOf({ terminos = '' }: Published): Bond {
  if (typeof terminos === 'string') return bonds.get(terminos) ?? assert.fail(terminos);
  const cells = { ...terminos, especie: 'S30N6', moneda: 'ARS' };
  const rows = [Object.keys(cells), Object.values(cells)];
  const row = bondsOf(rows.map((line) => line.join(',')).join('\n'));
  return row.get('S30N6') ?? assert.fail('no terms');
}

/** The names that the published values give to conventions and figures. */
function conventionOf(name: string | undefined) {
  const known = Object.entries(conventions).find(([one]) => one === name);
  if (known !== undefined) return known[1];
  assert.equal(name, 'lecap');
  return conventions.tablero;
}

function figuresOf(published: Published): Readonly<Record<string, number | null | undefined>> {
  const bond = bondOf(published);
  const { coeficiente = 1, precio = Number.NaN, fecha_liquidacion = '' } = published;
  const found = valueBond(bond, {
    settlement: fecha_liquidacion as PlainDate,
    convention: conventionOf(published.convencion),
    price: { amount: precio, currency: bond.terms.currency, form: 'convention' },
    index: { coefficient: coeficiente },
  });
  return {
    tir: found.yield,
    tna: found.nominalRate,
    tem: found.monthlyRate,
    duration: found.duration,
    duration_modificada: found.modifiedDuration,
    convexidad: found.convexity,
    corridos: found.accrued,
    paridad: found.parity,
    valor_tecnico: found.technicalValue,
  };
}

/** A dollar, or a gap in percent, from two prices. */
function dollarOf({ calculo, precios = {}, ratio = 1 }: Published): number | undefined {
  const [above, below] = Object.values(precios).map((last) => ({
    last,
    bid: undefined,
    ask: undefined,
  }));
  if (above === undefined || below === undefined) assert.fail('needs two prices');
  const isGap = calculo === 'canje' || calculo === 'brecha';
  return quotient(above, below, (value) => (isGap ? (value - 1) * 100 : value * ratio))?.last;
}

/** What this program computes in place of each kind of published value. */
function computed(published: Published): Readonly<Record<string, unknown>> {
  const { tipo, fecha = '', dias = 0, tem = 0 } = published;
  const date = fecha as PlainDate;
  switch (tipo) {
    case 'metricas':
      return figuresOf(published);
    case 'flujos':
      return Object.fromEntries(bondOf(published).flows.map(({ date: on, total }) => [on, total]));
    case 'pago_final':
      return { pago_final: bondOf(published).flows.at(-1)?.total };
    case 'rezago':
      return { fecha_indice: businessDaysBefore(calendar, date, dias) };
    case 'liquidacion':
      return { fecha_liquidacion: settlementOf(calendar, date, 'next-day') };
    case 'conversion': {
      // The Treasury's month is a twelfth of a year, so its annual rate is this one.
      const tir = ((1 + tem / 100) ** 12 - 1) * 100;
      assertNear(monthlyRate(tir / 100, 1 / 12) * 100, tem, 1e-12);
      return { tir };
    }
    case 'dolar':
      return { valor: dollarOf(published) };
    default:
      assert.fail(tipo);
  }
}

const values: readonly Published[] =
  file === undefined ? [] : JSON.parse(readFileSync(file, 'utf8')).vectores;

test('all published values are tried', { skip }, () => {
  assert.ok(values.length >= 65, `${values.length} values`);
});

for (const published of values) {
  test(`${published.id}: the published figures are reproduced`, { skip }, () => {
    const found = computed(published);
    const { tolerancia } = published;
    for (const [name, expected] of Object.entries(published.espera)) {
      const actual = found[name];
      const tolerance =
        typeof tolerancia === 'number' ? tolerancia : (tolerancia[name] ?? tolerancia['*']);
      if (typeof expected !== 'number') assert.equal(actual, expected, name);
      else assertNear(actual as number | null | undefined, expected, tolerance ?? Number.NaN);
    }
  });
}

test('the index at the issue is that of the lag before it', { skip }, () => {
  const issues = values.flatMap(({ tipo, fecha, cer }) =>
    tipo !== 'rezago' || cer === undefined
      ? []
      : [...bonds.values()]
          .filter(({ terms }) => terms.issued === fecha && terms.indexation?.index === 'CER')
          .map(({ terms }) => ({ ticker: terms.ticker, base: terms.indexation?.base, cer })),
  );
  assert.ok(issues.length >= 4, `${issues.length} issues`);
  for (const { ticker, base, cer } of issues) assert.equal(base, cer, ticker);
});

const rowsFile = sharedData('bonds/published-2026.csv');

test(
  'the convention bonistas gives the yield, the modified duration and the parity of its publisher',
  { skip: rowsFile === undefined && 'the published values are not beside this clone' },
  () => {
    const [head = [], ...rows] = readFileSync(rowsFile ?? '', 'utf8')
      .split(/\r?\n/)
      .map((line) => line.split(','));
    const published = rows
      .map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ''])))
      .filter(({ convention = '' }) => convention.includes('D/(1+y/2)'));
    assert.equal(published.length, 7);
    for (const { source = '', ticker = '', price, settlement, coefficient, ...row } of published) {
      const terms = universe.bondTerms.find((one) => one.ticker === ticker) ?? assert.fail(ticker);
      // The publisher of 2020 discounts from the day of payment.
      const flowsAt = source.startsWith('bonistas') ? 'contract' : 'payment';
      const found = valueBond(makeBond(terms, calendar), {
        settlement: settlement as PlainDate,
        convention: { ...conventions.bonistas, flowsAt },
        price: { amount: Number(price), currency: terms.currency, form: 'convention' },
        index: { coefficient: coefficient === '' ? 1 : Number(coefficient) },
      });
      assertNear(found.yield ?? Number.NaN, Number(row['tir']), 0.005);
      const modified = Number(row['modified_duration']);
      assertNear(found.modifiedDuration ?? Number.NaN, modified, 0.005);
      if (row['parity'] === '') continue;
      assertNear(found.parity ?? Number.NaN, Number(row['parity']), 0.05);
    }
  },
);

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sampleBond } from '../../../test/support/market/bond-samples.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { tickerKey } from '../../domain/instruments/ticker.ts';
import { formatUniverseFaults } from '../files/universe-fault.ts';
import { readBonds } from './read-bonds.ts';

const { instruments } = makeUniverse([
  { ticker: 'XM30', kind: 'bond' },
  { ticker: 'XM30D', kind: 'bond', currency: 'USD' },
  {
    ticker: 'XM30C',
    kind: 'bond',
    currency: 'USD',
    dollarClass: ['XM30', 'cable'],
  },
  { ticker: 'S31G7', kind: 'bill', maturity: '2027-08-31' },
  { ticker: 'GGAL' },
]);
const known = {
  byKey: new Map(instruments.map((one) => [tickerKey(one.ticker), one])),
  declared: new Map([[tickerKey('FAULTY'), 9]]),
};

const header =
  'especie,series,isin,ley,emision,vencimiento,moneda,frecuencia,primer_cupon,fechas,tasa,base,amortizacion,indice,rezago,base_indice,margen,factor,tem,dual,ajuste_fecha,opcion,estado,revisado,fuentes';
const columns = header.split(',');

/** The cells of a sound bond with coupons. Each test gives what differs. */
const sound = {
  especie: 'XM30',
  series: 'XM30D xm30c',
  isin: 'ARARGE3209S6',
  ley: 'AR',
  emision: '2026-01-09',
  vencimiento: '2030-07-09',
  moneda: 'USD',
  frecuencia: '6',
  primer_cupon: '2026-07-09',
  tasa: '2026-01-09=0.5;2028-01-09=1.75',
  base: '30/360',
  amortizacion: '2029-07-09=20; 2030-01-09/2030-07-09=40',
  ajuste_fecha: 'siguiente',
  opcion: 'rescate-emisor',
  estado: 'verificado',
  revisado: '2026-11-26',
  fuentes: 'prospecto',
} as const;

const lecap = {
  especie: 'S31G7',
  emision: '2026-11-30',
  vencimiento: '2027-08-31',
  moneda: 'ARS',
  tem: '2.1',
};

type Cells = Partial<Record<string, string>>;

function read(...rows: readonly Cells[]) {
  const lines = rows.map((row) => columns.map((column) => row[column] ?? '').join(','));
  return readBonds({ file: 'bonds.csv', text: [header, ...lines].join('\n') }, known);
}

/** The only fault of the sound bond with other cells, as it is shown. */
function onlyFault(cells: Cells, base: Cells = sound): string {
  const { faults, bondTerms } = read({ ...base, ...cells });
  assert.equal(faults.length, 1, formatUniverseFaults(faults));
  assert.deepEqual(bondTerms, []);
  return formatUniverseFaults(faults);
}

/** Where a cell of the only row is. */
const at = (column: string) => `bonds.csv:2:${columns.indexOf(column) + 1}`;

test('a row becomes terms, with the tickers as the universe spells them', () => {
  const { bondTerms, faults } = read(sound);
  assert.deepEqual(faults, []);
  assert.deepEqual(bondTerms, [
    {
      ticker: 'XM30',
      series: ['XM30D', 'XM30C'],
      isin: 'ARARGE3209S6',
      law: 'AR',
      issued: '2026-01-09',
      maturity: '2030-07-09',
      currency: 'USD',
      couponDates: { type: 'regular', months: 6, first: '2026-07-09' },
      interest: {
        type: 'fixed',
        steps: [
          { from: '2026-01-09', percent: 0.5 },
          { from: '2028-01-09', percent: 1.75 },
        ],
      },
      dayCount: '30/360',
      amortisation: [
        { from: '2029-07-09', to: '2029-07-09', percent: 20 },
        { from: '2030-01-09', to: '2030-07-09', percent: 40 },
      ],
      factor: 1,
      isDual: false,
      paysOnSession: true,
      option: 'rescate-emisor',
      isVerified: true,
      state: 'verificado',
      sources: 'prospecto',
      reviewed: '2026-11-26',
    },
  ]);
});

test('a LECAP needs its issue, its maturity, its currency and its monthly rate', () => {
  const { bondTerms, faults } = read(lecap);
  assert.deepEqual(faults, []);
  const [terms] = bondTerms;
  assert.deepEqual(terms?.interest, { type: 'capitalised', monthlyPercent: 2.1 });
  assert.deepEqual(terms?.amortisation, [{ from: '2027-08-31', to: '2027-08-31', percent: 100 }]);
  assert.equal(terms?.isVerified, false);
});

test('only the columns of a LECAP may be named, in any order', () => {
  const text = 'tem;vencimiento;emision;moneda;especie\n2.1;2027-08-31;2026-11-30;ARS;S31G7\n';
  const { bondTerms, faults } = readBonds({ file: 'bonds.csv', text }, known);
  assert.deepEqual(faults, []);
  assert.equal(bondTerms[0]?.ticker, 'S31G7');
});

test('a fraction, listed dates, an index, a floating rate and a dual leg are read', () => {
  const dated = { ...sound, frecuencia: '', primer_cupon: '', amortizacion: '' };
  const [listed] = read({ ...dated, fechas: '2028-07-09  2030-07-09' }).bondTerms;
  assert.deepEqual(listed?.couponDates, { type: 'listed', dates: ['2028-07-09', '2030-07-09'] });
  const [thirds] = read({ ...sound, amortizacion: '2029-07-09/2030-07-09=100/3' }).bondTerms;
  assert.deepEqual(thirds?.amortisation, [
    { from: '2029-07-09', to: '2030-07-09', percent: 100 / 3 },
  ]);
  const [indexed] = read({
    ...sound,
    indice: 'CER',
    rezago: '10',
    base_indice: '22.544',
  }).bondTerms;
  assert.deepEqual(indexed?.indexation, { index: 'CER', lagDays: 10, base: 22.544 });
  const rate = { indice: 'TAMAR', rezago: '10' };
  const [floating] = read({ ...sound, ...rate, tasa: '', margen: '3.5' }).bondTerms;
  assert.deepEqual(floating?.interest, { type: 'floating', index: 'TAMAR', marginPercent: 3.5 });
  const [dual] = read({ ...lecap, ...rate, dual: 'max' }).bondTerms;
  assert.equal(dual?.isDual, true);
  assert.equal(dual.indexation, undefined);
  assert.deepEqual(dual.interest, { type: 'capitalised', monthlyPercent: 2.1 });
});

test('a ticker that is not in the universe, or that is no bond, is a fault', () => {
  assert.equal(
    onlyFault({ especie: 'NOHAY' }),
    `${at('especie')}: "NOHAY": especie: unknown instrument; instruments.csv has no row with this ticker`,
  );
  assert.match(onlyFault({ series: 'XM30D NOHAY' }), /bonds\.csv:2:2: "NOHAY": series: unknown/);
  assert.match(onlyFault({ series: 'GGAL' }), /2:2: "GGAL": series: is a share; only a bond/);
  assert.match(onlyFault({ especie: '' }), /2:1: especie: must not be empty/);
});

test('a ticker whose own row has a fault is not reported as unknown too', () => {
  const { faults, bondTerms } = read({ ...sound, especie: 'FAULTY' });
  assert.deepEqual([faults, bondTerms], [[], []]);
});

test('a ticker that two rows or one row uses twice is a fault that names the first line', () => {
  const { faults } = read(sound, { ...lecap, series: 'xm30d' });
  assert.equal(
    formatUniverseFaults(faults),
    'bonds.csv:3:2: "xm30d": series: line 2 has the terms of this ticker already',
  );
  assert.match(onlyFault({ series: 'XM30D XM30D' }), /2:2: "XM30D": series: line 2 has/);
});

test('a class in dollars of another issue, or with a row of its own, is a fault', () => {
  const moved = { ...lecap, series: 'XM30C' };
  assert.match(
    onlyFault({}, moved),
    /2:2: "XM30C": series: instruments\.csv has it as a class of XM30/,
  );
  assert.match(
    onlyFault({ especie: 'XM30C', series: '' }),
    /2:1: "XM30C": especie: instruments\.csv/,
  );
});

test('a maturity other than that of instruments.csv is a fault', () => {
  assert.match(
    onlyFault({ vencimiento: '2027-08-30' }, lecap),
    /2:6: "2027-08-30": vencimiento: instruments\.csv has the maturity 2027-08-31 for S31G7/,
  );
});

test('an amortisation that does not sum to 100 is a fault', () => {
  assert.equal(
    onlyFault({ amortizacion: '2029-07-09=20;2030-01-09/2030-07-09=39' }),
    `${at('amortizacion')}: "98": amortizacion: the amortisation must sum to 100`,
  );
  assert.match(onlyFault({ amortizacion: '2030-07-09=100.00000001' }), /must sum to 100/);
});

test('an amortisation on a day without a coupon is a fault', () => {
  const { faults } = read({ ...sound, amortizacion: '2029-07-10=20;2030-07-09=80' });
  assert.match(formatUniverseFaults(faults), /"2029-07-10": amortizacion: is not a coupon date/);
  assert.match(
    onlyFault({ amortizacion: '2029-07-09/2030-07-10=100/3' }),
    /"2030-07-10": amortizacion: is not a coupon date/,
  );
});

test('rates in another order, and dates that are not before each other, are faults', () => {
  assert.match(
    onlyFault({ tasa: '2028-01-09=0.5;2026-01-09=1' }),
    /"2026-01-09=1": tasa: the dates of the rates must be in ascending order/,
  );
  assert.match(
    onlyFault({ emision: '2030-07-09', primer_cupon: '2030-07-09' }),
    /2:5: "2030-07-09": emision: must be before vencimiento \(2030-07-09\)/,
  );
  for (const first of ['2026-01-09', '2031-01-09']) {
    assert.match(onlyFault({ primer_cupon: first }), /primer_cupon: must be after emision and not/);
  }
  const listed = { frecuencia: '', primer_cupon: '' };
  assert.match(
    onlyFault({ ...listed, fechas: '2030-07-09 2029-07-09' }),
    /"2029-07-09": fechas: the dates/,
  );
  assert.match(
    onlyFault({ ...listed, fechas: '2029-07-09' }),
    /fechas: the last date must be venc/,
  );
});

test('an unknown index, and an index without its lag or its base, are faults', () => {
  assert.match(
    onlyFault({ indice: 'IPC', rezago: '10', base_indice: '1' }),
    /"IPC": indice: unknown index; the indices are CER, UVA, A3500, TAMAR, BADLAR/,
  );
  assert.match(onlyFault({ indice: 'CER', base_indice: '1' }), /2:15: rezago: CER needs its lag/);
  assert.match(onlyFault({ indice: 'UVA', rezago: '5' }), /2:16: base_indice: UVA needs its value/);
  assert.match(onlyFault({ rezago: '5' }), /"5": rezago: only a bond with an index/);
  assert.match(
    onlyFault({ indice: 'TAMAR', rezago: '10', tasa: '' }),
    /margen: a coupon of TAMAR needs its margin/,
  );
});

test('each cell that cannot be read is a fault with what would be valid', () => {
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ['isin', 'ARARGE3209S7', /the last digit does not check the others/],
    ['isin', 'ARARGE', /not a valid ISIN; it has 12 characters/],
    ['ley', 'UK', /must be one of AR, NY, or empty/],
    ['emision', '2026-02-30', /not a valid date/],
    ['emision', '', /must not be empty/],
    ['vencimiento', '9/7/2030', /not a valid date/],
    ['moneda', 'EUR', /must be one of ARS, USD/],
    ['frecuencia', '5', /the number of months between two coupons: 1, 2, 3, 4, 6, 12/],
    ['primer_cupon', '', /must be the date of the first coupon/],
    ['tasa', '2026-01-09', /use FROM=PERCENT/],
    ['tasa', '', /a bond with coupon dates needs tasa or margen/],
    ['tasa', '2026-01-09=0,5', /use FROM=PERCENT/],
    ['base', '30/365', /unknown day count; the day counts are 30\/360, act\/365, act\/360/],
    ['base', '', /unknown day count/],
    ['amortizacion', '2030-07-09=100/0', /use DATE=PERCENT or FROM\/TO=PERCENT/],
    ['factor', '0', /must be a number above zero/],
    ['tem', '2.1', /only one of tasa, tem and margen/],
    ['dual', 'min', /must be "max"/],
    ['dual', 'max', /have the monthly rate of its fixed leg in tem/],
    ['ajuste_fecha', 'anterior', /must be one of siguiente, or empty/],
    ['revisado', 'ayer', /not a valid date/],
    ['fechas', '2030-07-09', /fechas has all coupon dates/],
  ];
  for (const [column, text, message] of cases) {
    const { faults, bondTerms } = read({
      ...sound,
      [column]: text.includes(',') ? `"${text}"` : text,
    });
    assert.deepEqual(bondTerms, [], column);
    assert.match(formatUniverseFaults(faults), message);
    assert.ok(faults.every(({ line }) => line === 2));
  }
});

test('a bond of more than 100 years, and rates and a factor that no bond has, are refused', () => {
  const monthly = { frecuencia: '1', amortizacion: '' };
  assert.match(
    onlyFault({ ...monthly, vencimiento: '2130-07-09' }),
    /2:6: "2130-07-09": vencimiento: is more than 100 years after emision \(2026-01-09\)/,
  );
  assert.equal(read({ ...sound, ...monthly, vencimiento: '2126-07-09' }).faults.length, 0);
  const old = { ...lecap, emision: '1927-08-30' };
  assert.equal(read({ ...old, tem: '20' }).faults.length, 0);
  for (const tem of ['25.5', '255']) {
    assert.match(onlyFault({ tem }, lecap), /": tem: is more than 20 % a month; use/);
  }
  for (const percent of ['1000', '200.1']) {
    assert.match(
      onlyFault({ tasa: `2026-01-09=0.5;2028-01-09=${percent}` }),
      /": tasa: is more than 200 % a year; use a percentage such as 2\.55/,
    );
    const floating = { tasa: '', indice: 'BADLAR', rezago: '10', margen: percent };
    assert.match(onlyFault(floating), /": margen: is more than 200 % a year/);
  }
  assert.equal(read({ ...sound, tasa: '2026-01-09=200' }).faults.length, 0);
  assert.match(onlyFault({ factor: '127' }), /"127": factor: is more than 10; write 1\.27 if/);
});

test('the payments of all terms that are accepted are numbers', () => {
  const [longest] = read({
    ...lecap,
    emision: '1927-08-30',
    tem: '20',
    factor: '10',
  }).bondTerms;
  const { flows } = sampleBond(longest ?? assert.fail('refused'));
  assert.ok(
    flows.every(({ total, interest }) => Number.isFinite(total) && Number.isFinite(interest)),
  );
});

test('an unknown column, and a column that every file needs, are faults', () => {
  const text = 'especie,emision,vencimiento,cupon\n';
  const { faults } = readBonds({ file: 'bonds.csv', text }, known);
  assert.match(formatUniverseFaults(faults), /bonds\.csv:1: the column moneda is missing/);
  assert.match(formatUniverseFaults(faults), /bonds\.csv:1:4: "cupon": unknown column/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  al30,
  cerZero,
  day,
  lecap,
  makeTerms,
  sampleBond,
} from '../../../test/support/market/bond-samples.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { conventions } from '../../domain/bonds/conventions.ts';
import { valueBond, type ValuationInputs } from '../../domain/bonds/value-bond.ts';
import type { BondTerms } from '../../domain/instruments/bond-terms.ts';
import { flowTable } from './bonos-flujos.ts';
import { bondTable } from './bonos.ts';

function rendered(terms: BondTerms, inputs: Partial<ValuationInputs> & { readonly at: number }) {
  const figures = valueBond(sampleBond(terms), {
    settlement: day('2026-03-03'),
    convention: conventions.pizarra,
    price: { amount: inputs.at, currency: terms.currency, form: 'quoted' },
    index: () => undefined,
    ...inputs,
  });
  const [instrument] = makeUniverse([{ ticker: terms.ticker, kind: 'bond' }]).instruments;
  assert.ok(instrument !== undefined);
  const asOf = Date.parse('2026-03-02T19:59:58Z');
  const valued = { instrument, date: day('2026-03-02'), asOf, figures };
  return bondTable.render([valued], 'json');
}

test('a row has all fields in their order, rates with 4 decimals and amounts with 6', () => {
  assert.equal(
    rendered(al30, { at: 60.921, convention: conventions.bonarg }),
    '[{"especie":"AL30","fecha":"2026-03-02","hora":"16:59:58","liquidacion":"2026-03-03",' +
      '"precio":60.84,"moneda":"USD","tipoCambio":null,"tir":8.8562,"tna":8.8562,"tem":0.7148,' +
      '"duration":2.2024,"durationModificada":2.109,"convexidad":6.9658,"valorTecnico":72.081,' +
      '"interesesCorridos":0.081,"residual":72,"paridad":84.5,"vencimiento":"2030-07-09",' +
      '"indice":null,"fechaIndice":null,"valorIndice":null,"supuesto":null,"estado":"ok"}]',
  );
});

test('the index that was used is named, and a missing one leaves its value null', () => {
  assert.match(
    rendered(cerZero, { at: 250, index: () => 700.5 }),
    /"indice":"CER","fechaIndice":"2026-02-17","valorIndice":700\.5,/,
  );
  const without = rendered(cerZero, { at: 250 });
  assert.match(without, /"valorTecnico":null,"interesesCorridos":null,"residual":100,/);
  assert.match(without, /"valorIndice":null,"supuesto":null,"estado":"sin-indice"\}\]$/);
});

test('every state and assumption has its public name', () => {
  const states = [
    rendered(lecap, { at: 100, settlement: day('2027-01-01') }),
    rendered(lecap, { at: 100, settlement: day('2025-12-14') }),
    rendered(al30, { at: 90_000, price: { amount: 90_000, currency: 'ARS', form: 'quoted' } }),
    rendered(al30, { at: 0 }),
    rendered(al30, { at: 90_000 }),
  ].map((body) => /"estado":"([\w-]+)"/.exec(body)?.[1]);
  assert.deepEqual(states, [
    'vencido',
    'no-emitido',
    'sin-cambio',
    'sin-solucion',
    'precio-dudoso',
  ]);
  const assumed = makeTerms({ isDual: true, option: 'x', isVerified: false });
  assert.match(
    rendered(assumed, { at: 80 }),
    /"supuesto":"pata fija; sin opciones; terminos en duda"/,
  );
});

test('a price that 6 decimals would round to 0 has three significant digits', () => {
  assert.match(
    rendered(al30, { at: 0.000_000_123_45 }),
    /"precio":0\.000000123,.*"paridad":0\.000000171,/,
  );
  assert.match(rendered(al30, { at: 0.000_001_234 }), /"precio":0\.000001,/);
  assert.match(rendered(al30, { at: 0 }), /"precio":0,/);
});

test('in CSV, what is null is an empty cell', () => {
  const [flow] = sampleBond(makeTerms()).flows;
  assert.ok(flow !== undefined);
  assert.equal(
    flowTable.render([{ flow, ratio: null }], 'csv'),
    'fecha,pago,interes,amortizacion,total,residual,ajustado\r\n2028-06-30,2028-06-30,0,100,100,0,\r\n',
  );
});

test('payments have 8 decimals, and are multiplied by the growth of the index', () => {
  const flow = sampleBond(al30).flows[0];
  assert.ok(flow !== undefined);
  assert.equal(
    flowTable.render([{ flow, ratio: 3 }], 'json'),
    '[{"fecha":"2021-07-09","pago":"2021-07-09","interes":0.10590278,"amortizacion":0,' +
      '"total":0.10590278,"residual":100,"ajustado":0.31770833}]',
  );
});

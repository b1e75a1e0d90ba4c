/** `pizarra doctor` on bonds: the real program, over a real store, with made quotes and with recorded ones. */
import assert from 'node:assert/strict';
import { appendFile, copyFile, cp, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

import { toEpochDay, type PlainDate } from '../../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import type { Finding } from '../../../src/lib/reports/finding.ts';
import { loadUniverse } from '../../../src/universe/load-universe.ts';
import { textOf } from '../../docs/blocks.ts';
import { quoteOn } from '../../support/market/quote-on.ts';
import { runPizarra, temporaryDirectory } from '../../support/program/program.ts';
import { sharedData } from '../../support/program/shared-data.ts';
import { openTestStore } from '../../support/program/test-store.ts';
import { changeAt, testStamp } from '../../support/market/test-change.ts';

const defaultUniverse = resolve(import.meta.dirname, '../../../universe');

/** A universe and a store, both of which a test may change. */
interface Place extends AsyncDisposable {
  readonly universe: string;
  /** Stores prices of one session. */
  readonly show: (prices: Readonly<Record<string, number>>, date: string) => Promise<void>;
  /** Stores closes of one session, as an import does. */
  readonly close: (prices: Readonly<Record<string, number>>, date: string) => Promise<void>;
  /** Stores values of CER by day. */
  readonly publish: (values: Readonly<Record<string, number>>) => Promise<void>;
  /** The findings of the doctor, by check. */
  readonly examine: () => Promise<(check: string) => Finding>;
}

async function install(): Promise<Place> {
  const directory = await temporaryDirectory();
  const [universe, data] = [join(directory.path, 'universe'), join(directory.path, 'data')];
  await cp(defaultUniverse, universe, { recursive: true });
  const place = ['--store', data, '--universe', universe];
  let version = 0;
  return {
    universe,
    show: async (prices, date) => {
      await using store = await openTestStore(data);
      const quotes = Object.entries(prices).map(([ticker, last]) => {
        version += 1;
        return quoteOn(ticker, last, { date, version });
      });
      await store.quotes.commit({ quotes, closes: [] });
    },
    close: async (prices, date) => {
      await using store = await openTestStore(data);
      const day = toEpochDay(date as PlainDate);
      await store.history.transaction(async (transaction) => {
        for (const [ticker, close] of Object.entries(prices)) {
          await transaction.put(ticker as Ticker, [{ day, close, volume: null }]);
        }
      }, testStamp);
    },
    publish: async (values) => {
      await using store = await openTestStore(data);
      const stored = Object.entries(values).map(([date, value]) => ({
        index: 'CER' as const,
        day: toEpochDay(date as PlainDate),
        value,
        source: 'test',
      }));
      await store.indices.apply({ put: stored }, changeAt(1));
    },
    examine: async () => {
      const ports = ['--port', '0', '--private-port', '0'];
      const { stdout, stderr } = await runPizarra(['doctor', '--json', ...place, ...ports]);
      assert.equal(stderr, '');
      const findings = JSON.parse(stdout) as readonly Finding[];
      for (const { state, todo } of findings) {
        assert.equal(todo === undefined, state === 'fine', 'what is not fine says what to do');
      }
      return (check) => findings.find((one) => one.check === check) ?? assert.fail(check);
    },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

/** The checks of bonds that a new installation passes. */
const checks = [
  'doubtful terms',
  'reviewed terms',
  'maturing bonds',
  'missing terms',
  'index bases',
  'bond prices',
  'bond classes',
  'dollars',
];

test('doctor has no warning about the bonds of a fresh installation, and names those in doubt', async () => {
  await using place = await install();
  const of = await place.examine();
  for (const check of checks) assert.equal(of(check).state, 'fine', check);
  const [, section = ''] = textOf('docs/bonds.md').split('\n## What the doctor finds\n');
  const documented = Array.from(section.matchAll(/^- `([a-z ]+)`/gm), ([, check = '']) => check);
  const neverWarns = 'maturing bonds';
  assert.deepEqual(
    new Set(documented),
    new Set(['maturities', 'indices', ...checks]).difference(new Set([neverWarns])),
  );
  assert.match(of('doubtful terms').says, /CUAP/);
});

test('doctor finds prices of one nominal, classes that disagree, and terms that are in doubt, missing or contradicted', async () => {
  await using place = await install();
  const day = '2026-10-20';
  const sound = { AL30: 93_000, AL30D: 60, AL30C: 58.5, GD30D: 61, GD30C: 59.5, AL35D: 70 };
  await place.show({ ...sound, AL30C: 52, AL35D: 0.7, CUAP: 60_000, PAP0: 1_500 }, day);
  // TX31 has 46.913, of ten business days before its issue over the holidays of May 2022.
  await place.publish({ '2022-05-13': 47.913 });
  const of = await place.examine();
  const cases = (check: string) => {
    const { state, cases: all = [] } = of(check);
    assert.equal(state, 'warning', check);
    return all;
  };
  assert.deepEqual(cases('bond prices'), [
    'AL35D 2026-10-20: 0.7 USD is a parity of 0.692 %, as if it were the price of one nominal',
  ]);
  const [apart = '', ...others] = cases('bond classes');
  assert.match(apart, /^AL30D yields \S+ % at 60, AL30C \S+ % at 52 \(2026-10-20\): \d+ basis/);
  assert.deepEqual(others, []);
  assert.deepEqual(cases('doubtful terms'), ['CUAP']);
  assert.deepEqual(cases('missing terms'), ['PAP0']);
  assert.deepEqual(cases('index bases'), [
    'TX31: base_indice is 46.913, and the CER of 2022-05-13 is 47.913',
  ]);
  assert.match(
    cases('indices').join('\n'),
    /^CER 20\S+, needed for .*: no value, so no yield of /m,
  );

  // What the findings say to do ends them.
  await place.show(sound, day);
  await place.publish({ '2022-05-13': 46.913 });
  const file = join(place.universe, 'bonds.csv');
  const terms = await readFile(file, 'utf8');
  const row = 'PAP0,,,AR,2003-12-31,2038-12-31,ARS,,,,,,,,,,,1,,,,verificado,2026-11-26,prueba\n';
  await writeFile(file, terms.replace('factor-en-duda', 'verificado') + row);
  const mended = await place.examine();
  for (const check of [
    'doubtful terms',
    'missing terms',
    'index bases',
    'bond prices',
    'bond classes',
  ]) {
    assert.equal(mended(check).state, 'fine', `${check}: ${mended(check).says}`);
  }
});

test('doctor examines imported closes that no service has read yet, if they are later than the quotes', async () => {
  await using place = await install();
  await place.show({ AL30: 93_000, AL30D: 60, AL30C: 50 }, '2026-10-20');
  const closes = { AL30: 93_000, AL30D: 60, AL30C: 58.5, GD30D: 0.61 };
  await place.close(closes, '2026-10-21');
  await place.close({ AL35D: 0.7 }, '2026-10-19');
  await place.show({ AL35D: 70 }, '2026-10-20');
  const of = await place.examine();
  assert.deepEqual(of('bond prices').cases, [
    'GD30D 2026-10-21: 0.61 USD is a parity of 0.951 %, as if it were the price of one nominal',
  ]);
  assert.equal(of('bond classes').state, 'fine');
});

test('doctor finds an issue that has matured by its terms alone, and in a panel', async () => {
  await using place = await install();
  await appendFile(
    join(place.universe, 'instruments.csv'),
    'OLDBILL,Letra vencida,bill,BYMA,ARS,,,BONOS\n',
  );
  await appendFile(
    join(place.universe, 'bonds.csv'),
    'OLDBILL,,,AR,2020-01-30,2020-10-30,ARS,,,,,,,,,,,2.1,,,,verificado,2026-11-26,prueba\n',
  );
  const { state, cases } = (await place.examine())('maturities');
  assert.deepEqual(
    [state, cases?.filter((one) => one.startsWith('OLDBILL'))],
    ['warning', ['OLDBILL (2020-10-30): matured, in BONOS']],
  );
});

test('doctor accepts the recorded prices of the market with the recorded terms, and finds what is changed in them', async (t) => {
  const terms = sharedData('bonds/terms.csv');
  const vectors = sharedData('bonds/vectors.json');
  const recorded = sharedData('payloads/data912/live-arg_bonds-20260928.json');
  if (terms === undefined || vectors === undefined || recorded === undefined) {
    t.skip('the shared market data is not available, so no recorded bond was examined');
    return;
  }
  await using place = await install();
  await copyFile(terms, join(place.universe, 'bonds.csv'));
  const rows = JSON.parse(await readFile(recorded, 'utf8')) as readonly {
    readonly symbol: string;
    readonly c: number;
  }[];
  const loaded = await loadUniverse(place.universe);
  assert.ok(loaded.ok);
  const prices = Object.fromEntries(
    rows.flatMap(({ symbol, c }) =>
      c > 0 && loaded.universe.find(symbol) !== undefined ? [[symbol, c] as const] : [],
    ),
  );
  // The published values of CER at the issue of five bonds.
  const { vectores } = JSON.parse(await readFile(vectors, 'utf8')) as {
    readonly vectores: readonly {
      readonly tipo: string;
      readonly cer?: number;
      readonly espera: { readonly fecha_indice?: string };
    }[];
  };
  const cer = Object.fromEntries(
    vectores.flatMap(({ tipo, cer: value, espera: { fecha_indice: date } }) =>
      tipo === 'rezago' && value !== undefined && date !== undefined ? [[date, value]] : [],
    ),
  );
  const day = '2026-09-28';
  await place.show(prices, day);
  await place.publish(cer);
  const of = await place.examine();
  for (const check of ['index bases', 'bond prices', 'bond classes', 'dollars']) {
    assert.equal(of(check).state, 'fine', `${check}: ${of(check).says}`);
  }
  assert.deepEqual(of('missing terms').cases, ['AE38C: not in the series of AE38']);
  assert.match(of('index bases').says, /agree with the terms of [1-9]/);
  assert.match(of('bond prices').says, /^The parities of [3-9] quotes/);
  assert.match(of('bond classes').says, /agree for [1-9]/);

  const { AL30C = Number.NaN } = prices;
  await place.show({ AL30C: AL30C * 0.9 }, day);
  const file = join(place.universe, 'bonds.csv');
  await writeFile(file, (await readFile(file, 'utf8')).replace(',46.913,', ',47.913,'));
  const changed = await place.examine();
  assert.match(changed('bond classes').cases?.join() ?? '', /^AL30D yields .* AL30C .* points$/);
  assert.deepEqual(changed('index bases').cases, [
    'TX31: base_indice is 47.913, and the CER of 2022-05-13 is 46.913',
  ]);
});

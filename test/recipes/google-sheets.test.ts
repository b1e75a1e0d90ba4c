/**
 * What docs/integraciones/google-sheets.md shows. Google Sheets runs only at Google, so the requests of
 * IMPORTDATA are made here, and LibreOffice evaluates the formulas around them.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import Papa from 'papaparse';

import { textOf } from '../docs/blocks.ts';
import { startCalc, withCalc, type Calc, type Cell } from './support/calc.ts';
import { readRecipe } from './support/recipe-page.ts';
import { startRecipeService } from './support/recipe-service.ts';

const cleanUp = new AsyncDisposableStack();
after(() => cleanUp.disposeAsync());
const service = cleanUp.use(await startRecipeService());

const formulas = readRecipe('google-sheets.md')
  .take('text')
  .map((text) => text.trim());

/** The arguments of IMPORTDATA, whose separator is that of the locale of the sheet. */
interface Import {
  readonly target: string;
  readonly delimiter: string;
  readonly locale: string;
}

const call =
  /IMPORTDATA\("https:\/\/cotizaciones\.example\.com\/clave\/pzc_…([^"]+)"([;,])"([;,])"\2"(\w+)"\)/;

function importIn(formula: string): Import | undefined {
  const [, target = '', separator, delimiter = '', locale = ''] = call.exec(formula) ?? [];
  if (target === '') return undefined;
  assert.equal(separator, locale === 'es_AR' ? ';' : ',', 'the separator of the locale');
  return { target, delimiter, locale };
}

const imports = formulas.flatMap((formula) => importIn(formula) ?? []);

/** The rows that IMPORTDATA gives: fields as numbers where they are numbers in the locale. */
async function rowsOf({ target, delimiter, locale }: Import) {
  // Google sends no key but that of the URL.
  const response = await fetch(`${service.keyedUrl}${target}`);
  assert.equal(response.status, 200, target);
  assert.match(response.headers.get('content-type') ?? '', /^text\/csv; charset=utf-8/);
  const body = (await response.text()).trimEnd();
  const { data, errors } = Papa.parse<string[]>(body, { delimiter });
  assert.deepEqual(errors, []);
  const isNumber = locale === 'es_AR' ? /^-?\d+(,\d+)?$/ : /^-?\d+(\.\d+)?$/;
  return data.map((row) =>
    row.map((field) => (isNumber.test(field) ? Number(field.replace(',', '.')) : field)),
  );
}

test('each formula is one that a sheet of its locale accepts, and imports from the service', () => {
  assert.equal(imports.length, 5);
  assert.deepEqual(new Set(imports.map(({ locale }) => locale)), new Set(['es_AR', 'en_US']));
  const others = formulas.filter((formula) => importIn(formula) === undefined);
  assert.equal(others.length, 1);
});

for (const one of imports) {
  test(`${one.target}: IMPORTDATA gives the numbers of the service, in ${one.locale}`, async () => {
    const [heading = [], ...rows] = await rowsOf(one);
    const target = one.target.replace('&formato=csv', '').replace('&decimal=coma', '');
    const response = await fetch(`${service.keyedUrl}${target}`);
    const expected = (await response.json()) as readonly Readonly<Record<string, unknown>>[];
    assert.ok(expected.length > 0);
    assert.deepEqual(
      rows,
      expected.map((row) => heading.map((name) => row[name] ?? '')),
    );
    assert.ok(rows.flat().some((field) => typeof field === 'number' && !Number.isInteger(field)));
  });
}

describe('the formulas around IMPORTDATA, in LibreOffice', () => {
  let calc: Calc;
  before(async () => {
    if (withCalc.skip === undefined) calc = cleanUp.use(await startCalc());
  });

  /** Writes a formula into a sheet whose table at A1 is that of an IMPORTDATA. */
  async function evaluate(formula: string, table: Import, options = {}): Promise<Cell> {
    await calc.ask('open', { url: 'private:factory/scalc' });
    await calc.ask('write_values', { rows: await rowsOf(table) });
    await calc.ask('type_in', { address: 'N2', formula: 'GGAL' });
    const around = formula.replace(call, () => '$A$1:$L$99');
    return calc.ask('type_in', { address: 'P1', formula: around, ...options });
  }

  const [panel = assert.fail()] = imports;
  const one = formulas.find((formula) => formula.startsWith('=INDICE(')) ?? assert.fail();
  const lookUp = formulas.find((formula) => formula.startsWith('=BUSCARV(')) ?? assert.fail();

  test('a ticker is found in the table, and an unknown one is an error', withCalc, async () => {
    assert.equal((await evaluate(lookUp, panel)).number, 8340.5);
    await calc.ask('type_in', { address: 'N2', formula: 'NADA' });
    assert.equal((await calc.ask<Cell>('read', { address: 'P1' })).text, '#N/D');
  });

  test('one price needs no table', withCalc, async () => {
    assert.equal((await evaluate(one, importIn(one) ?? assert.fail())).number, 8340.5);
  });

  test('the English names of the page give the same', withCalc, async () => {
    const pairs = [
      ...textOf('docs/integraciones/google-sheets.md').matchAll(/`(\S+)` es `(\S+)`/g),
    ];
    assert.equal(pairs.length, 3);
    const translated = pairs.reduce(
      (text, [, from = '', to = '']) => text.replaceAll(`${from}(`, `${to}(`),
      lookUp,
    );
    assert.equal((await evaluate(translated, panel, { english: true })).number, 8340.5);
  });
});

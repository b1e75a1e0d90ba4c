import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvHead } from '../../../test/support/import/table-head.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import { recognise } from './recognise.ts';
import { refusalOf } from '../../../test/support/import/import-refusal.ts';

function refusal(run: () => unknown): ImportRefusal {
  try {
    run();
  } catch (error) {
    if (error instanceof ImportRefusal) return error;
    throw error;
  }
  return assert.fail('it was not refused');
}

const unclearDays = csvHead('x.csv', 'Fecha,Cierre\n01/02/2024,10\n03/04/2024,11');

test('an ambiguous date is refused with both formats, and --date-format decides', () => {
  const { code, message } = refusal(() => recognise(unclearDays, {}));
  assert.equal(code, 'ambiguous');
  assert.match(
    message,
    /"01\/02\/2024" is a date as DD\/MM\/YYYY and as MM\/DD\/YYYY.*--date-format/,
  );
  assert.equal(recognise(unclearDays, { dateFormat: 'DD/MM/YYYY' }).dateFormat, 'DD/MM/YYYY');
});

test("a source's usual format decides where cells are ambiguous", () => {
  const head = csvHead('EDN.csv', 'Date,Close,Volume,Open,High,Low\n03/01/2024,$1.234,7,$1,$2,$1');
  const { dateFormat, decimal } = recognise(head, {});
  assert.deepEqual([dateFormat, decimal], ['MM/DD/YYYY', '.']);
});

test("the cells take precedence over a source's usual format", () => {
  const head = csvHead('x.csv', 'especie,fecha,apertura,maximo,minimo,cierre,volumen');
  const row = ['AL30', '22/01/2024', '1,5', '2,5', '1,5', '2,5', '100'];
  const { dateFormat, decimal } = recognise({ ...head, rows: [...head.rows, row] }, {});
  assert.deepEqual([dateFormat, decimal], ['DD/MM/YYYY', ',']);
});

test('an option that does not fit the file is refused, with what the file has', () => {
  const column = refusal(() => recognise(unclearDays, { column: 'Close' }));
  assert.equal(column.code, 'option-mismatch');
  assert.match(column.message, /the columns are Fecha, Cierre/);
  const format = refusal(() => recognise(unclearDays, { dateFormat: 'YYYYMMDD' }));
  assert.match(format.message, /no date has the format YYYYMMDD; for example "01\/02\/2024"/);
});

test('a table without prices is refused with its first row', () => {
  for (const text of ['fecha,tipo,nombre\n2024-01-01,inamovible,Año nuevo', 'a,b\n1,2', '']) {
    assert.equal(refusal(() => recognise(csvHead('x.csv', text), {})).code, 'not-prices');
  }
});

const head = (text: string) => csvHead('x.csv', text);

test('each refusal states what is wrong with which cell, and what decides', () => {
  const dates = head('Fecha,Cierre\n2024-01-02,x\n2024-01-03,y');
  for (const [table, options, expected] of [
    [
      unclearDays,
      {},
      'ambiguous: "01/02/2024" is a date as DD/MM/YYYY and as MM/DD/YYYY, and no other row decides; ' +
        'set --date-format DD/MM/YYYY or --date-format MM/DD/YYYY',
    ],
    [
      head('Fecha,Cierre\n2024-01-02,1.234\n2024-01-03,12'),
      {},
      'ambiguous: "1.234" may be 1.234 or 1234, and no other cell decides; set --decimal . or --decimal ,',
    ],
    [
      head('Fecha,Cierre,Precio\n2024-01-22,1.5,2.5'),
      {},
      'ambiguous: the close may be "Cierre" or "Precio"; choose the close with --column Cierre or --column Precio',
    ],
    [
      head('Fecha,Cierre\n2024-01-02 10:00,1.5\n2024-01-02 11:00,1.5'),
      {},
      'not-prices: the dates have several times of day, so these are not daily prices',
    ],
    [
      head('Fecha,Cierre\nayer,1.5\nhoy,1.5'),
      {},
      'not-prices: the date column has no dates in a known format (YYYY-MM-DD, YYYYMMDD, DD/MM/YYYY, ' +
        'MM/DD/YYYY, DD/MM/YY, MM/DD/YY, YY-MM-DD, DD-MON-YYYY, MON-DD-YYYY, YYYY-MON-DD, EPOCH-S, ' +
        'EPOCH-MS, EPOCH-US, EPOCH-NS)',
    ],
    [
      unclearDays,
      { dateFormat: 'YYYYMMDD' },
      'option-mismatch: no date has the format YYYYMMDD; for example "01/02/2024"',
    ],
    [
      dates,
      { decimal: ',' },
      'option-mismatch: no price is a number with "," as the decimal sign; for example "x"',
    ],
    [
      head(`${'a'.repeat(31)},b,c,d,e,f,g,h,i\n1,2,3,4,5,6,7,8,9`),
      {},
      `not-prices: these are not daily prices: no layout matches the first row "${'a'.repeat(30)},b,c,d,e,f,g,h"`,
    ],
    [head(''), {}, 'not-prices: these are not daily prices: the file has no rows'],
    [{ ...dates, rows: [] }, {}, 'not-prices: these are not daily prices: the file has no rows'],
  ] as const) {
    assert.equal(
      refusalOf(() => recognise(table, options)),
      expected,
    );
  }
});

test('an option that fits a single cell is accepted, and so is a decimal sign for a table without prices', () => {
  const some = csvHead('x.csv', 'Fecha,Cierre\nx,"1\n01/02/2024,1;5\n02/02/2024,2');
  assert.equal(
    recognise(some, { dateFormat: 'MM/DD/YYYY', decimal: ',' }).dateFormat,
    'MM/DD/YYYY',
  );
  const empty = csvHead('x.csv', 'Fecha,Cierre\n2024-01-22,\n2024-01-23,');
  assert.equal(recognise(empty, { decimal: ',' }).decimal, ',');
  assert.equal(recognise(empty, {}).decimal, '.');
});

test("a source's usual date format does not decide between other formats", () => {
  const table = csvHead('x.csv', 'Date,Close,Volume,Open,High,Low\n01/02/03,$1.5,7,$1,$2,$1');
  assert.match(
    refusalOf(() => recognise(table, {})),
    /^ambiguous: "01\/02\/03" is a date as DD\/MM\/YY and as MM\/DD\/YY and as YY-MM-DD,/,
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvHead } from '../../test/support/table-head.ts';
import { ImportRefusal } from './import-refusal.ts';
import { recognise } from './recognise.ts';

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

test('a date that reads both ways is refused with both readings, and --date-format settles it', () => {
  const { code, message } = refusal(() => recognise(unclearDays, {}));
  assert.equal(code, 'ambiguous');
  assert.match(message, /"01\/02\/2024" reads as DD\/MM\/YYYY and as MM\/DD\/YYYY.*--date-format/);
  assert.equal(recognise(unclearDays, { dateFormat: 'DD/MM/YYYY' }).dateFormat, 'DD/MM/YYYY');
});

test('a number that reads both ways is refused with both readings, and --decimal settles it', () => {
  const head = csvHead('x.csv', 'Fecha,Cierre\n2024-01-02,1.234\n2024-01-03,12');
  const { code, message } = refusal(() => recognise(head, {}));
  assert.equal(code, 'ambiguous');
  assert.match(message, /"1\.234" reads as 1\.234 and as 1234.*--decimal/);
  assert.equal(recognise(head, { decimal: ',' }).decimal, ',');
});

test('two columns of closes are refused with both names, and --column settles it', () => {
  const head = csvHead('x.csv', 'Fecha,Cierre,Precio\n2024-01-22,1.5,2.5');
  const { code, message } = refusal(() => recognise(head, {}));
  assert.equal(code, 'ambiguous');
  assert.match(message, /"Cierre" or "Precio".*--column/);
  assert.equal(recognise(head, { column: 'precio' }).series[0]?.close, 2);
});

test('a maker who always writes one way settles what would be ambiguous', () => {
  const head = csvHead('EDN.csv', 'Date,Close,Volume,Open,High,Low\n03/01/2024,$1.234,7,$1,$2,$1');
  const { dateFormat, decimal } = recognise(head, {});
  assert.deepEqual([dateFormat, decimal], ['MM/DD/YYYY', '.']);
});

test('what the cells say goes before what the maker usually writes', () => {
  const head = csvHead('x.csv', 'especie,fecha,apertura,maximo,minimo,cierre,volumen');
  const row = ['AL30', '22/01/2024', '1,5', '2,5', '1,5', '2,5', '100'];
  const { dateFormat, decimal } = recognise({ ...head, rows: [...head.rows, row] }, {});
  assert.deepEqual([dateFormat, decimal], ['DD/MM/YYYY', ',']);
});

test('an option that does not fit the file is told, with what the file has', () => {
  const column = refusal(() => recognise(unclearDays, { column: 'Close' }));
  assert.equal(column.code, 'option-mismatch');
  assert.match(column.message, /the columns are Fecha, Cierre/);
  const format = refusal(() => recognise(unclearDays, { dateFormat: 'YYYYMMDD' }));
  assert.match(format.message, /no date reads as YYYYMMDD, for instance "01\/02\/2024"/);
});

test('a table that is no prices is refused with its first row', () => {
  for (const text of ['fecha,tipo,nombre\n2024-01-01,inamovible,Año nuevo', 'a,b\n1,2', '']) {
    assert.equal(refusal(() => recognise(csvHead('x.csv', text), {})).code, 'not-prices');
  }
});

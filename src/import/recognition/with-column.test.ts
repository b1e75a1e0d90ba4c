import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalOf } from '../../../test/support/import/import-refusal.ts';
import { csvHead, readingOf } from '../../../test/support/import/table-head.ts';
import type { Reading } from '../layouts/layout.ts';
import { generic } from '../layouts/generic.ts';
import { sources } from '../layouts/sources.ts';
import { wide } from '../layouts/wide.ts';
import { withColumn } from './recognise.ts';

const plain = readingOf(
  generic,
  csvHead('x.csv', 'Símbolo,Fecha,Cierre,Otro,Otro,\nGGAL,2026-11-16,1.5,2.5,3.5,4.5'),
);
const matrix = readingOf(wide, csvHead('x.csv', 'fecha,GGAL,YPFD\n2026-11-16,1.5,2.5'));

const header = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`);

const closesOf = ({ series }: Reading) => series.map(({ close }) => close);

test('the named column is the close, in any case and with or without accents', () => {
  assert.equal(withColumn(plain, undefined), plain);
  assert.deepEqual(closesOf(withColumn(plain, ' CIERRE ')), [2]);
  assert.deepEqual(withColumn(plain, 'cierre').series[0]?.ticker, { type: 'column', index: 0 });
});

test('of several series the last one takes the named column, and the others keep their own', () => {
  const two = {
    ...plain,
    series: [{ ticker: { type: 'file' }, close: 5 } as const, ...plain.series],
  };
  assert.deepEqual(closesOf(withColumn({ ...two, header: ['s', 'f', 'a', 'b'] }, 'b')), [5, 3]);
});

test('in a matrix only the named column is imported', () => {
  const { series } = withColumn(matrix, 'ypfd');
  assert.deepEqual(series, [{ ticker: { type: 'heading', text: 'YPFD' }, close: 2 }]);
});

test('an unknown column, or a column that cannot be a close, is refused with a list of the columns', () => {
  const columns = 'the columns are Símbolo, Fecha, Cierre, Otro, Otro';
  for (const [name, problem] of [
    ['Close', 'there is no column "Close"'],
    ['fecha', 'the column "fecha" has no closes'],
    ['simbolo', 'the column "simbolo" has no closes'],
    ['Otro', '2 columns are named "Otro"; rename all but one'],
  ] as const) {
    assert.equal(
      refusalOf(() => withColumn(plain, name)),
      `option-mismatch: ${problem}; ${columns}`,
    );
  }
  assert.equal(
    refusalOf(() => withColumn(matrix, 'Nada')),
    'option-mismatch: there is no column "Nada"; the columns are fecha, GGAL, YPFD',
  );
});

function shown(count: number): string {
  return refusalOf(() => withColumn({ ...plain, header: header(count) }, 'x'));
}

test('a refusal lists twenty columns, and states when a table has no header', () => {
  assert.ok(shown(20).endsWith('c18, c19'));
  assert.ok(shown(21).endsWith('c18, c19, …'));
  assert.equal(
    shown(0),
    'option-mismatch: there is no column "x"; the columns are none: the table has no header',
  );
});

test('a column of a table of Rava can be named', () => {
  const head = csvHead(
    'x.csv',
    'especie,fecha,apertura,maximo,minimo,cierre,volumen,timestamp\nGGAL,2026-11-16,1,2,1,2,3,4',
  );
  assert.deepEqual(closesOf(withColumn(readingOf(sources, head), 'apertura')), [2]);
});

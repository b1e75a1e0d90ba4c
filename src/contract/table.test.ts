import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flag, list, number, Table, text } from './table.ts';

const about = { schema: { type: 'string' } };

interface Row {
  readonly name: string;
  readonly amount: number | null | undefined;
  readonly days: readonly string[];
}

const fields = {
  nombre: text<Row>(({ name }) => name, about),
  importe: number<Row>(({ amount }) => amount, about),
  dias: list<Row>(
    ({ days }) => days.map((dia) => ({ dia })),
    ({ days }) => days.join(' '),
    about,
  ),
};
const table = new Table<Row>(fields);

const rows: readonly Row[] = [
  { name: 'a "b", c', amount: 0.000_000_5, days: ['1', '2'] },
  { name: '', amount: null, days: [] },
  { name: 'x', amount: undefined, days: ['3'] },
  { name: '', amount: 0, days: [] },
];

test('JSON has the fields in order; null is shown and an undefined field is absent', () => {
  assert.equal(
    table.render(rows, 'json'),
    '[{"nombre":"a \\"b\\", c","importe":0.0000005,"dias":[{"dia":"1"},{"dia":"2"}]},' +
      '{"nombre":"","importe":null,"dias":[]},' +
      '{"nombre":"x","dias":[{"dia":"3"}]},' +
      '{"nombre":"","importe":0,"dias":[]}]',
  );
  assert.equal(table.render([], 'json'), '[]');
});

test('CSV has the same digits, the texts of lists, and empty cells for null and absent fields', () => {
  assert.equal(
    table.render(rows, 'csv'),
    'nombre,importe,dias\r\n"a ""b"", c",0.0000005,1 2\r\n,,\r\nx,,3\r\n,0,\r\n',
  );
  assert.equal(
    table.render(rows, 'csv-comma'),
    'nombre;importe;dias\r\n"a ""b"", c";0,0000005;1 2\r\n;;\r\nx;;3\r\n;0;\r\n',
  );
  assert.equal(table.render([], 'csv'), 'nombre,importe,dias\r\n');
});

test('a value that is no JSON number is refused', () => {
  const row = { name: 'x', amount: Number.NaN, days: [] };
  for (const format of ['json', 'csv'] as const) {
    assert.throws(() => table.render([row], format), RangeError);
  }
});

test('fields on request follow the others in every format, and a flag is only in JSON', () => {
  const extended = table.withExtras(
    {
      inicial: text(({ name }) => name.slice(0, 1), about),
      larga: flag(({ days }) => days.length > 1, about),
    },
    { names: { larga: 'largo' } },
  );
  const some = rows.slice(0, 2);
  assert.equal(extended.with([]), table);
  assert.equal(extended.with(['inicial', 'larga']), extended.with(['inicial', 'larga']));
  assert.equal(
    extended.with(['inicial', 'larga']).render(some, 'json'),
    '[{"nombre":"a \\"b\\", c","importe":0.0000005,"dias":[{"dia":"1"},{"dia":"2"}],' +
      '"inicial":"a","largo":true},{"nombre":"","importe":null,"dias":[],"inicial":""}]',
  );
  assert.equal(
    extended.with(['inicial', 'larga']).render(some, 'csv'),
    'nombre,importe,dias,inicial\r\n"a ""b"", c",0.0000005,1 2,a\r\n,,,\r\n',
  );
  assert.deepEqual(Object.keys(extended.fields), ['nombre', 'importe', 'dias', 'inicial', 'largo']);
});

test('a table that keeps texts renders each row once in each format', () => {
  let rendered = 0;
  const name = text<Row>((row) => {
    rendered += 1;
    return row.name;
  }, about);
  const keeping = new Table<Row>({ nombre: name }, { keepsTexts: true });
  for (const format of ['json', 'csv', 'csv-comma'] as const) {
    const first = keeping.render(rows, format);
    const count = rendered;
    assert.equal(keeping.render(rows, format), first);
    assert.equal(rendered, count, format);
  }
  assert.equal(keeping.of(rows).kept, rows);
  assert.equal(table.of(rows).kept, undefined);
});

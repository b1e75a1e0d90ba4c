import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImportOptions } from '../../../src/import/refusals/import-refusal.ts';
import { sheetCellsMax } from '../../../src/import/files/workbook/sheet-rows.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { ImportRig } from '../support/import-into.ts';
import { makeWorkbook, styles, type SheetSketch } from '../support/make-workbook.ts';
import { makeZip } from '../support/make-zip.ts';

const universe = makeUniverse([
  { ticker: 'GGAL' },
  { ticker: 'ALUA' },
  { ticker: 'CAUCION 7D', kind: 'interest-rate', currency: '%' },
]);

async function imported(name: string, content: Uint8Array, options: ImportOptions = {}) {
  await using rig = await ImportRig.open();
  const path = await rig.file(name, content);
  const { summary, rejects } = await rig.import([path], { universe, options });
  const [file] = summary.files;
  if (file?.outcome !== 'imported') return { refused: file?.reason ?? '' };
  const closes: string[] = [];
  for (const ticker of [...summary.byTicker.keys()].sort()) {
    for (const [day, close] of await rig.closes(ticker)) closes.push(`${ticker} ${day} ${close}`);
  }
  return { closes, rejects: rejects.map(({ line, reason }) => `${line} ${reason}`) };
}

async function refused(name: string, content: Uint8Array, options: ImportOptions = {}) {
  const { refused: reason } = await imported(name, content, options);
  return reason ?? assert.fail('it was not refused');
}

const head = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>';
const strings = [
  '<si><t>Fecha</t></si>',
  '<si><r><t>Cie</t></r><rPh><t>x</t></rPh><r><t>rre</t></r></si>',
];

/** A row with a date of a serial number and a close. */
function row(number: number, date: string, close: string): string {
  return `<row r="${number}">${date}${close}</row>`;
}

function textCell(cell: string, value: string): string {
  return `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`;
}

function sheet(name: string, close: number, state = 'visible'): SheetSketch {
  const rows = head + row(2, `<c r="A2" s="1"><v>45293</v></c>`, `<c r="B2"><v>${close}</v></c>`);
  return { name, rows, state };
}

test('a workbook gives its dates and prices exactly, whatever their formats', async () => {
  const rows = [
    head,
    // 2 January 2024 is 45293. Row 3 is left out, as Excel does with empty rows.
    row(
      2,
      `<c r="A2" s="${styles.date}"><v>45293</v></c>`,
      '<c r="B2"><v>10.199999999999999</v></c>',
    ),
    row(4, `<c r="A4" s="${styles.longDate}"><v>45294</v></c>`, '<c r="B4" s="6"><v>1.234</v></c>'),
    row(5, `<c r="A5" s="1"><v>45295</v></c>`, '<c r="B5"><f>B4*2</f><v>2.468</v></c>'),
    row(
      6,
      `<c r="A6" s="1" t="str"><f>x</f><v>2024-01-05</v></c>`,
      '<c r="B6" t="inlineStr"><is><t>3.5</t></is></c>',
    ),
    row(7, `<c r="A7" t="d"><v>2024-01-08</v></c>`, '<c r="B7" t="e"><v>#N/A</v></c>'),
    row(8, `<c r="A8" t="d"><v>2024-01-09</v></c>`, '<c r="B8"><f>B7*2</f></c>'),
  ].join('');
  const book = makeWorkbook([{ name: 'Hoja1', rows }], { strings });
  const expected = {
    closes: [
      'GGAL 2024-01-02 10.2',
      'GGAL 2024-01-03 1.234',
      'GGAL 2024-01-04 2.468',
      'GGAL 2024-01-05 3.5',
    ],
    rejects: ['7 no-number', '8 no-number'],
  };
  assert.deepEqual(await imported('GGAL.xlsx', book), expected);
  // A workbook is known by its content, also in an archive.
  assert.deepEqual(await imported('x.zip', makeZip({ 'GGAL.xlsx': book })), expected);
});

test('a workbook of 1904 counts its days from another day', async () => {
  const rows = head + row(2, `<c r="A2" s="1"><v>43831</v></c>`, '<c r="B2"><v>10</v></c>');
  const sheets = [{ name: 'a', rows }];
  assert.deepEqual(
    (await imported('GGAL.xlsx', makeWorkbook(sheets, { strings, is1904: true }))).closes,
    ['GGAL 2024-01-02 10'],
  );
  assert.deepEqual((await imported('GGAL.xlsx', makeWorkbook(sheets, { strings }))).closes, [
    'GGAL 2020-01-01 10',
  ]);
});

test('a heading that is merged over two rows belongs to the lower one', async () => {
  const rows = `<row r="1">${textCell('A1', 'Fecha')}${textCell('B1', 'Precios')}<c r="C1"/></row>
    <row r="2"><c r="A2"/>${textCell('B2', 'Apertura')}${textCell('C2', 'Cierre')}</row>
    <row r="3"><c r="A3" s="1"><v>45293</v></c><c r="B3"><v>9</v></c><c r="C3"><v>10</v></c></row>`;
  const after =
    '<mergeCells count="2"><mergeCell ref="A1:A2"/><mergeCell ref="B1:C1"/></mergeCells>';
  const book = makeWorkbook([{ name: 'x', rows, after }]);
  assert.deepEqual((await imported('GGAL.xlsx', book)).closes, ['GGAL 2024-01-02 10']);
});

test('a percentage is that of its format, for a rate', async () => {
  const rows =
    head +
    row(2, `<c r="A2" s="1"><v>45293</v></c>`, '<c r="B2" s="3"><v>0.70499999999999996</v></c>');
  const book = makeWorkbook([{ name: 'x', rows }], { strings });
  assert.deepEqual((await imported('CAUCION 7D.xlsx', book)).closes, [
    'CAUCION 7D 2024-01-02 70.5',
  ]);
  assert.deepEqual((await imported('GGAL.xlsx', book)).closes, []);
});

test('of several sheets with values, --sheet chooses; empty and hidden ones do not count', async () => {
  const others = [
    { name: 'Hoja2', rows: '<row r="1"><c r="A1" s="1"/></row>' },
    sheet('Vieja', 5, 'hidden'),
  ];
  const one = makeWorkbook([sheet('Precios', 7), ...others], { strings });
  assert.deepEqual((await imported('GGAL.xlsx', one)).closes, ['GGAL 2024-01-02 7']);
  const two = makeWorkbook([sheet('Precios', 7), ...others, sheet('Otra hoja', 8)], { strings });
  assert.equal(
    await refused('GGAL.xlsx', two),
    'the workbook has 2 sheets with values; choose one with --sheet Precios or --sheet "Otra hoja"',
  );
  assert.deepEqual((await imported('GGAL.xlsx', two, { sheet: 'otra hoja' })).closes, [
    'GGAL 2024-01-02 8',
  ]);
  assert.deepEqual((await imported('GGAL.xlsx', two, { sheet: 'Vieja' })).closes, [
    'GGAL 2024-01-02 5',
  ]);
  assert.match(
    await refused('GGAL.xlsx', two, { sheet: 'x' }),
    /no sheet "x"; its sheets are "Precios", /,
  );
});

test('a sheet of too many cells, and one that expands too far, are refused and store nothing', async () => {
  const perRow = 16_384;
  const count = Math.ceil(sheetCellsMax / perRow) + 2;
  const wide = Array.from(
    { length: count },
    (_, at) => `<row r="${at + 2}"><c r="XFD${at + 2}"><v>1</v></c></row>`,
  );
  const many = makeWorkbook([{ name: 'x', rows: head + wide.join('') }], { strings });
  assert.match(await refused('GGAL.xlsx', many), /more than 5000000 cells; save it as CSV/);
  const bomb = makeWorkbook([{ name: 'x', rows: head + ' '.repeat(40_000_000) }], { strings });
  assert.match(await refused('GGAL.xlsx', bomb), /expands to more than 200 times its size/);
  const long = row(2, '', `<c r="B2" t="inlineStr"><is><t>${'x'.repeat(1_100_000)}</t></is></c>`);
  assert.match(
    await refused('GGAL.xlsx', makeWorkbook([{ name: 'x', rows: long }])),
    /more than 1048576 characters/,
  );
});

test('a damaged workbook is refused, and none of its entities expands', async () => {
  for (const [rows, reason] of [
    ['<row r="1"><c r="A1"><v>1</c></row>', /damaged/],
    ['<row r="2"><c r="A2"><v>1</v></c></row><row r="1"/>', /row 1 is out of order/],
    ['<row r="1"><c r="AAAA1"><v>1</v></c></row>', /no cell AAAA1/],
    ['<row r="1"><c r="A1"><v>&lol;</v></c></row>', /damaged/],
  ] as const) {
    assert.match(await refused('GGAL.xlsx', makeWorkbook([{ name: 'x', rows }])), reason);
  }
  const noSheet = makeZip({
    'xl/workbook.xml': Buffer.from('<workbook><sheets><sheet name="a"/></sheets></workbook>'),
  });
  assert.match(await refused('GGAL.xlsx', noSheet), /it has no part xl\/worksheets\/sheet1.xml/);
});

test('formats that cannot be read are named, with what to do', async () => {
  assert.match(
    await refused('x.csv', Buffer.from('PAR1abcPAR1')),
    /Parquet file; convert it to CSV/,
  );
  const ole = Buffer.from('d0cf11e0a1b11ae1', 'hex');
  assert.match(await refused('x.xls', ole), /workbook of Excel 97 .*save it as .xlsx/);
  const ods = makeZip({ mimetype: Buffer.from('x'), 'content.xml': Buffer.from('x') });
  assert.match(await refused('x.ods', ods), /save it as .xlsx or as CSV/);
});

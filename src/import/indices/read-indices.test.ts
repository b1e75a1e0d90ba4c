import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { readIndices, type IndexCells } from './read-indices.ts';

/** The values of a text as `INDEX DATE VALUE SOURCE`, or its faults as `line:column "value" message`. */
async function read(text: string, cells: IndexCells = {}): Promise<readonly string[]> {
  const { values, faults } = await readIndices(['-'], cells, Readable.from([Buffer.from(text)]));
  if (faults.length > 0) {
    return faults.map(
      ({ line, column, value, message }) => `${line}:${column} "${value}" ${message}`,
    );
  }
  return values.map(
    ({ index, day, value, source }) => `${index} ${fromEpochDay(day)} ${value} ${source}`,
  );
}

const own = 'import:standard input';

test('rows are read in any order of the columns, with days to come and a source of their own', async () => {
  assert.deepEqual(
    await read(
      'indice,fecha,valor\nCER,2026-12-15,766.0001\nuva,2026-11-26,1900.25\r\n\nCER,2026-11-26,758\n',
    ),
    [
      `CER 2026-12-15 766.0001 ${own}`,
      `UVA 2026-11-26 1900.25 ${own}`,
      `CER 2026-11-26 758 ${own}`,
    ],
  );
  assert.deepEqual(await read('Valor;Fecha;Indice;Fuente\n31,25;2026-11-19;TAMAR;bcra\n'), [
    'TAMAR 2026-11-19 31.25 bcra',
  ]);
});

test('the decimal sign and the dates are those of the file, and an unclear file is refused with the options', async () => {
  assert.deepEqual(
    await read('indice;fecha;valor\nCER;26/11/2026;1.758,1234\nCER;27/11/2026;1.758,5\n'),
    [`CER 2026-11-26 1758.1234 ${own}`, `CER 2026-11-27 1758.5 ${own}`],
  );
  const unclear = 'indice;fecha;valor\nCER;05/11/2026;1.758\n';
  assert.deepEqual(await read(unclear), [
    '2:3 "1.758" valor: the sign may be decimal or separate thousands; set --decimal . or --decimal ,',
    '2:2 "05/11/2026" fecha: the date has several readings; set --date-format DD/MM/YYYY or --date-format MM/DD/YYYY',
  ]);
  const [decimal, dateFormat] = [',', 'DD/MM/YYYY'] as const;
  assert.deepEqual(await read(unclear, { decimal, dateFormat }), [`CER 2026-11-05 1758 ${own}`]);
  assert.deepEqual(await read(unclear, { decimal: '.', dateFormat: 'MM/DD/YYYY' }), [
    `CER 2026-05-11 1.758 ${own}`,
  ]);
});

test('the inflation of a month may be zero or negative', async () => {
  assert.deepEqual(await read('indice,fecha,valor\nIPC,1999-02-28,-0.2\nIPC,2000-02-29,0\n'), [
    `IPC 1999-02-28 -0.2 ${own}`,
    `IPC 2000-02-29 0 ${own}`,
  ]);
});

test('every fault is reported with its line and column, and what would be valid', async () => {
  const text = [
    'indice,fecha,valor',
    'CER,2026-11-26,758.1',
    'IPIM,2026-02-30,abc',
    'CER,2026-11-27,0',
    'CER,2026-11-28,-1',
    'CER,2026-11-29,',
    'CER,2026-11-30,1e12',
    'CER,2026-11-30',
  ].join('\n');
  const wrongValue = 'valor: not a number above zero; correct it, or delete the row';
  assert.deepEqual((await read(text)).toSorted(), [
    '3:1 "IPIM" indice: not an index; the indices are CER, UVA, A3500, TAMAR, BADLAR, ICL, IPC',
    '3:2 "2026-02-30" fecha: not a valid date; use YYYY-MM-DD and a day that exists',
    `3:3 "abc" ${wrongValue}`,
    `4:3 "0" ${wrongValue}`,
    `5:3 "-1" ${wrongValue}`,
    `6:3 "" ${wrongValue}`,
    `7:3 "1e12" ${wrongValue}`,
    '8:0 "CER" the row has 2 cells and the header has 3; put quotes around a cell that contains the delimiter',
  ]);
  assert.deepEqual(
    await read('indice,fecha,valor\nIPC,2024-10-30,2.7\nIPC,2024-10-31,301\nIPC,2024-11-30,-51\n'),
    [
      '2:2 "2024-10-30" fecha: IPC has a value for each month; use the last day of the month',
      '3:3 "301" valor: not a number from -50 to 300; correct it, or delete the row',
      '4:3 "-51" valor: not a number from -50 to 300; correct it, or delete the row',
    ],
  );
  assert.deepEqual(await read('indice,dia,valor\nCER,2026-11-26,1\n'), [
    '1:2 "dia" unknown column; the columns are indice, fecha, valor, fuente',
    '1:0 "" the column fecha is missing',
  ]);
  assert.match((await read('')).join('\n'), /the file has no header/);
});

test('two values of one index and day are a fault unless they are equal, also in two files', async (t) => {
  const folder = join(await temporaryDirectory(t), 'indices');
  await mkdir(folder);
  const header = 'indice,fecha,valor\n';
  await writeFile(join(folder, 'a.csv'), `${header}CER,2026-11-26,758.1\n`);
  await writeFile(
    join(folder, 'b.csv.gz'),
    gzipSync(`${header}CER,2026-11-26,758.10\nCER,2026-11-27,759\nCER,2026-11-27,760\n`),
  );
  await writeFile(join(folder, 'read.me'), 'no table');
  const { values, faults, files } = await readIndices([folder], {}, Readable.from([]));
  assert.deepEqual([files, values.length], [2, 2]);
  assert.equal(values[0]?.source, 'import:a.csv');
  assert.deepEqual(
    faults.map(({ line, value, message }) => `${line} ${value} ${message.replaceAll(folder, '')}`),
    ['4 CER 2026-11-27 760 differs from 759 in /b.csv:3; keep the right one'],
  );
});

test('a file that is missing is a fault', async () => {
  const { faults } = await readIndices(['/nowhere/indices.csv'], {}, Readable.from([]));
  assert.match(faults.map(({ message }) => message).join('\n'), /cannot be read/);
});

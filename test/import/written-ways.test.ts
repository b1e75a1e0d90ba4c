import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUniverse } from '../support/market/make-universe.ts';
import { fieldsIn } from '../support/fields-in.ts';
import { ImportRig } from './support/import-into.ts';

const universe = makeUniverse([{ ticker: 'ALUA' }, { ticker: 'GGAL' }]);

/** Monday, Tuesday and Wednesday, with the closes of ALUA. */
const week = new Map([
  ['2026-11-16', 900.5],
  ['2026-11-17', 910],
  ['2026-11-18', 905.25],
]);

async function assertWeek(name: string, content: string | Uint8Array): Promise<void> {
  await using rig = await ImportRig.open();
  const { summary } = await rig.import([await rig.file(name, content)], { universe });
  assert.deepEqual(await rig.closes('ALUA'), week, JSON.stringify(summary.files));
}

/** A file of the week. A function formats its dates. */
function csv(write: (year: string, month: string, day: string) => string): string {
  const rows = [...week].map(([date, close]) => {
    const [year = '', month = '', day = ''] = date.split('-');
    return `${write(year, month, day)};${String(close).replace('.', ',')}`;
  });
  return ['Fecha;Cierre', ...rows].join('\n');
}

test('dates are read with the name of the month, and with two-digit years', async () => {
  for (const write of [
    (year: string, _month: string, day: string) => `${day}-nov-${year}`,
    (year: string, _month: string, day: string) => `${day} de noviembre de ${year}`,
    (year: string, _month: string, day: string) => `${day}/Nov/${year.slice(2)}`,
    (year: string, _month: string, day: string) => `Nov ${day} ${year}`,
    (year: string, month: string, day: string) => `${day}/${month}/${year.slice(2)}`,
    (year: string, month: string, day: string) => `${month}/${day}/${year.slice(2)}`,
    (year: string, month: string, day: string) => `${year.slice(2)}-${month}-${day}`,
  ]) {
    await assertWeek('ALUA.csv', csv(write));
  }
});

test('a matrix and a table without a header are recognised with dates in every format', async () => {
  await assertWeek('m.csv', csv((year, _, day) => `${day}-nov-${year}`).replace('Cierre', 'ALUA'));
  const rows = [...week].map(([date, close]) => {
    const [year = '', month = '', day = ''] = date.split('-');
    return `${day}/${month}/${year.slice(2)},${close},${close},${close},${close},10`;
  });
  await assertWeek('ALUA.csv', rows.join('\n'));
});

test('UTF-16 is read without a byte order mark, in both byte orders', async () => {
  const text = csv((year, month, day) => `${day}/${month}/${year}`).replace('Cierre', 'Último');
  const little = Buffer.from(text, 'utf16le');
  await assertWeek('ALUA.csv', little);
  await assertWeek('ALUA.csv', Buffer.from(little).swap16());
});

test('NDJSON is read, also from a folder, and rejected rows have their line', async () => {
  const lines = [...week].map(([date, close]) => JSON.stringify({ date, close }));
  await assertWeek('ALUA.ndjson', lines.join('\n'));
  await assertWeek('ALUA.json', `${lines.join('\n\n')}\n`);
  await assertWeek('ALUA.jsonl', `${lines.join('\r\n')}\r\n`);

  await using rig = await ImportRig.open();
  const rows = [
    { ticker: 'ALUA', date: '2026-11-16', close: 900 },
    { ticker: 'NADA', date: '2026-11-16', close: 1 },
    { ticker: 'GGAL', date: '2026-11-16', close: 'x', volume: 5 },
  ].map((row) => JSON.stringify(row));
  await rig.file('in/all.ndjson', `${rows.slice(0, 1).join('\n')}\n\n${rows.slice(1).join('\n')}`);
  const { summary, rejects } = await rig.import([`${rig.directory}/files/in`], { universe });
  assert.equal(summary.totals.added, 1);
  assert.deepEqual(fieldsIn(rejects, 'line', 'instrument'), ['3 NADA', '4 GGAL']);
});

test('an NDJSON file with one invalid line is refused', async () => {
  await using rig = await ImportRig.open();
  const path = await rig.file('ALUA.ndjson', '{"date":"2026-11-16","close":1}\n{"date":');
  const { summary } = await rig.import([path], { universe });
  const [file] = summary.files;
  assert.match(
    file?.outcome === 'refused' ? file.reason : '',
    /^not valid JSON: it ends too early at line 2, column \d+$/,
  );
  assert.equal(await rig.revision(), 0);
});

test('a file is recognised as NDJSON when its first line is longer than a chunk', async () => {
  const note = 'x'.repeat(300_000);
  const lines = [...week].map(([date, close]) => JSON.stringify({ note, date, close }));
  await assertWeek('ALUA.ndjson', lines.join('\n'));
});

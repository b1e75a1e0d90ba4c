import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { noActions } from '../../src/domain/history/corporate-actions.ts';
import { parsePlainDate, toEpochDay } from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { closesHeldMax } from '../../src/import/file-import.ts';
import type { FileResult, ImportCounts } from '../../src/import/reports/import-summary.ts';
import { importHistory, type ImportProgress } from '../../src/import/importer.ts';
import { makeUniverse } from '../support/market/make-universe.ts';
import { ImportRig, fridayEvening } from './support/import-into.ts';
import { makeZip } from './support/make-zip.ts';
import { clockAt } from '../support/market/clock-at.ts';
import { fieldsIn } from '../support/fields-in.ts';

const universe = makeUniverse([
  { ticker: 'AL30', kind: 'bond' },
  { ticker: 'GGAL' },
  { ticker: 'GGAL_US', kind: 'adr', market: 'NYSE' },
  { ticker: 'ALUA' },
  { ticker: 'KO', kind: 'cedear' },
  { ticker: 'KO_US', market: 'NYSE' },
  { ticker: 'MEP-CCL', kind: 'spread' },
  { ticker: 'MERVAL', kind: 'index' },
  { ticker: 'BTC', kind: 'crypto', market: 'CRIPTO' },
]);

const header = 'especie,fecha,apertura,maximo,minimo,cierre,volumen,timestamp';

function rava(...rows: readonly string[]): string {
  return [header, ...rows].join('\n');
}

function refusalOf(files: readonly FileResult[]): { code: string; reason: string } {
  const [file] = files;
  return file?.outcome === 'refused' ? file : assert.fail('the file was not refused');
}

test('rows that cannot be a close are rejected with file, line and reason, and the other rows are stored', async () => {
  await using rig = await ImportRig.open();
  const path = await rig.file(
    'x.csv',
    rava(
      'GGAL,2026-11-16,1,3,1,2,10,0',
      'GGAL,2026-11-17,1,3,1,N/A,10,0',
      'GGAL,2026-11-18,1,3,1,0,10,0',
      'GGAL,2026-11-19,1,3,1,-5,10,0',
      'GGAL,2026-11-23,1,3,1,2,10,0',
      'GGAL,2026-11-15,1,3,1,2,10,0',
      'GGAL,2026-01-01,1,3,1,2,10,0',
      'GGAL,2026-02-30,1,3,1,2,10,0',
      'NADA,2026-11-16,1,3,1,2,10,0',
      'GGAL,2026-11-20,1,3,1,2.5,10,0',
    ),
  );
  const { summary, rejects } = await rig.import([path], { universe });
  assert.deepEqual(
    rejects.map(({ file, line, reason }) => [file, line, reason]),
    [
      [path, 3, 'no-number'],
      [path, 4, 'not-positive'],
      [path, 5, 'not-positive'],
      [path, 6, 'future'],
      [path, 7, 'no-session'],
      [path, 8, 'no-session'],
      [path, 9, 'no-date'],
      [path, 10, 'unknown-ticker'],
    ],
  );
  assert.deepEqual(
    [...(await rig.closes('GGAL'))],
    [
      ['2026-11-16', 2],
      ['2026-11-20', 2.5],
    ],
  );
  const { read, added, changed, same, rejected } = summary.totals;
  assert.deepEqual(
    { read, added, changed, same, rejected },
    { read: 10, added: 2, changed: 0, same: 0, rejected: 8 },
  );
});

test('contract 2.6.4: on any market, a session that is not over has no close', async () => {
  await using rig = await ImportRig.open();
  const path = await rig.file(
    'x.csv',
    rava('GGAL,2026-11-20,1,3,1,2,1,0', 'BTC,2026-11-20,1,3,1,2,1,0'),
  );
  const noon = Date.UTC(2026, 10, 20, 15);
  const during = await rig.import([path], { universe, now: noon });
  assert.deepEqual(fieldsIn(during.rejects, 'reason'), ['session-open', 'session-open']);
  const after = await rig.import([path], { universe });
  // The session of a market that is always open ends at midnight.
  assert.deepEqual(
    after.rejects.map(({ row }) => row[0]),
    ['BTC'],
  );
});

test('a spread may be zero or negative, and a market that is open at weekends has closes on them', async () => {
  await using rig = await ImportRig.open();
  const path = await rig.file(
    'x.csv',
    'ticker,date,close\nMEP-CCL,2026-11-18,0\nMEP-CCL,2026-11-19,-1.5\nBTC,2026-11-15,90000',
  );
  const { summary } = await rig.import([path], { universe });
  assert.equal(summary.totals.added, 3);
});

test('importing a file twice changes nothing, not even the revision', async () => {
  await using rig = await ImportRig.open();
  const rows = [
    'GGAL,2026-11-17,1,3,1,2,10,0',
    'GGAL,2026-11-16,1,3,1,2,10,0',
    'GGAL,2026-11-17,1,3,1,7,10,0',
  ];
  const path = await rig.file('x.csv', rava(...rows));
  await rig.import([path], { universe });
  const revision = await rig.revision();
  const { summary } = await rig.import([path], { universe });
  assert.equal(summary.totals.same, 2);
  assert.equal(summary.totals.added + summary.totals.changed, 0);
  assert.equal(await rig.revision(), revision);
});

test('a repeated date counts once when the closes are equal, and otherwise the first close is stored', async () => {
  await using rig = await ImportRig.open();
  const path = await rig.file(
    'x.csv',
    rava(
      'GGAL,2026-11-16,1,3,1,2,10,0',
      'GGAL,2026-11-16,1,3,1,2,10,0',
      'GGAL,2026-11-16,1,3,1,2.5,10,0',
    ),
  );
  const { summary, rejects } = await rig.import([path], { universe });
  assert.deepEqual([summary.totals.added, summary.totals.same, summary.totals.rejected], [1, 1, 1]);
  assert.deepEqual(fieldsIn(rejects, 'line', 'reason'), ['4 repeated']);
  assert.equal((await rig.closes('GGAL')).get('2026-11-16'), 2);
});

test('a second row of a day with the same close and other values is rejected by name, and a second import changes nothing', async () => {
  await using rig = await ImportRig.open();
  const path = await rig.file(
    'ALUA.csv',
    [
      'fecha,cierre,volumen',
      '2026-11-16,10,',
      '2026-11-17,11,100',
      '2026-11-16,10,500',
      '2026-11-17,11,900',
      '2026-11-17,11,100',
    ].join('\n'),
  );
  const rejected = [
    [4, 'repeated-values'],
    [5, 'repeated-values'],
  ];
  const first = await rig.import([path], { universe });
  assert.deepEqual(
    first.rejects.map(({ line, reason }) => [line, reason]),
    rejected,
  );
  const { added, same } = first.summary.totals;
  assert.deepEqual([added, same], [2, 1]);
  const revision = await rig.revision();
  const second = await rig.import([path], { universe });
  assert.deepEqual(
    second.rejects.map(({ line, reason }) => [line, reason]),
    rejected,
  );
  assert.equal(await rig.revision(), revision);
});

test('the same rules apply to repeated dates in different batches', async () => {
  await using rig = await ImportRig.open();
  const filler = Array.from({ length: closesHeldMax }, () => 'AL30,2026-11-16,1,3,1,2,10,0');
  const path = await rig.file(
    'x.csv',
    rava('GGAL,2026-11-16,1,3,1,2,10,0', ...filler, 'GGAL,2026-11-16,1,3,1,2.5,10,0'),
  );
  const { rejects } = await rig.import([path], { universe });
  assert.deepEqual(
    rejects.map(({ line, reason }) => [line, reason]),
    [[closesHeldMax + 3, 'repeated']],
  );
  const again = await rig.import([path], { universe });
  assert.equal(again.summary.totals.added + again.summary.totals.changed, 0);
});

const day = toEpochDay(parsePlainDate('2026-11-16') ?? assert.fail());

/** The close that {@link openFullDay} stores. */
const full = {
  day,
  close: 2,
  volume: 10,
  open: 1,
  high: 3,
  low: 0.5,
  source: 'import:full.csv',
};

/** The source of the closes of {@link importGgal}. */
const source = 'import:GGAL.BA.csv';

/** A store with all fields of one day. */
async function openFullDay(): Promise<ImportRig> {
  const rig = await ImportRig.open();
  const path = await rig.file('full.csv', rava('GGAL,2026-11-16,1,3,0.5,2,10,0'));
  await rig.import([path], { universe });
  return rig;
}

async function latest({ store }: ImportRig): Promise<unknown> {
  return (await store.history.latestCloses(['GGAL' as Ticker])).get('GGAL' as Ticker);
}

async function importGgal(rig: ImportRig, text: string): Promise<ImportCounts> {
  const path = await rig.file('GGAL.BA.csv', text);
  return (await rig.import([path], { universe })).summary.totals;
}

test('a file with fewer fields of an equal close erases no field', async () => {
  await using rig = await openFullDay();
  const { same } = await importGgal(rig, 'date,close\n2026-11-16,2');
  assert.equal(same, 1);
  assert.deepEqual(await latest(rig), full);
});

test('another close replaces the stored one and keeps its volume, and its open, high and low if the close is within them', async () => {
  await using rig = await openFullDay();
  const { changed } = await importGgal(rig, 'date,close\n2026-11-16,2.5');
  assert.equal(changed, 1);
  assert.deepEqual(await latest(rig), { ...full, close: 2.5, source });
});

test('another close outside the stored low and high removes the fields that contradict it', async () => {
  await using rig = await openFullDay();
  await importGgal(rig, 'date,close\n2026-11-16,7');
  assert.deepEqual(await latest(rig), { day, close: 7, volume: 10, source });
});

test('a volume of 0 does not replace a known volume, and is stored when none is known', async () => {
  await using rig = await openFullDay();
  await importGgal(rig, 'date,close,volume\n2026-11-16,2,0\n2026-11-13,2,0');
  assert.deepEqual(await latest(rig), full);
  const { volumes } = await rig.store.history.readSeries('GGAL' as Ticker, {
    from: (day - 3) as typeof day,
    to: day,
  });
  assert.deepEqual([...volumes], [0, 10]);
});

test('a price that differs only by single precision is not a change, in any order of the files', async () => {
  const exact = 'Date,Open,High,Low,Close,Volume\n2026-11-16,90.1,95.3,89.7,93.89,1200';
  const noisy = 'Date,Close\n2026-11-16,93.889999';
  const floats =
    'Date,Open,High,Low,Close\n2026-11-16,90.0999984741211,95.30000305175781,89.69999694824219,93.88999938964844';
  const clean = { day, close: 93.89, volume: 1200, open: 90.1, high: 95.3, low: 89.7, source };
  await using rig = await ImportRig.open();
  await importGgal(rig, exact);
  const revision = await rig.revision();
  for (const text of [noisy, floats]) {
    const { same, changed } = await importGgal(rig, text);
    assert.deepEqual([same, changed], [1, 0]);
  }
  assert.deepEqual(await latest(rig), clean);
  assert.equal(await rig.revision(), revision);

  await using reversed = await ImportRig.open();
  await importGgal(reversed, noisy);
  await importGgal(reversed, exact);
  assert.deepEqual(await latest(reversed), { ...clean, close: 93.889999 });
  assert.equal((await importGgal(reversed, exact)).same, 1);
});

test('a difference of one tick is a change, also when it is a tiny fraction of the price', async () => {
  await using rig = await ImportRig.open();
  await importGgal(rig, 'date,close,volume\n2026-11-16,1000000,5');
  assert.equal((await importGgal(rig, 'date,close\n2026-11-16,1000000.01')).changed, 1);
  assert.deepEqual(await latest(rig), { day, close: 1_000_000.01, volume: 5, source });
});

test('a price that is repeated in a file with another precision is equal, and is not rejected', async () => {
  await using rig = await ImportRig.open();
  const { added, same, rejected } = await importGgal(
    rig,
    'date,close\n2026-11-16,93.89\n2026-11-16,93.889999',
  );
  assert.deepEqual([added, same, rejected], [1, 1, 0]);
});

test('an import replaces the closes of other sources, and counts and lists those with another price', async () => {
  await using rig = await openFullDay();
  const path = await rig.file(
    'other.csv',
    rava(
      'GGAL,2026-11-16,1,3,0.5,2.5,10,0',
      'GGAL,2026-11-17,1,3,0.5,2,10,0',
      'AL30,2026-11-17,1,3,0.5,2,10,0',
    ),
  );
  const first = await rig.import([path], { universe });
  assert.deepEqual([first.summary.totals.changed, first.summary.totals.replaced], [1, 1]);
  assert.equal(first.summary.byTicker.get('GGAL' as Ticker)?.replaced, 1);
  assert.equal(first.summary.byTicker.get('AL30' as Ticker)?.replaced, 0);
  assert.deepEqual(first.summary.replaced, [
    {
      ticker: 'GGAL',
      day,
      stored: 2,
      storedSource: 'import:full.csv',
      offered: 2.5,
      offeredSource: 'import:other.csv',
    },
  ]);
  const again = await rig.import([path], { universe });
  assert.deepEqual([again.summary.totals.same, again.summary.totals.replaced], [3, 0]);
  const corrected = await rig.file('other.csv', rava('GGAL,2026-11-16,1,3,0.5,2.75,10,0'));
  const { totals } = (await rig.import([corrected], { universe })).summary;
  assert.deepEqual([totals.changed, totals.replaced], [1, 0], 'a file corrects itself');
});

test('an equal close of another file changes neither the stored close nor its source', async () => {
  await using rig = await openFullDay();
  const revision = await rig.revision();
  const { same } = await importGgal(rig, 'date,close,volume\n2026-11-16,2,10');
  assert.equal(same, 1);
  assert.deepEqual(await latest(rig), full);
  assert.equal(await rig.revision(), revision);
});

test('the source of an import is the file on disk, also for the entries of an archive', async () => {
  await using rig = await ImportRig.open();
  const csv = Buffer.from(rava('GGAL,2026-11-16,1,3,0.5,2,10,0'));
  const zip = makeZip({ 'deep/inner.csv': csv });
  await rig.import([await rig.file('folder/precios.zip', zip)], { universe });
  assert.deepEqual(await latest(rig), { ...full, source: 'import:precios.zip' });
  await using packed = await ImportRig.open();
  await packed.import([await packed.file('one.csv.gz', gzipSync(csv))], { universe });
  assert.deepEqual(await latest(packed), { ...full, source: 'import:one.csv.gz' });
  await using piped = await ImportRig.open();
  await piped.import(['-'], { universe, stdin: csv });
  assert.deepEqual(await latest(piped), { ...full, source: 'import:standard input' });
});

test('suspicious closes are stored and listed, in any order of the rows', async () => {
  const rows = [
    'AL30,2026-11-16,6400,6500,6300,6446,10,0',
    'AL30,2026-11-17,6.4,6.5,6.3,6.446,10,0',
    'AL30,2026-11-18,6400,6500,6300,6450,10,0',
    'AL30,2026-11-19,9800,9950,9700,9900,10,0',
    'AL30,2026-11-20,9800,9950,9700,9990,10,0',
  ];
  for (const ordered of [rows, rows.toReversed(), [rows[2], rows[4], rows[0], rows[3], rows[1]]]) {
    await using rig = await ImportRig.open();
    const path = await rig.file('x.csv', rava(...ordered.filter((row) => row !== undefined)));
    const { summary } = await rig.import([path], { universe });
    const found = summary.suspicious.map(({ suspicion, close }) => `${suspicion} ${close}`);
    assert.deepEqual(found.sort(), ['decimal-slip 6.446', 'jump 9900', 'out-of-range 9990']);
    assert.equal(summary.totals.added, 5);
    assert.equal(summary.totals.suspicious, 3);
    assert.equal([...summary.byTicker.values()][0]?.suspicious, 3);
  }
});

test('a jump is reported once, across batches and against stored closes', async () => {
  await using rig = await ImportRig.open();
  const filler = Array.from({ length: closesHeldMax }, () => 'AL30,2026-11-16,1,3,1,2,10,0');
  const first = await rig.file('1.csv', rava('GGAL,2026-11-13,2,2,2,2,10,0'));
  const second = await rig.file(
    '2.csv',
    rava('GGAL,2026-11-17,6,6,6,6,10,0', ...filler, 'GGAL,2026-11-16,4,4,4,4,10,0'),
  );
  const { summary } = await rig.import([first, second], { universe });
  assert.deepEqual(fieldsIn(summary.suspicious, 'ticker', 'previous', 'close'), [
    'GGAL 2 4',
    'GGAL 4 6',
  ]);
});

test('a dry run reports what an import would do and stores nothing', async () => {
  await using rig = await ImportRig.open();
  const path = await rig.file('x.csv', rava('GGAL,2026-11-16,1,3,1,2,10,0'));
  const { summary } = await rig.import([path], { universe, dryRun: true });
  assert.equal(summary.totals.added, 1);
  assert.equal((await rig.closes('GGAL')).size, 0);
  assert.equal(await rig.revision(), 0);
});

test('rejected rows have their instrument, also those of a matrix', async () => {
  await using rig = await ImportRig.open();
  const path = await rig.file(
    'm.csv',
    'Date,ALUA,AL30,NADA\n2026-11-16,x,60000,1\n2026-11-17,900,-1,1\n2026-11-18,901,60100,1',
  );
  const rows = await rig.file(
    'r.csv',
    rava('GGAL,2026-11-16,1,3,1,2,10,0', 'NADA,2026-11-16,1,3,1,2,10,0'),
  );
  const { rejects } = await rig.import([path, rows], { universe });
  assert.deepEqual(fieldsIn(rejects, 'line', 'instrument', 'reason'), [
    '2 ALUA no-number',
    '3 AL30 not-positive',
    '3 NADA unknown-ticker',
  ]);
});

test('the counts of rejected rows include only imported files', async () => {
  await using rig = await ImportRig.open();
  const strangers = await rig.file('a.csv', rava('NADA,2026-11-16,1,3,1,2,10,0'));
  const good = await rig.file('b.csv', rava('GGAL,2026-11-15,1,3,1,2,10,0'));
  const more = await rig.file(
    'c.csv',
    rava(
      'GGAL,2026-11-15,1,3,1,2,10,0',
      'GGAL,2026-11-14,1,3,1,2,10,0',
      'GGAL,2026-11-16,1,3,1,x,10,0',
    ),
  );
  const { summary } = await rig.import([strangers, good, more], { universe });
  assert.deepEqual(
    [...summary.byReason],
    [
      ['a weekend or a holiday of the market', 3],
      ['the close is not a number', 1],
    ],
  );
  assert.equal(summary.totals.rejected, 4);
});

test('a refused file does not affect the others', async () => {
  await using rig = await ImportRig.open();
  await rig.file('in/1 NADA.csv', 'Date,Close\n2026-11-16,1');
  await rig.file('in/2 ALUA/ALUA.csv', 'Date,Close\n2026-11-16,1');
  await rig.file('in/notes.md', 'not data');
  const { summary } = await rig.import([`${rig.directory}/files/in`, '/no/such/file'], {
    universe,
  });
  assert.deepEqual(
    summary.files.map((file) => (file.outcome === 'refused' ? file.code : file.outcome)),
    ['unknown-ticker', 'imported', 'unreadable'],
  );
});

test('a file with only unknown instruments is refused, and so is one without rows', async () => {
  await using rig = await ImportRig.open();
  const paths = [
    await rig.file('a.csv', rava('NADA,2026-11-16,1,3,1,2,10,0', 'NADIE,2026-11-16,1,3,1,2,10,0')),
    await rig.file('b.csv', header),
    await rig.file('c.csv', ''),
  ];
  const { summary } = await rig.import(paths, { universe });
  assert.deepEqual(
    summary.files.map((file) => file.outcome === 'refused' && file.code),
    ['unknown-ticker', 'not-prices', 'not-prices'],
  );
  assert.equal(
    refusalOf(summary.files).reason,
    'unknown ticker NADA, NADIE; add them to the universe, or import a file of one instrument',
  );
});

test('a dollar sign identifies the US share, and .BA the local instrument', async () => {
  await using rig = await ImportRig.open();
  const us = await rig.file(
    'KO.csv',
    'Date,Close,Volume,Open,High,Low\n11/16/2026,$70.5,1,$1,$1,$1',
  );
  const local = await rig.file('KO.BA.csv', 'Date,Close\n2026-11-16,9000');
  await rig.import([us, local], { universe });
  assert.deepEqual([...(await rig.closes('KO_US')).values()], [70.5]);
  assert.deepEqual([...(await rig.closes('KO')).values()], [9000]);
});

test('an empty cell of a matrix is neither a close nor rejected', async () => {
  await using rig = await ImportRig.open();
  const path = await rig.file('m.csv', 'Date,ALUA,MERVAL\n2026-11-16,1,\n2026-11-17,,2\n');
  const { summary } = await rig.import([path], { universe });
  assert.deepEqual([summary.totals.read, summary.totals.rejected], [2, 0]);
});

test('the format of spreadsheets in Argentina is read: semicolons, decimal commas, DD/MM, CRLF, windows-1252', async () => {
  await using rig = await ImportRig.open();
  const text =
    'Fecha;Último;Máximo;Mínimo;Volumen\r\n16/11/2026;"1.234,5";1.300;1.200,25;1.000\r\n17/11/2026;$ 1.250;;;';
  const path = await rig.file('ALUA.csv', Buffer.from(text, 'latin1'));
  const { summary } = await rig.import([path], { universe });
  assert.equal(summary.totals.added, 2, JSON.stringify(summary.files));
  assert.deepEqual([...(await rig.closes('ALUA')).values()], [1234.5, 1250]);
});

test('values are stored with every decimal of the source', async () => {
  await using rig = await ImportRig.open();
  const path = await rig.file('x.csv', rava('GGAL,2026-11-16,1,3,1,49.27333450317383,1,0'));
  await rig.import([path], { universe });
  assert.deepEqual([...(await rig.closes('GGAL')).values()], [49.273_334_503_173_83]);
});

test('standard input is read as a file without a name', async () => {
  await using rig = await ImportRig.open();
  const stdin = Buffer.from('Date,Close\n2026-11-16,1');
  const { summary } = await rig.import(['-'], { universe, stdin, options: { ticker: 'GGAL' } });
  assert.equal(summary.totals.added, 1);
});

test('progress reports the bytes and rows read of each file and its size, and then its result', async () => {
  await using rig = await ImportRig.open();
  const text = 'fecha,cierre\n2026-11-16,1.5\n2026-11-17,2.5\n';
  const told: (ImportProgress | string)[] = [];
  const names = [await rig.file('ALUA.csv', text), await rig.file('AL30.csv', `${text}\n`)];
  await importHistory(
    names,
    {},
    {
      store: rig.store,
      universe,
      actions: noActions,
      clock: clockAt(() => fridayEvening),
      stdin: Readable.from([]),
      onReject: () => {},
      onProgress: (progress) => told.push(progress),
      onFile: ({ file }) => told.push(file),
    },
  );
  const { length } = text;
  assert.deepEqual(told, [
    { file: names[0], bytesRead: length, bytesTotal: length, rowsRead: 3 },
    names[0],
    { file: names[1], bytesRead: length + 1, bytesTotal: length + 1, rowsRead: 4 },
    names[1],
  ]);
});

test('a close outside its own range is listed with the low and the high that the file has', async () => {
  await using rig = await ImportRig.open();
  for (const [text, range] of [
    ['fecha,cierre,maximo,minimo\n2026-11-16,5,4.5,1.5', { high: 4.5, low: 1.5 }],
    ['fecha,cierre,maximo\n2026-11-16,5,4.5', { high: 4.5 }],
    ['fecha,cierre,minimo\n2026-11-16,5,6.5', { low: 6.5 }],
  ] as const) {
    const file = await rig.file('ALUA.csv', text);
    const { summary } = await rig.import([file], { universe, dryRun: true });
    const found = { file, ticker: 'ALUA', day, suspicion: 'out-of-range', close: 5, ...range };
    assert.deepEqual(summary.suspicious, [found]);
  }
});

test('blank lines between rows are skipped and counted, and a row may begin with an empty cell', async () => {
  await using rig = await ImportRig.open();
  const path = await rig.file(
    'ALUA.csv',
    'nota,fecha,cierre\n,2026-11-16,1.5\n\n \n,2026-11-17,x\n,2026-11-18,1.6\n',
  );
  const { summary, rejects } = await rig.import([path], { universe });
  assert.deepEqual([summary.totals.read, summary.totals.added], [3, 2]);
  assert.deepEqual(fieldsIn(rejects, 'line', 'reason'), ['5 no-number']);
});

test('a row that ends before its date or its close is rejected', async () => {
  await using rig = await ImportRig.open();
  const path = await rig.file(
    'x.csv',
    'ticker,cierre,fecha\nALUA,1.5,2026-11-16\nALUA,1.5\nALUA,1.6,2026-11-17',
  );
  const short = await rig.file(
    'y.csv',
    'ticker,fecha,cierre\nALUA,2026-11-16,1.5\nALUA,2026-11-17',
  );
  const { rejects } = await rig.import([path, short], { universe });
  assert.deepEqual(fieldsIn(rejects, 'line', 'reason'), ['3 no-date', '3 no-number']);
});

test('a file that cannot be read to its end is refused, and nothing of it is stored', async () => {
  await using rig = await ImportRig.open();
  const packed = gzipSync('Date,Close\n2026-11-16,1\n2026-11-17,1\n');
  const path = await rig.file('ALUA.csv.gz', packed.subarray(0, packed.length - 8));
  const { summary } = await rig.import([path], { universe });
  assert.deepEqual(refusalOf(summary.files).code, 'unreadable');
  assert.equal((await rig.closes('ALUA')).size, 0);
});

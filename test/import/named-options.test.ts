import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImportOptions } from '../../src/import/refusals/import-refusal.ts';
import { makeUniverse } from '../support/market/make-universe.ts';
import { ImportRig } from './support/import-into.ts';

const universe = makeUniverse([
  { ticker: 'GGAL' },
  { ticker: 'MMM' },
  { ticker: 'ABT' },
  { ticker: 'AAPL_US', market: 'NYSE' },
]);

/** The reason for which a file is refused. */
async function refused(name: string, text: string, options: ImportOptions = {}): Promise<string> {
  const result = await imported(name, text, options);
  return result.refused ?? assert.fail('it was not refused');
}

/** Imports one file. Gives the closes of each instrument, or the refusal. */
async function imported(name: string, text: string, options: ImportOptions = {}) {
  await using rig = await ImportRig.open();
  const path = await rig.file(name, text);
  const { summary, rejects } = await rig.import([path], { universe, options });
  const [file] = summary.files;
  if (file?.outcome !== 'imported') return { refused: file?.reason ?? '' };
  const closes: Record<string, Readonly<Record<string, number>>> = {};
  for (const ticker of summary.byTicker.keys()) {
    closes[ticker] = Object.fromEntries(await rig.closes(ticker));
  }
  return { closes, rejects: rejects.map(({ reason, instrument }) => `${instrument} ${reason}`) };
}

const companies = `DATE,START,CLOSING,COMPANY_CODE
2024-01-02,8000,8010,MMM
2024-01-02,3000,3010,ABT
2024-01-02,1,2,NADA
2024-01-03,3010,3020,ABT
2024-01-03,8010,8020,MMM
`;

test('--ticker-column reads each row of a table as that of its own instrument', async () => {
  const options = { column: 'closing', tickerColumn: 'company_code' };
  assert.deepEqual(await imported('prices.csv', companies, options), {
    closes: {
      MMM: { '2024-01-02': 8010, '2024-01-03': 8020 },
      ABT: { '2024-01-02': 3010, '2024-01-03': 3020 },
    },
    rejects: ['NADA unknown-ticker'],
  });
});

test('with --ticker-column alone, the refusal lists the other columns that may be the close', async () => {
  const options = { tickerColumn: 'COMPANY_CODE' };
  assert.equal(
    await refused('prices.csv', companies, options),
    'the close may be "START" or "CLOSING"; choose the close with --column START or --column CLOSING',
  );
});

test('a column that does not exist is refused with the columns that do', async () => {
  for (const options of [{ tickerColumn: 'NADA' }, { dates: 'NADA' }]) {
    const reason = await refused('prices.csv', 'date,close,code\n2024-01-02,1,MMM\n', options);
    assert.match(reason, /date,\s?close,\s?code/, JSON.stringify(options));
  }
});

test('--dates and --column read a table whose headings nobody knows', async () => {
  const text = 'Kurs;Tag;Stück\n10,5;02.01.2024;7\n10,6;15.01.2024;8\n';
  const options = { dates: 'tag', column: 'Kurs', ticker: 'GGAL' };
  assert.deepEqual(await imported('x.csv', text.trimEnd(), options), {
    closes: { GGAL: { '2024-01-02': 10.5, '2024-01-15': 10.6 } },
    rejects: [],
  });
});

test('the position of the dates in lists of JSON is advised, and names them', async () => {
  const text = '[[1704153600,10.5],[1704240000,10.6],[1704326400,10.4]]';
  assert.match(await refused('GGAL.json', text), /name it with --dates 0 --ticker TICKER$/);
  assert.deepEqual(await imported('GGAL.json', text, { dates: '0', ticker: 'GGAL' }), {
    closes: { GGAL: { '2024-01-02': 10.5, '2024-01-03': 10.6, '2024-01-04': 10.4 } },
    rejects: [],
  });
});

const midnights = `date,close
2024-01-01T23:00:00Z,100
2024-01-02T23:00:00Z,101
2024-07-01T22:00:00Z,102
`;

test('--zone gives each instant the day that it has in that time zone', async () => {
  for (const zone of ['Europe/Madrid', 'europe/madrid']) {
    assert.deepEqual(await imported('GGAL.csv', midnights, { zone }), {
      closes: { GGAL: { '2024-01-02': 100, '2024-01-03': 101, '2024-07-02': 102 } },
      rejects: [],
    });
  }
});

test('a zone that does not exist, or dates that are no instants, are refused', async () => {
  const wrong = await refused('GGAL.csv', midnights, { zone: 'Europe/Nowhere' });
  assert.match(wrong, /"Europe\/Nowhere" is no time zone/);
  const plain = await refused('GGAL.csv', 'date,close\n2024-01-02,1\n', { zone: 'UTC' });
  assert.match(plain, /have no offset from UTC; import it without --zone/);
});

test('instants whose time of day moves with the daylight saving of the market have its days', async () => {
  const text = `date,close
2024-01-02T14:30:00.000Z,185.64
2024-01-03T14:30:00.000Z,184.25
2024-07-01T13:30:00.000Z,216.75
`;
  assert.deepEqual(await imported('AAPL.csv', text, { ticker: 'AAPL_US' }), {
    closes: { AAPL_US: { '2024-01-02': 185.64, '2024-01-03': 184.25, '2024-07-01': 216.75 } },
    rejects: [],
  });
});

test('half days end earlier than other days', async () => {
  const text = `Date,Close
11/21/2023 16:00:00,190.64
11/22/2023 4:00:00 PM,191.31
11/24/2023 13:00:00,189.97
11/27/2023 16:00:00,189.79
`;
  assert.deepEqual(await imported('AAPL.csv', text, { ticker: 'AAPL_US' }), {
    closes: {
      AAPL_US: {
        '2023-11-21': 190.64,
        '2023-11-22': 191.31,
        '2023-11-24': 189.97,
        '2023-11-27': 189.79,
      },
    },
    rejects: [],
  });
});

test('prices of any time of day are no daily prices, though each day has one', async () => {
  const text = 'date,close\n2024-01-02 11:05,1\n2024-01-03 15:40,2\n2024-01-04 12:20,3\n';
  assert.match(await refused('GGAL.csv', text), /several times of day/);
});

test('epoch seconds and milliseconds are days of the market, or of UTC at midnight', async () => {
  const closes = { '2024-01-30': 188.04, '2024-01-31': 184.4 };
  // 14:30 in UTC is the open in New York; 00:00 in UTC is the evening before.
  for (const [first, second] of [
    [1706625000, 1706711400],
    [1706572800, 1706659200],
    [1706572800000, 1706659200000],
    ['1706572800.0', '1706659200.0'],
  ]) {
    const text = `time,close\n${first},188.04\n${second},184.4\n`;
    assert.deepEqual(
      await imported('x.csv', text, { ticker: 'AAPL_US' }),
      { closes: { AAPL_US: closes }, rejects: [] },
      text,
    );
  }
  const evening = 'time,close\n1706666400,1\n1706752800,2\n';
  assert.match(await refused('GGAL.csv', evening), /set --zone/);
  assert.deepEqual(await imported('GGAL.csv', evening, { zone: 'Asia/Tokyo' }), {
    closes: { GGAL: { '2024-01-31': 1, '2024-02-01': 2 } },
    rejects: [],
  });
});

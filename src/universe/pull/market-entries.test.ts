import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Market } from '../../domain/calendar/market.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { readMarkets } from '../read-markets.ts';
import { addMarkets } from './market-entries.ts';

const day = (text: string) => text as PlainDate;

const nyse: Market = {
  code: 'NYSE Arca',
  name: 'New York: Arca',
  timeZone: 'America/New_York',
  weekdays: new Set([5, 1]),
  hours: [
    { openMinute: 570, closeMinute: 960 },
    { since: day('2026-10-01'), openMinute: 0, closeMinute: 1440 },
  ],
  holidays: new Map([
    [day('2026-12-25'), 'Navidad'],
    [day('2026-01-01'), 'Año: nuevo'],
  ]),
  unsettled: new Set([day('2026-10-12')]),
  earlyCloses: new Map([[day('2026-11-27'), 780]]),
};
const twin: Market = { ...nyse, code: 'Z' };
const plain: Market = {
  ...nyse,
  code: 'CRIPTO',
  weekdays: new Set([1, 2, 3, 4, 5, 6, 7]),
  hours: [{ openMinute: 0, closeMinute: 1440 }],
  holidays: new Map(),
  unsettled: new Set(),
  earlyCloses: new Map(),
};

const own = `calendars:
  nyse-arca: # mine
    holidays:
      2026-07-04: Mine
markets:
  X:
    name: X
    timeZone: America/New_York
    weekdays: [mon]
    calendar: nyse-arca
    hours:
      - { open: 10:00, close: 11:00 }
`;

test('markets are read as they were, and those with the same days share a calendar with a free name', () => {
  const text = addMarkets(own, [nyse, twin, plain]);
  assert.ok(text.startsWith(own.slice(0, own.indexOf('markets:'))), text);
  assert.match(
    text,
    /\n {2}nyse-arca-2:\n {4}holidays:\n {6}2026-01-01: "Año: nuevo"\n {6}2026-12-25: Navidad\n {4}earlyCloses:\n {6}2026-11-27: 13:00\n {2}nyse-arca-settlement:\n {4}holidays:\n {6}2026-10-12: Sin liquidación\nmarkets:\n {2}X:/,
  );
  assert.equal(text.match(/ calendar: nyse-arca-2\n/g)?.length, 2);
  assert.equal(text.match(/ settlementCalendar: nyse-arca-settlement\n/g)?.length, 2);
  const { markets, faults } = readMarkets({ file: 'markets.yaml', text });
  assert.deepEqual(faults, []);
  assert.deepEqual([...markets.keys()], ['X', 'NYSE Arca', 'Z', 'CRIPTO']);
  for (const market of [nyse, twin, plain]) assert.deepEqual(markets.get(market.code), market);
});

test('a file in braces gets the same markets', () => {
  const text = addMarkets('{ markets: {} }', [nyse, plain]);
  const { markets, faults } = readMarkets({ file: 'markets.yaml', text });
  assert.deepEqual(faults, []);
  assert.deepEqual([...markets.values()], [nyse, plain]);
});

test('holidays without early closes, and early closes without holidays, are calendars too', () => {
  const halves = [
    { ...nyse, earlyCloses: new Map() },
    { ...nyse, code: 'Y', holidays: new Map(), unsettled: new Set<PlainDate>() },
  ];
  const { markets, faults } = readMarkets({
    file: 'markets.yaml',
    text: addMarkets('markets:\n', halves),
  });
  assert.deepEqual(faults, []);
  assert.deepEqual([...markets.values()], halves);
});

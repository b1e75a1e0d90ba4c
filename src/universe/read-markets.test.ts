import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMarkets } from './read-markets.ts';

const read = (text: string) => readMarkets({ file: 'markets.yaml', text });

/** A market of eight lines, each of which a test may replace. Calendars begin on line 9. */
function withMarket(change: Record<number, string>, calendars = ''): string {
  const lines = [
    'markets:',
    '  BYMA:',
    '    name: Bolsas y Mercados Argentinos',
    '    timeZone: America/Argentina/Buenos_Aires',
    '    weekdays: [mon, tue]',
    '    calendar: argentina',
    '    hours:',
    '      - { open: 10:30, close: 17:00 }',
    'calendars:',
    calendars === '' ? '  argentina: { holidays: { 2026-01-01: Año Nuevo } }' : calendars,
  ];
  for (const [line, text] of Object.entries(change)) lines[Number(line) - 1] = text;
  return lines.join('\n');
}

function onlyFault(text: string) {
  const { faults } = read(text);
  assert.equal(faults.length, 1, JSON.stringify(faults));
  return faults.map(({ line, column, value, message }) => [line, column, value, message])[0];
}

const faultOf = (calendar: string) => onlyFault(withMarket({}, `  argentina: ${calendar}`))?.[3];

test('a market has the days of its calendar', () => {
  const { markets, codes, faults } = read(withMarket({}));
  assert.deepEqual(faults, []);
  assert.deepEqual([...(codes ?? [])], ['BYMA']);
  assert.deepEqual(markets.get('BYMA'), {
    code: 'BYMA',
    name: 'Bolsas y Mercados Argentinos',
    timeZone: 'America/Argentina/Buenos_Aires',
    weekdays: new Set([1, 2]),
    hours: [{ openMinute: 630, closeMinute: 1020 }],
    holidays: new Map([['2026-01-01', 'Año Nuevo']]),
    unsettled: new Set(),
    earlyCloses: new Map(),
  });
});

test('a calendar has the days of the calendar it extends, and may turn an early close into a holiday', () => {
  const { markets, faults } = read(
    withMarket(
      { 6: '    calendar: banks' },
      [
        '  argentina:',
        '    holidays: { 2026-01-01: Año Nuevo }',
        '    earlyCloses: { 2026-12-24: 15:00, 2027-12-24: 15:00 }',
        '  banks: { extends: argentina, holidays: { 2026-12-24: Nochebuena } }',
      ].join('\n'),
    ),
  );
  assert.deepEqual(faults, []);
  const market = markets.get('BYMA');
  assert.deepEqual([...(market?.holidays.keys() ?? [])], ['2026-01-01', '2026-12-24']);
  assert.deepEqual([...(market?.earlyCloses ?? [])], [['2027-12-24', 900]]);
});

test('a market settles on its sessions but for those that are days of its settlement calendar', () => {
  const { markets, faults } = read(
    withMarket(
      { 6: '    calendar: argentina\n    settlementCalendar: banks' },
      [
        '  argentina: { holidays: { 2026-12-08: Inmaculada }, earlyCloses: { 2026-12-28: 15:00 } }',
        // 2026-12-07 is a Monday and 2026-12-09 a Wednesday, on which the market is closed.
        '  banks: { extends: argentina, holidays: { 2026-12-07: Puente, 2026-12-09: Otro } }',
      ].join('\n'),
    ),
  );
  assert.deepEqual(faults, []);
  const market = markets.get('BYMA');
  assert.deepEqual([...(market?.holidays.keys() ?? [])], ['2026-12-08']);
  assert.deepEqual(market?.unsettled, new Set(['2026-12-07']));
  const unknown = onlyFault(withMarket({ 6: '    settlementCalendar: banks' }));
  assert.match(String(unknown?.[3]), /^unknown calendar; the calendars are argentina$/);
});

test('holidays may be listed by name, with the dates of many years', () => {
  const { markets, faults } = read(
    withMarket(
      {},
      [
        '  base: { earlyCloses: { 2024-12-24: 15:00, 2025-12-24: 15:00 } }',
        '  argentina:',
        '    extends: base',
        '    holidaysByName:',
        '      Navidad: >-',
        '        2023-12-25 2024-12-25',
        '        2025-12-25',
        '      Nochebuena: 2024-12-24',
        '    holidays: { 2025-12-25: Otro nombre }',
      ].join('\n'),
    ),
  );
  assert.deepEqual(faults, []);
  const market = markets.get('BYMA');
  assert.deepEqual(
    [...(market?.holidays ?? [])],
    [
      ['2023-12-25', 'Navidad'],
      ['2024-12-25', 'Navidad'],
      ['2025-12-25', 'Otro nombre'],
      ['2024-12-24', 'Nochebuena'],
    ],
  );
  assert.deepEqual([...(market?.earlyCloses ?? [])], [['2025-12-24', 900]]);
});

test('an early close on a day that is a holiday by its name is a fault', () => {
  const days = '{ holidaysByName: { Navidad: 2023-12-25 }, earlyCloses: { 2023-12-25: 15:00 } }';
  assert.match(String(faultOf(days)), /^the day is a holiday of this calendar/);
});

test('each date of a name that is not valid is a fault, and the other dates are read', () => {
  const text = withMarket(
    {},
    '  argentina: { holidaysByName: { Navidad: 2023-12-25 2023-2-29 2023-12-26, Vacío: [] } }',
  );
  const { markets, faults } = read(text);
  assert.deepEqual(
    faults.map(({ line, column, value, message }) => [line, column, value, message]),
    [
      [10, 43, '2023-2-29', 'not a valid date; use YYYY-MM-DD and a day that exists'],
      [10, 83, '[]', 'a list of dates must be a text'],
    ],
  );
  assert.deepEqual([...(markets.get('BYMA')?.holidays.keys() ?? [])], ['2023-12-25', '2023-12-26']);
});

test('dated hours and a close at midnight are read', () => {
  const { markets, faults } = read(
    withMarket({
      8: '      - { open: 00:00, close: 24:00 }\n      - { since: 2026-02-01, open: 09:00, close: 10:00 }',
    }),
  );
  assert.deepEqual(faults, []);
  assert.deepEqual(markets.get('BYMA')?.hours, [
    { openMinute: 0, closeMinute: 1440 },
    { since: '2026-02-01', openMinute: 540, closeMinute: 600 },
  ]);
});

test('a file without markets has one fault and no markets, and its codes are unknown', () => {
  const { markets, codes, faults } = read('calendars: { argentina: { holidays: {} } }');
  assert.equal(markets.size, 0);
  assert.equal(codes, undefined);
  assert.deepEqual(
    faults.map(({ message }) => message),
    ['the file requires markets'],
  );
});

test('a key that is no text is one fault, and its market does not exist', () => {
  const text = withMarket({ 2: '  [BYMA]:' });
  assert.deepEqual(onlyFault(text)?.slice(0, 2), [2, 3]);
  assert.match(String(onlyFault(text)?.[3]), /^a key must be a text/);
  assert.deepEqual([...(read(text).codes ?? [])], []);
});

test('a market with a fault in any field does not exist, but its code does', () => {
  for (const change of [
    { 3: '    nombre: x' },
    { 3: '    name: []' },
    { 4: '    timeZone: Mars/Olympus' },
    { 5: '    weekdays: [lun]' },
    { 5: '    weekdays: [[mon]]' },
    { 8: '      - { open: 25:00, close: 17:00 }' },
    { 7: '    hours: []', 8: '' },
    { 8: '      - { open: 10:30 }' },
    { 8: '      - { close: 17:00 }' },
    { 8: '      - { open: 10:30, close: 17:00 }\n      - { open: 10:30, close: 17:00 }' },
    { 8: '      - { since: ayer, open: 10:30, close: 17:00 }' },
  ]) {
    const { markets, codes } = read(withMarket(change));
    assert.deepEqual([...markets], [], JSON.stringify(change));
    assert.deepEqual([...(codes ?? [])], ['BYMA']);
  }
});

test('the weekdays of a market are those that are valid', () => {
  const { markets } = read(withMarket({ 5: '    weekdays: [sun, lun, mon]' }));
  assert.deepEqual(markets.get('BYMA')?.weekdays, new Set([7, 1]));
});

test('a market without a calendar has neither holidays nor early closes', () => {
  const { markets, faults } = read(withMarket({ 6: '' }));
  assert.deepEqual(faults, []);
  const market = markets.get('BYMA');
  assert.deepEqual([market?.holidays, market?.earlyCloses], [new Map(), new Map()]);
});

const faultsAt = (time: string) => {
  const calendars = `  argentina: { earlyCloses: { 2026-12-24: ${time} } }`;
  return read(withMarket({}, calendars)).faults.map(({ message }) => message);
};

test('an early close is within the hours of its day, after the open and not after the close', () => {
  assert.deepEqual(faultsAt('17:00'), []);
  assert.deepEqual(faultsAt('10:31'), []);
  const outside =
    'BYMA is not open at this time on 2026-12-24; an early close must be within the hours';
  assert.deepEqual(faultsAt('10:30'), [outside]);
  assert.deepEqual(faultsAt('17:01'), [outside]);
});

test('early closes are not compared with hours that have a fault', () => {
  const calendars = '  argentina: { earlyCloses: { 2026-12-24: 18:00 } }';
  const reversed = withMarket({ 8: '      - { open: 19:00, close: 10:30 }' }, calendars);
  assert.match(String(onlyFault(reversed)?.[3]), /^the close must be after the open/);
  const undated = `      - { open: 10:30, close: 17:00 }\n      - { open: 10:30, close: 19:00 }`;
  const second = withMarket({ 8: undated }, calendars);
  assert.match(String(onlyFault(second)?.[3]), /^all hours but the first need a "since"/);
});

test('a session is at least a minute long', () => {
  assert.deepEqual(read(withMarket({ 8: '      - { open: 10:30, close: 10:31 }' })).faults, []);
  assert.deepEqual(onlyFault(withMarket({ 8: '      - { open: 10:30, close: 10:30 }' })), [
    8,
    31,
    '10:30',
    'the close must be after the open, on the same day',
  ]);
});

test('each value of a calendar that is no text or no map is a fault that names it', () => {
  assert.equal(faultOf('{ extends: [] }'), 'the extended calendar must be a text');
  assert.equal(faultOf('{ holidays: x }'), '"holidays" must be a map of keys and values');
  assert.equal(faultOf('{ holidays: { 2026-01-01: [] } }'), 'the name of a holiday must be a text');
  assert.equal(faultOf('{ earlyCloses: x }'), '"earlyCloses" must be a map of keys and values');
  assert.equal(faultOf('{ earlyCloses: { 2026-12-24: [] } }'), 'a time must be a text');
  assert.equal(
    faultOf('{ holidaysByName: [2023-12-25] }'),
    '"holidaysByName" must be a map of keys and values',
  );
  assert.equal(onlyFault('markets: none')?.[3], '"markets" must be a map of keys and values');
  const fields = [
    [{ 4: '    timeZone: []' }, 'the time zone must be a text'],
    [{ 5: '    weekdays: [mon, []]' }, 'a weekday must be a text'],
    [{ 6: '    calendar: []' }, 'the calendar must be a text'],
    [{ 8: '      - { since: [], open: 10:30, close: 17:00 }' }, 'a date must be a text'],
    [
      { 8: '      - { open: 10:30, close: 24:01 }' },
      'not a valid time; use HH:MM, from 00:00 to 24:00',
    ],
    [{ 8: '      - x' }, 'an entry of hours must be a map of keys and values'],
    [{ 9: 'calendars: x', 10: '', 6: '' }, '"calendars" must be a map of keys and values'],
  ] as const;
  for (const [change, message] of fields) {
    assert.equal(onlyFault(withMarket(change))?.[3], message);
  }
});

test('of a calendar with faults, the days without one are read', () => {
  const { markets, faults } = read(
    withMarket(
      {},
      [
        '  argentina:',
        "    holidays: { 2026-02-30: Nunca, 2026-04-02: '', 2026-05-01: Trabajador }",
        '    earlyCloses: { 2026-05-01: 15:00, ayer: 15:00, 2026-12-23: 25:00, 2026-12-24: 15:00 }',
      ].join('\n'),
    ),
  );
  assert.equal(faults.length, 5);
  const market = markets.get('BYMA');
  assert.deepEqual(market?.holidays, new Map([['2026-05-01', 'Trabajador']]));
  assert.deepEqual(market?.earlyCloses, new Map([['2026-12-24', 900]]));
});

test('hours must be later than all before them', () => {
  for (const [dates, line] of [
    [['2026-02-01', '2026-02-01'], 10],
    [['2026-02-01', '2026-04-01', '2026-03-01'], 11],
  ] as const) {
    const since = dates.map((date) => `      - { since: ${date}, open: 10:30, close: 17:00 }`);
    const lines = ['      - { open: 10:30, close: 17:00 }', ...since].join('\n');
    assert.deepEqual(onlyFault(withMarket({ 8: lines }))?.slice(0, 2), [line, 9]);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Market } from '../../domain/calendar/market.ts';
import type { MarketSchedule } from '../../domain/calendar/market-schedule.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { marketTable } from './mercados.ts';

const schedule: MarketSchedule = {
  code: 'NYSE',
  name: 'New York Stock Exchange',
  state: 'closed',
  sessionDate: '2026-10-30' as PlainDate,
  timeZone: 'America/New_York',
  openMinute: 659,
  closeMinute: 965,
  changesAt: Date.parse('2026-11-02T14:30:00.750Z'),
  holidays: [
    { date: '2026-01-01' as PlainDate, name: 'Año Nuevo' },
    { date: '2026-12-25' as PlainDate, name: 'Navidad' },
  ],
  unsettled: ['2026-10-12', '2026-11-11'] as PlainDate[],
  validUntil: 0,
};

const market: Market = {
  code: 'NYSE',
  name: 'New York Stock Exchange',
  timeZone: 'America/New_York',
  weekdays: new Set([5, 1]),
  hours: [
    { openMinute: 600, closeMinute: 960 },
    { since: '2026-10-01' as PlainDate, openMinute: 659, closeMinute: 1440 },
  ],
  holidays: new Map(),
  unsettled: new Set(),
  earlyCloses: new Map([
    ['2026-12-24' as PlainDate, 780],
    ['2026-11-27' as PlainDate, 785],
  ]),
};

const listed = (one: MarketSchedule) => ({ schedule: one, market });

test('contract 4.6.1: a row has local hours, the next change with its offset, and the holidays', () => {
  assert.equal(
    marketTable.plain.render([listed(schedule)], 'json'),
    '[{"mercado":"NYSE","nombre":"New York Stock Exchange","zona":"America/New_York",' +
      '"estado":"cerrado","rueda":"2026-10-30","abre":"10:59","cierra":"16:05",' +
      '"cambia":"2026-11-02T09:30:00-05:00",' +
      '"feriados":[{"fecha":"2026-01-01","nombre":"Año Nuevo"},{"fecha":"2026-12-25","nombre":"Navidad"}]}]',
  );
});

test('contract 4.6.3: in CSV, the holidays are one cell', () => {
  assert.equal(
    marketTable.plain.render([listed(schedule)], 'csv'),
    'mercado,nombre,zona,estado,rueda,abre,cierra,cambia,feriados\r\n' +
      'NYSE,New York Stock Exchange,America/New_York,cerrado,2026-10-30,10:59,16:05,' +
      '2026-11-02T09:30:00-05:00,2026-01-01 Año Nuevo; 2026-12-25 Navidad\r\n',
  );
  const none = { ...schedule, holidays: [] };
  assert.match(
    marketTable.plain.render([listed(none)], 'csv-comma'),
    /;2026-11-02T09:30:00-05:00;\r\n$/,
  );
});

test('contract 4.6.1: a market that is open all day opens at 00:00 and closes at 24:00', () => {
  const open = { ...schedule, state: 'open', openMinute: 0, closeMinute: 1440 } as const;
  assert.match(
    marketTable.plain.render([listed(open)], 'json'),
    /"estado":"abierto",.*"abre":"00:00","cierra":"24:00"/,
  );
});

test('contract 4.6.5: dias, horarios and cierresAnticipados describe all sessions of a market, sinLiquidacion those without settlement', () => {
  const extended = marketTable.with(['dias', 'horarios', 'cierresAnticipados']);
  const end =
    '"dias":"1 5","horarios":"10:00-16:00;2026-10-01=10:59-24:00","cierresAnticipados":"2026-11-27=13:05;2026-12-24=13:00"}]';
  const json = extended.render([listed(schedule)], 'json');
  assert.equal(json.slice(-end.length - 1), `,${end}`);
  assert.match(
    extended.render([listed(schedule)], 'csv'),
    /,feriados,dias,horarios,cierresAnticipados\r\n.*,1 5,10:00-16:00;2026-10-01=10:59-24:00,2026-11-27=13:05;2026-12-24=13:00\r\n$/,
  );
  const settlement = marketTable.with(['liquidacion']);
  assert.match(
    settlement.render([listed(schedule)], 'json'),
    /\],"sinLiquidacion":\["2026-10-12","2026-11-11"\]\}\]$/,
  );
  assert.match(
    settlement.render([listed(schedule)], 'csv'),
    /,feriados,sinLiquidacion\r\n.*,2026-10-12; 2026-11-11\r\n$/,
  );
  const plain = { ...market, earlyCloses: new Map() };
  assert.match(
    extended.render([{ schedule, market: plain }], 'json'),
    /"cierresAnticipados":""\}\]$/,
  );
});

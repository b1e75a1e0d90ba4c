import { fromEpochDay, isoWeekday, type EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { currencyRuleOf, isOtherCurrency } from '../closes/read-close.ts';
import { unclearName, type UnclearName } from '../names/naming.ts';
import { ImportRefusal, operatorKnows } from '../refusals/import-refusal.ts';
import { closesIn, type Check } from './checked-table.ts';

/**
 * Refuses a table whose first rows all state another currency than that of their instruments. Where only
 * some rows do, these are rejected.
 */
export const otherCurrency: Check = (table) => {
  const { reading, series, universe } = table;
  const ruleOf = currencyRuleOf(reading, reading.path);
  let example: { readonly stated: string; readonly instrument: Instrument } | undefined;
  for (const { row, columns, target } of closesIn(table, ...series)) {
    if (target === undefined) continue;
    const { instrument } = target;
    const stated = ruleOf(row, columns, instrument);
    if (stated === undefined || !isOtherCurrency(stated, instrument)) return;
    example ??= { stated, instrument };
  }
  if (example === undefined) return;
  const { stated, instrument } = example;
  const { ticker, currency } = instrument;
  const isAny = universe.instruments.some((one) => one.currency === stated);
  throw new ImportRefusal(
    'option-mismatch',
    `the prices are in ${stated}, and ${ticker} is quoted in ${currency}`,
    {
      kind: 'name-instrument-in-currency',
      suggestions: isAny ? [{ ticker: operatorKnows }] : [],
    },
  );
};

/** Monday is 1. */
const friday = 5;

/**
 * Refuses tickers that the days of the first rows contradict: more of them have a session only on the market of
 * the US share of the same name than only on that of the instrument. A day at a weekend shows nothing.
 */
export const otherSessions: Check = (table) => {
  const meanings = new Map<Ticker, UnclearName | undefined>();
  const [local, us] = [new Set<EpochDay>(), new Set<EpochDay>()];
  let example: { readonly day: EpochDay; readonly meaning: UnclearName } | undefined;
  for (const { day, target } of closesIn(table, ...table.series)) {
    if (target === undefined || isoWeekday(day) > friday) continue;
    const { instrument, days } = target;
    const meaning = meanings.getOrInsertComputed(instrument.ticker, () =>
      table.otherMeaning(instrument),
    );
    if (meaning?.us === undefined) continue;
    const ofUs = table.targets.of(meaning.us).days;
    const isLocal = days.isSession(day);
    if (isLocal === ofUs.isSession(day)) continue;
    (isLocal ? local : us).add(day);
    if (!isLocal) example ??= { day, meaning };
  }
  if (example === undefined || us.size <= local.size) return;
  const { day, meaning } = example;
  const market = meaning.local?.market ?? '';
  throw unclearName(
    meaning,
    false,
    `, because ${market} had no session on ${fromEpochDay(day)}, of which the file has a close`,
  );
};

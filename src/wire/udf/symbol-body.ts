import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import { rulesOf, type Instrument } from '../../domain/instruments/instrument.ts';
import { udfSessions } from './session-text.ts';
import { udfTypes } from './udf-names.ts';

/** The body for a symbol that does not exist. Its text is the one that the library knows. */
export const unknownSymbolJson = '{"s":"error","errmsg":"unknown_symbol"}';

/** A currency. Other units, such as `%`, are none. */
const letters = /^[A-Za-z]+$/;

const secondsPerMinute = 60;

/**
 * The body of `/udf/symbols` for an instrument (contract 4.15.4).
 *
 * @param delayMinutes of its source; undefined if it is not known.
 * @param today in the time zone of its market.
 */
export function symbolJson(
  instrument: Instrument,
  {
    calendar,
    today,
    delayMinutes = 0,
  }: {
    readonly calendar: SessionCalendar;
    readonly today: PlainDate;
    readonly delayMinutes?: number | undefined;
  },
): string {
  const { ticker, name, kind, market, currency, decimals } = instrument;
  const volume = { visible_plots_set: 'ohlcv', volume_precision: kind === 'crypto' ? 8 : 0 };
  return JSON.stringify({
    name: ticker,
    ticker,
    description: name,
    type: udfTypes[kind],
    exchange: market,
    listed_exchange: market,
    timezone: calendar.market.timeZone,
    ...udfSessions(calendar, today),
    format: 'price',
    minmov: 1,
    pricescale: 10 ** decimals,
    has_intraday: true,
    // Without them, the library assumes that it may ask for 30 minutes too.
    intraday_multipliers: ['1', '5', '15', '60'],
    has_daily: true,
    daily_multipliers: ['1'],
    has_weekly_and_monthly: false,
    ...(rulesOf(instrument).hasVolume ? volume : { visible_plots_set: 'ohlc' }),
    ...(letters.test(currency)
      ? { currency_code: currency, original_currency_code: currency }
      : {}),
    data_status: delayMinutes > 0 ? 'delayed_streaming' : 'streaming',
    delay: delayMinutes * secondsPerMinute,
  });
}

/** The body of `/udf/search` (contract 4.15.6). */
export function foundSymbolsJson(found: readonly Instrument[]): string {
  return JSON.stringify(
    found.map(({ ticker, name, market, kind }) => ({
      symbol: ticker,
      full_name: `${market}:${ticker}`,
      description: name,
      exchange: market,
      ticker,
      type: udfTypes[kind],
    })),
  );
}

import { hoursOn, type Market } from '../../../domain/calendar/market.ts';
import type { PlainDate } from '../../../domain/calendar/plain-date.ts';
import type { SessionCalendar } from '../../../domain/calendar/session-calendar.ts';
import { foldForSearch } from '../../../domain/instruments/instrument-search.ts';
import {
  rulesOf,
  type Instrument,
  type InstrumentKind,
} from '../../../domain/instruments/instrument.ts';
import { searchTextMax } from '../especies-json.ts';
import { operation } from '../../operation.ts';
import { mapped } from '../../part.ts';
import { integer, otherwise } from '../../parts.ts';
import { clause, symbol, text } from './parts.ts';

/** What the charting library may ask for (contract 4.15.3). */
export const config = operation({ path: '/udf/config', clause, params: {} });

/** The time of the service in whole seconds, to which a chart compares that of its browser (contract 4.15.3). */
export const time = operation({ path: '/udf/time', clause, params: {} });

/** An instrument as a symbol of the charting library (contract 4.15.4). */
export const symbols = operation({ path: '/udf/symbols', clause, params: { symbol } });

const searched = text('query', 'Texto que se busca en la especie y en el nombre.');

/** The instruments that a text finds (contract 4.15.6), in the order of the search of `/especies.json`. */
export const search = operation({
  path: '/udf/search',
  clause,
  params: {
    /** Folded. Empty for every instrument, undefined for a text that is too long to match any. */
    text: mapped(searched, (sent = '') =>
      sent.length > searchTextMax ? undefined : foldForSearch(sent),
    ),
    limit: otherwise(
      integer(
        'limit',
        { min: 1, max: 50 },
        { es: 'Cantidad máxima de instrumentos. La cantidad predeterminada es 30.' },
      ),
      30,
    ),
    /** The type in the library and the market to search in; empty for all. */
    type: otherwise(
      text('type', 'Tipo de instrumento, de los de `symbols_types`. Vacío: todos.'),
      '',
    ),
    exchange: otherwise(
      text('exchange', 'Código de mercado, de los de `exchanges`. Vacío: todos.'),
      '',
    ),
  },
});

/** The types of instruments in the charting library, in the order in which it lists them. */
export const typeNames = {
  stock: 'Acciones',
  dr: 'CEDEAR y ADR',
  fund: 'ETF',
  bond: 'Bonos y letras',
  index: 'Índices',
  forex: 'Tipos de cambio',
  economic: 'Tasas y brechas',
  crypto: 'Criptomonedas',
} as const;

type UdfType = keyof typeof typeNames;

/** The type of each kind (contract 4.15.4). */
export const udfTypes: Readonly<Record<InstrumentKind, UdfType>> = {
  share: 'stock',
  cedear: 'dr',
  adr: 'dr',
  etf: 'fund',
  bond: 'bond',
  'corporate-bond': 'bond',
  bill: 'bond',
  crypto: 'crypto',
  index: 'index',
  'exchange-rate': 'forex',
  'interest-rate': 'economic',
  spread: 'economic',
  'country-risk': 'economic',
};

/** The lengths of bars that a chart may show. The library builds 30 and 240 from the others. */
const resolutions = ['1', '5', '15', '30', '60', '240', '1D', '1W', '1M'];

/**
 * The body of `/udf/config` (contract 4.15).
 *
 * @param markets those with instruments, in the order of the universe.
 */
export function configJson(markets: readonly Market[]): string {
  return JSON.stringify({
    supports_search: true,
    supports_group_request: false,
    supports_marks: false,
    supports_timescale_marks: true,
    supports_time: true,
    supported_resolutions: resolutions,
    exchanges: [
      { value: '', name: 'Todos los mercados', desc: '' },
      ...markets.map(({ code, name }) => ({ value: code, name: code, desc: name })),
    ],
    symbols_types: [
      { value: '', name: 'Todas' },
      ...Object.entries(typeNames).map(([value, name]) => ({ value, name })),
    ],
  });
}

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
    has_weekly_and_monthly: true,
    // It builds longer ones, of several weeks or months, from these.
    weekly_multipliers: ['1'],
    monthly_multipliers: ['1'],
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

const minutesPerDay = 1440;
const daysPerWeek = 7;

/** The hours and days of a market, as the charting library reads them. */
export interface UdfSessions {
  /** The hours of a usual session, with its days, Sunday 1 … Saturday 7. */
  readonly session: string;
  /** The days without a session, separated by commas. Absent for none. */
  readonly session_holidays?: string;
  /** The hours of the sessions that close early. Absent for none. */
  readonly corrections?: string;
}

/**
 * The sessions of a market (contract 4.15.5). The days are always written: without them, versions of the
 * library differ in which days they mean.
 *
 * @param today its hours are those of a usual session.
 */
export function udfSessions(calendar: SessionCalendar, today: PlainDate): UdfSessions {
  const { market } = calendar;
  const holidays = [...market.holidays.keys()].toSorted().map(compact).join(',');
  const corrections = [...market.earlyCloses.keys()]
    .filter((date) => calendar.isSession(date))
    .toSorted()
    .map((date) => {
      const { openMinute, closeMinute } = calendar.hoursOf(date);
      return `${hoursText(openMinute, closeMinute)}:${compact(date)}`;
    })
    .join(';');
  return {
    session: sessionText(market, today),
    ...(holidays === '' ? {} : { session_holidays: holidays }),
    ...(corrections === '' ? {} : { corrections }),
  };
}

function sessionText({ hours, weekdays }: Market, today: PlainDate): string {
  const current = hoursOn(hours, today) ?? hours[0];
  if (current === undefined) throw new Error('a market has no hours');
  const { openMinute, closeMinute } = current;
  const isAllDay = openMinute === 0 && closeMinute === minutesPerDay;
  if (isAllDay && weekdays.size === daysPerWeek) return '24x7';
  const days = Array.from(weekdays, (day) => (day % daysPerWeek) + 1).toSorted((a, b) => a - b);
  return `${hoursText(openMinute, closeMinute)}:${days.join('')}`;
}

function hoursText(openMinute: number, closeMinute: number): string {
  return `${timeText(openMinute)}-${timeText(closeMinute)}`;
}

/** A local time without a colon. The end of a day is the start of the next one. */
function timeText(minute: number): string {
  const ofDay = minute % minutesPerDay;
  return [Math.floor(ofDay / 60), ofDay % 60].map((part) => String(part).padStart(2, '0')).join('');
}

function compact(date: PlainDate): string {
  return date.replaceAll('-', '');
}

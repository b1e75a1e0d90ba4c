import { sortFields } from '../market/columns.ts';
import type { Adjustment, ConventionName } from '../market/api/quote.ts';
import { readConvention } from '../market/facts/conventions.ts';
import { firstPanel } from '../market/first-panel.ts';
import { panels } from '../market/panels.ts';
import type { Sorting } from '../market/sort-rows.ts';
import { adjustments } from '../market/api/series-rows.ts';
import {
  currencyCodes,
  dollarCodes,
  formatAverages,
  modeCodes,
  parseAverages,
  parseIndicators,
  type AverageChoice,
  type CurrencyCode,
  type DollarCode,
  type IndicatorCode,
  type ModeCode,
} from './chart-choices.ts';

/** How a board shows its quotes. */
export const viewCodes = [
  'tabla',
  'graficos',
  'mapa',
  'curva',
  'ranking',
  'calendario',
  'mural',
] as const;
export type ViewCode = (typeof viewCodes)[number];

/** How a board looks. A list of this browser remembers it. */
export interface BoardLook {
  readonly view: ViewCode;
  /** The range of the charts: of the grid, or of the one beside the table. Absent for the session. */
  readonly range?: Exclude<RangeCode, typeof sessionRange>;
  /** The dollar in which prices in pesos are shown. Absent for pesos. */
  readonly currency?: DollarCode;
}

/** Which rows of a board are seen, and in which order. */
interface BoardState extends BoardLook {
  /** What the tickers or names contain. Absent for all. */
  readonly filter?: string;
  /** Absent for the order of the panel or the list. */
  readonly sorting?: Sorting;
  /** The instrument beside the table. Absent for none. */
  readonly beside?: string;
  /** The convention of the figures of bonds. Absent for the one that was chosen last. */
  readonly convention?: ConventionName;
}

/** A place in the playground. Every place has an address that can be shared. */
export type Route =
  | (BoardState & {
      readonly page: 'board';
      readonly panel: string;
      /** The address names no panel. */
      readonly isHome?: true;
    })
  | (BoardState & {
      readonly page: 'list';
      readonly name: string;
      /** The tickers of a shared list. Absent for a list of this browser. */
      readonly tickers?: readonly string[];
      /** The address of a list of this browser names neither view nor range: the list has them. */
      readonly isAsStored?: true;
    })
  | {
      readonly page: 'alerts';
      /** The instrument of the form for a new alert. */
      readonly ticker?: string;
    }
  | { readonly page: 'dollars' }
  | {
      readonly page: 'instrument';
      readonly ticker: string;
      readonly range: RangeCode;
      /** The address names no range: it is the one that was chosen last. */
      readonly isLastRange?: true;
      readonly compared: readonly string[];
      /** The adjustment of daily prices. Intraday prices are never adjusted. */
      readonly adjustment: Adjustment;
      readonly isLog: boolean;
      /** The currency in which prices in pesos are shown. */
      readonly currency: CurrencyCode;
      /** How compared instruments are shown. */
      readonly mode: ModeCode;
      readonly averages: readonly AverageChoice[];
      readonly indicators: readonly IndicatorCode[];
      /** Whether a chart of one day has the volume-weighted price. */
      readonly isWeighted: boolean;
      /** The convention of the figures of a bond. Absent for the one that was chosen last. */
      readonly convention?: ConventionName;
    }
  | {
      readonly page: 'api';
      /** The operation, schema, field or header that is shown. Absent for the beginning. */
      readonly anchor?: string;
      /** The values of the form of the operation. */
      readonly values: Readonly<Record<string, string>>;
    }
  | {
      readonly page: 'unknown';
      /** The fragment, without `#/`. */
      readonly address: string;
    };

/** The route of a board: of a panel or of a list. */
export type BoardPlace = Extract<Route, { readonly page: 'board' | 'list' }>;

/** The route of one instrument. */
export type InstrumentPlace = Extract<Route, { readonly page: 'instrument' }>;

/** The time ranges of a chart of intraday bars, in days. */
export const intradayCodes = ['1d', '5d'] as const;
export type IntradayCode = (typeof intradayCodes)[number];

/** The range of the charts of a board that names none: the session. */
export const [sessionRange] = intradayCodes;

/** The time ranges of a chart of daily closes. */
const dailyCodes = ['1m', '3m', '6m', '1a', '3a', '5a', 'max'] as const;
export type DailyCode = (typeof dailyCodes)[number];

/** The time ranges of a chart. */
export const rangeCodes = [...intradayCodes, ...dailyCodes] as const;
export type RangeCode = (typeof rangeCodes)[number];

/** Maximum number of compared instruments of a chart. */
export const comparedMax = 3;

/** The range of the chart of an instrument until another one is chosen. */
export const defaultRange: RangeCode = '1a';
/** The quote compares prices on one basis too (contract 2.1.4). */
const defaultAdjustment: Adjustment = 'splits';

/** The view of a board whose address names none. */
const firstView = { view: 'tabla' } as const;

/** A parameter of an address. */
interface Parameter<T> {
  readonly name: string;
  /** The value of a text. Undefined if the text means none. */
  readonly read: (text: string) => T | undefined;
  /** The text of a value. Empty if the address does not name it. */
  readonly write: (value: T) => string;
}

/** The parameters of fields of a place. */
type Parameters<T> = { readonly [Field in keyof T]-?: Parameter<NonNullable<T[Field]>> };

function choice<T extends string>(name: string, codes: readonly T[]): Parameter<T> {
  return { name, read: (text) => codes.find((code) => code === text), write: (code) => code };
}

function flag(name: string, on: string): Parameter<boolean> {
  return { name, read: (text) => text === on, write: (is) => (is ? on : '') };
}

function word(name: string): Parameter<string> {
  return { name, read: (text) => (text === '' ? undefined : text), write: (text) => text };
}

function list<T>(name: string, read: (text: string) => readonly T[]): Parameter<readonly T[]> {
  return { name, read, write: (values) => values.join(',') };
}

const convention: Parameter<ConventionName> = {
  name: 'convencion',
  read: readConvention,
  write: (name) => name,
};

const lookParameters: Parameters<BoardLook> = {
  view: choice('vista', viewCodes),
  range: choice('rango', ['5d', ...dailyCodes]),
  currency: choice('moneda', dollarCodes),
};

const boardParameters: Parameters<BoardState> = {
  ...lookParameters,
  filter: word('filtro'),
  sorting: { name: 'orden', read: parseSorting, write: formatSorting },
  beside: word('ficha'),
  convention,
};

const alertParameters = { ticker: word('especie') };

const chartParameters: Parameters<
  Omit<InstrumentPlace, 'page' | 'ticker' | 'range' | 'isLastRange'>
> = {
  compared: list('comparar', splitTickers),
  adjustment: choice('ajuste', adjustments),
  isLog: flag('escala', 'log'),
  currency: choice('moneda', currencyCodes),
  mode: choice('modo', modeCodes),
  averages: { name: 'promedios', read: parseAverages, write: formatAverages },
  indicators: list('indicadores', parseIndicators),
  isWeighted: flag('vwap', 'si'),
  convention,
};

/** The route of a fragment. An empty one means the board. */
export function parseRoute(hash: string): Route {
  const address = hash.replace(/^#\/?/, '');
  const [path = '', query = ''] = address.split('?', 2);
  const [page, name] = path.split('/', 2).map(decode);
  const params = new URLSearchParams(query);
  const board = { ...firstView, ...readParameters(boardParameters, (one) => params.get(one)) };
  if (page === 'especie' && name) return parseInstrument(name, params);
  if (page === 'lista' && name) return parseList(name, params, board);
  if (page === 'alertas') {
    return { page: 'alerts', ...readParameters(alertParameters, (one) => params.get(one)) };
  }
  if (page === 'dolares') return { page: 'dollars' };
  if (page === 'api') {
    return { page: 'api', ...(name ? { anchor: name } : {}), values: Object.fromEntries(params) };
  }
  if (page === 'panel' && panels.some(({ value }) => value === name)) {
    return { page: 'board', panel: name ?? '', ...board };
  }
  if (path === '') return { page: 'board', panel: firstPanel, ...board, isHome: true };
  return { page: 'unknown', address };
}

/** The fragment of a route. */
export function formatRoute(route: Route): string {
  switch (route.page) {
    case 'board':
      return addressOf('panel', route.panel, writeParameters(boardParameters, route, firstView));
    case 'list': {
      const params = writeParameters(boardParameters, route, firstView);
      if (route.tickers !== undefined) params.set('especies', route.tickers.join(','));
      else if (route.isAsStored) for (const one of lookNames) params.delete(one);
      else params.set('vista', route.view);
      return addressOf('lista', route.name, params);
    }
    case 'alerts':
      return addressOf('alertas', undefined, writeParameters(alertParameters, route));
    case 'dollars':
      return addressOf('dolares');
    case 'instrument': {
      const range = route.isLastRange === undefined ? [['rango', route.range]] : [];
      const chart = writeParameters(chartParameters, route, instrumentRoute(route.ticker));
      return addressOf('especie', route.ticker, new URLSearchParams([...range, ...chart]));
    }
    case 'api':
      return addressOf('api', route.anchor, new URLSearchParams(route.values));
    case 'unknown':
      return `#/${route.address}`;
  }
}

/** The initial route of an instrument, with the range that was chosen last unless one is given. */
export function instrumentRoute(ticker: string, range?: RangeCode): InstrumentPlace {
  return {
    page: 'instrument',
    ticker,
    ...(range === undefined ? { range: defaultRange, isLastRange: true } : { range }),
    compared: [],
    adjustment: defaultAdjustment,
    isLog: false,
    currency: 'original',
    mode: 'variacion',
    averages: [],
    indicators: [],
    isWeighted: false,
  };
}

/** The route of the table of a panel. */
export function panelRoute(panel: string): Route {
  return { page: 'board', panel, ...firstView };
}

/** The route of a list of this browser, as it was seen last. */
export function listRoute(name: string): Route {
  return { page: 'list', name, ...firstView, isAsStored: true };
}

/** The look of some texts. A text that is no view, no range or no dollar counts as absent. */
export function readLook(texts: Readonly<Partial<Record<keyof BoardLook, unknown>>>): BoardLook {
  return { ...firstView, ...readParameters(lookParameters, (_, field) => texts[field]) };
}

/** The order of a text such as `-variacion`, where a minus sign is a descending one. Undefined if it names no field. */
export function parseSorting(text: string): Sorting | undefined {
  const field = sortFields.find((one) => one === text.replace(/^-/, ''));
  return field === undefined ? undefined : { field, isDescending: text.startsWith('-') };
}

/** The text that {@link parseSorting} reads. Empty for no order. */
export function formatSorting(sorting: Sorting | undefined): string {
  return sorting === undefined ? '' : `${sorting.isDescending ? '-' : ''}${sorting.field}`;
}

function parseInstrument(ticker: string, params: URLSearchParams): Route {
  const range = rangeCodes.find((code) => code === params.get('rango'));
  const chart = readParameters(chartParameters, (name) => params.get(name));
  const compared = chart.compared?.filter((one) => one !== ticker).slice(0, comparedMax) ?? [];
  return { ...instrumentRoute(ticker, range), ...chart, compared };
}

function parseList(name: string, params: URLSearchParams, state: BoardState): Route {
  const shared = params.get('especies');
  if (shared !== null) return { page: 'list', name, tickers: splitTickers(shared), ...state };
  const isAsStored = !lookNames.some((one) => params.has(one));
  return { page: 'list', name, ...state, ...(isAsStored ? { isAsStored } : {}) };
}

function splitTickers(text: string): readonly string[] {
  const named = text.split(',').map((one) => one.trim());
  return [...new Set(named)].filter((one) => one !== '');
}

const lookNames = Object.values(lookParameters).map(({ name }) => name);

/** The fields whose texts mean a value. */
function readParameters<T extends object>(
  parameters: Parameters<T>,
  textOf: (name: string, field: keyof T) => unknown,
): Partial<T> {
  const fields = entriesOf(parameters).map(([field, { name, read }]) => {
    const text = textOf(name, field);
    return [field, typeof text === 'string' ? read(text) : undefined] as const;
  });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** The fields that have a text, unless it is that of the defaults. */
function writeParameters<T extends object>(
  parameters: Parameters<T>,
  place: Partial<T>,
  defaults: Partial<T> = {},
): URLSearchParams {
  const texts = entriesOf(parameters).map(([field, { name, write }]) => {
    const [text, usual] = [place, defaults].map(({ [field]: value }) =>
      value === undefined ? '' : write(value),
    );
    return [name, text === usual ? '' : (text ?? '')];
  });
  return new URLSearchParams(texts.filter(([, text]) => text !== ''));
}

function entriesOf<T extends object>(parameters: Parameters<T>) {
  return Object.entries(parameters) as unknown as readonly [keyof T, Parameter<unknown>][];
}

function addressOf(page: string, name?: string, params?: URLSearchParams): string {
  const query = params === undefined || params.size === 0 ? '' : `?${params}`;
  return `#/${page}${name === undefined ? '' : `/${encodeURIComponent(name)}`}${query}`;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

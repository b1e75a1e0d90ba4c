import { sortFields } from '../market/columns.ts';
import type { Adjustment, ConventionName } from '../market/api/quote.ts';
import { readConvention } from '../market/facts/conventions.ts';
import { firstPanel, panels } from '../market/panels.ts';
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

/** The time ranges of a chart of daily closes. */
const dailyCodes = ['1m', '3m', '6m', '1a', '3a', '5a', 'max'] as const;
export type DailyCode = (typeof dailyCodes)[number];

/** The time ranges of a chart. */
export const rangeCodes = [...intradayCodes, ...dailyCodes] as const;
export type RangeCode = (typeof rangeCodes)[number];

/** The range of the charts of a board that names none: the session. */
export const sessionRange = '1d' satisfies RangeCode;

/** Maximum number of compared instruments of a chart. */
export const comparedMax = 3;

/** The range of the chart of an instrument until another one is chosen. */
export const defaultRange: RangeCode = '1a';
/** The quote compares prices on one basis too (contract 2.1.4). */
const defaultAdjustment: Adjustment = 'splits';

/** The route of a fragment. An empty one means the board. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [page, name] = path.split('/', 2).map(decode);
  const params = new URLSearchParams(query);
  const state = parseState(params);
  if (page === 'especie' && name) return parseInstrument(name, params);
  if (page === 'lista' && name) return parseList(name, params, state);
  if (page === 'alertas') {
    const ticker = params.get('especie');
    return { page: 'alerts', ...(ticker ? { ticker } : {}) };
  }
  if (page === 'dolares') return { page: 'dollars' };
  if (page === 'api') {
    return { page: 'api', ...(name ? { anchor: name } : {}), values: Object.fromEntries(params) };
  }
  if (page === 'panel' && panels.some(({ value }) => value === name)) {
    return { page: 'board', panel: name ?? '', ...state };
  }
  if (path === '') return { page: 'board', panel: firstPanel, ...state, isHome: true };
  return { page: 'unknown', address: hash.replace(/^#\/?/, '') };
}

/** The fragment of a route. */
export function formatRoute(route: Route): string {
  switch (route.page) {
    case 'board':
      return `#/panel/${encodeURIComponent(route.panel)}${asQuery(stateParams(route))}`;
    case 'list': {
      const params = stateParams(route);
      if (route.tickers !== undefined) params.set('especies', route.tickers.join(','));
      else if (route.isAsStored) for (const name of lookParams) params.delete(name);
      else params.set('vista', route.view);
      return `#/lista/${encodeURIComponent(route.name)}${asQuery(params)}`;
    }
    case 'alerts':
      return `#/alertas${asQuery(new URLSearchParams(route.ticker === undefined ? {} : { especie: route.ticker }))}`;
    case 'dollars':
      return '#/dolares';
    case 'instrument': {
      const params = new URLSearchParams();
      if (route.isLastRange === undefined) params.set('rango', route.range);
      if (route.compared.length > 0) params.set('comparar', route.compared.join(','));
      if (route.adjustment !== defaultAdjustment) params.set('ajuste', route.adjustment);
      if (route.isLog) params.set('escala', 'log');
      if (route.currency !== 'original') params.set('moneda', route.currency);
      if (route.mode !== 'variacion') params.set('modo', route.mode);
      if (route.averages.length > 0) params.set('promedios', formatAverages(route.averages));
      if (route.indicators.length > 0) params.set('indicadores', route.indicators.join(','));
      if (route.isWeighted) params.set('vwap', 'si');
      if (route.convention !== undefined) params.set('convencion', route.convention);
      return `#/especie/${encodeURIComponent(route.ticker)}${asQuery(params)}`;
    }
    case 'api': {
      const name = route.anchor === undefined ? '' : `/${encodeURIComponent(route.anchor)}`;
      return `#/api${name}${asQuery(new URLSearchParams(route.values))}`;
    }
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
  return { page: 'board', panel, view: 'tabla' };
}

/** The route of a list of this browser, as it was seen last. */
export function listRoute(name: string): Route {
  return { page: 'list', name, view: 'tabla', isAsStored: true };
}

function parseInstrument(ticker: string, params: URLSearchParams): Route {
  const range = rangeCodes.find((code) => code === params.get('rango'));
  const compared = splitTickers(params.get('comparar') ?? '').filter((one) => one !== ticker);
  return {
    ...instrumentRoute(ticker, range),
    compared: compared.slice(0, comparedMax),
    adjustment: adjustments.find((one) => one === params.get('ajuste')) ?? defaultAdjustment,
    isLog: params.get('escala') === 'log',
    currency: currencyCodes.find((one) => one === params.get('moneda')) ?? 'original',
    mode: modeCodes.find((one) => one === params.get('modo')) ?? 'variacion',
    averages: parseAverages(params.get('promedios') ?? ''),
    indicators: parseIndicators(params.get('indicadores') ?? ''),
    isWeighted: params.get('vwap') === 'si',
    ...parseConvention(params),
  };
}

function parseList(name: string, params: URLSearchParams, state: BoardState): Route {
  const shared = params.get('especies');
  if (shared !== null) return { page: 'list', name, tickers: splitTickers(shared), ...state };
  const isAsStored = !lookParams.some((one) => params.has(one));
  return { page: 'list', name, ...state, ...(isAsStored ? { isAsStored } : {}) };
}

function splitTickers(text: string): readonly string[] {
  const named = text.split(',').map((one) => one.trim());
  return [...new Set(named)].filter((one) => one !== '');
}

/** The parameters of the look of a board. */
const lookParams = ['vista', 'rango', 'moneda'];

/** The order of a text such as `-variacion`, where a minus sign is a descending one. Undefined if it names no field. */
export function parseSorting(text: string): Sorting | undefined {
  const field = sortFields.find((one) => one === text.replace(/^-/, ''));
  return field === undefined ? undefined : { field, isDescending: text.startsWith('-') };
}

/** The text that {@link parseSorting} reads. Empty for no order. */
export function formatSorting(sorting: Sorting | undefined): string {
  return sorting === undefined ? '' : `${sorting.isDescending ? '-' : ''}${sorting.field}`;
}

/** The state of a board. */
function parseState(params: URLSearchParams): BoardState {
  const sorting = parseSorting(params.get('orden') ?? '');
  const filter = params.get('filtro') ?? '';
  const beside = params.get('ficha') ?? '';
  return {
    ...readLook({
      view: params.get('vista'),
      range: params.get('rango'),
      currency: params.get('moneda'),
    }),
    ...parseConvention(params),
    ...(beside === '' ? {} : { beside }),
    ...(filter === '' ? {} : { filter }),
    ...(sorting === undefined ? {} : { sorting }),
  };
}

function parseConvention(params: URLSearchParams): { readonly convention?: ConventionName } {
  const convention = readConvention(params.get('convencion'));
  return convention === undefined ? {} : { convention };
}

/** The look of some texts. A text that is no view, no range or no dollar counts as absent. */
export function readLook(texts: Readonly<Partial<Record<keyof BoardLook, unknown>>>): BoardLook {
  const view = viewCodes.find((code) => code === texts.view) ?? 'tabla';
  const range = rangeCodes.find((code) => code === texts.range) ?? sessionRange;
  const currency = dollarCodes.find((code) => code === texts.currency);
  return {
    view,
    ...(range === sessionRange ? {} : { range }),
    ...(currency === undefined ? {} : { currency }),
  };
}

function stateParams(state: BoardState): URLSearchParams {
  const { view, range, currency, filter, sorting, beside, convention } = state;
  const params = new URLSearchParams(view === 'tabla' ? {} : { vista: view });
  if (range !== undefined) params.set('rango', range);
  if (currency !== undefined) params.set('moneda', currency);
  if (filter !== undefined) params.set('filtro', filter);
  if (sorting !== undefined) params.set('orden', formatSorting(sorting));
  if (beside !== undefined) params.set('ficha', beside);
  if (convention !== undefined) params.set('convencion', convention);
  return params;
}

function asQuery(params: URLSearchParams): string {
  return params.size === 0 ? '' : `?${params.toString()}`;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

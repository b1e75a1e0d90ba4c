import type { Selection } from '../../domain/instruments/selection.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import { parseChoice } from './choice-param.ts';
import { parseFields } from './fields-param.ts';
import {
  adjustments,
  cellNames,
  fieldNames,
  historyFields,
  type CellField,
  type HistoryView,
} from './history-view.ts';
import { parseKnownAt, type MaybeKnownAt } from './known-param.ts';
import { readQuery, type QueryValues } from './query-text.ts';
import { parseSelection } from './quote-params.ts';
import {
  parseDays,
  parseRange,
  rangeParameters,
  type Days,
  type TickerRange,
} from './range-params.ts';

/** A request of `/historicos` for one instrument. */
export interface SingleHistory extends TickerRange, HistoryView, MaybeKnownAt {}

/** A request of `/historicos` with `forma`: the series of several instruments in one table. */
export interface JoinedHistory extends Days, HistoryView, MaybeKnownAt {
  readonly selection: Selection;
  /** `long` has a row for each instrument and date, `wide` a row for each date. */
  readonly form: 'long' | 'wide';
  /** The column that the cells of a wide table show. */
  readonly cell: CellField;
}

/** A request of `/historicos`. */
export type HistoryQuery = SingleHistory | JoinedHistory;

const path = '/historicos';

/** The parameters of `/historicos` for one instrument. */
export const singleHistoryParameters = [
  ...rangeParameters,
  'ajuste',
  'campos',
  'forma',
  'conocido',
] as const;

/** Without `forma`, these two are parameters that the path does not know. */
const joinedParameters = ['panel', 'campo'] as const;

/** The parameters of `/historicos`. */
export const historyParameters = [...singleHistoryParameters, ...joinedParameters];

const adjustmentNames = Object.keys(adjustments) as readonly (keyof typeof adjustments)[];

const forms = { larga: 'long', ancha: 'wide' } as const;
const formNames = Object.keys(forms) as readonly (keyof typeof forms)[];

const cellFields = Object.keys(cellNames) as readonly CellField[];

/**
 * Parses the query of `/historicos` (contract 4.2.1, 4.2.5, 4.2.8, 4.2.10 to 4.2.13 and 4.18.1).
 *
 * @param tickersMax maximum number of tickers in one request with `forma`
 */
export function parseHistoryParams(rawQuery: string, tickersMax: number): Parsed<HistoryQuery> {
  const query = readQuery(rawQuery, singleHistoryParameters);
  if (!query.ok) return query;
  if (query.value.forma.length > 0) return parseJoined(rawQuery, query.value, tickersMax);
  const range = parseRange(query.value, path);
  if (!range.ok) return range;
  const view = parseView(query.value);
  if (!view.ok) return view;
  const known = parseKnownAt(query.value);
  if (!known.ok) return known;
  return { ok: true, value: { ...range.value, ...view.value, ...known.value } };
}

function parseJoined(
  rawQuery: string,
  values: QueryValues<(typeof singleHistoryParameters)[number]>,
  tickersMax: number,
): Parsed<JoinedHistory> {
  const forma = parseChoice('forma', values.forma, formNames);
  if (!forma.ok) return forma;
  const form = forms[forma.value ?? 'larga'];
  const further = readQuery(rawQuery, joinedParameters);
  if (!further.ok) return further;
  const { panel, campo } = further.value;
  const selection = parseSelection(values.especie, panel, tickersMax);
  if (!selection.ok) return selection;
  const days = parseDays(values, path);
  if (!days.ok) return days;
  if (form === 'wide' && values.campos.length > 0) return ofOtherForm('campos', 'ancha', 'campo');
  if (form === 'long' && campo.length > 0) return ofOtherForm('campo', 'larga', 'campos');
  const cell = parseCell(campo);
  if (!cell.ok) return cell;
  const view = parseView(values);
  if (!view.ok) return view;
  const known = parseKnownAt(values);
  if (!known.ok) return known;
  const joined = { selection: selection.value, form, cell: cell.value };
  return { ok: true, value: { ...joined, ...days.value, ...view.value, ...known.value } };
}

function parseView(values: QueryValues<'ajuste' | 'campos'>): Parsed<HistoryView> {
  const adjustment = parseChoice('ajuste', values.ajuste, adjustmentNames);
  if (!adjustment.ok) return adjustment;
  const requested = parseFields(values.campos, fieldNames);
  if (!requested.ok) return requested;
  const fields = historyFields.filter((field) => requested.value.includes(field));
  return { ok: true, value: { adjustment: adjustments[adjustment.value ?? 'ninguno'], fields } };
}

function parseCell(values: readonly string[]): Parsed<CellField> {
  const name = parseChoice('campo', values, Object.values(cellNames));
  if (!name.ok) return name;
  const field = cellFields.find((one) => cellNames[one] === name.value);
  return { ok: true, value: field ?? 'closes' };
}

function ofOtherForm(parameter: string, form: string, instead: string): Parsed<never> {
  return { ok: false, problem: { type: 'parameter-of-other-form', parameter, form, instead } };
}

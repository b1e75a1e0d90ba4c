import { foldForSearch } from '../../domain/instruments/instrument-search.ts';
import type { PanelCode } from '../../domain/instruments/panel.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import { parseFields } from './fields-param.ts';
import { instrumentFieldNames, instrumentFields } from './instrument-fields.ts';
import type { InstrumentField } from './instrument-fields.ts';
import { parsePanel } from './panel-param.ts';
import { parseOptional, readQuery } from './query-text.ts';

/** Maximum length of the text of a search, in UTF-16 code units. It bounds the cost of a search. */
export const searchTextMax = 100;

/** A request of `/especies.json`. */
export interface InstrumentQuery {
  readonly panel: PanelCode | undefined;
  /** The text to search for, folded; not empty. Undefined for a list without a search. */
  readonly search: string | undefined;
  /** The fields on request, in the order of {@link instrumentFields}. */
  readonly fields: readonly InstrumentField[];
}

/** The parameters of `/especies.json`. */
export const searchParameters = ['panel', 'buscar', 'campos'] as const;

/** Parses the query of `/especies.json` (contract 4.1.2, 4.4.4 and 4.7.1). */
export function parseSearchParams(rawQuery: string): Parsed<InstrumentQuery> {
  const query = readQuery(rawQuery, searchParameters);
  if (!query.ok) return query;
  const panel = parsePanel(query.value.panel);
  if (!panel.ok) return panel;
  const search = parseOptional('buscar', query.value.buscar, parseText);
  if (!search.ok) return search;
  const requested = parseFields(query.value.campos, instrumentFieldNames);
  if (!requested.ok) return requested;
  const fields = instrumentFields.filter((field) => requested.value.includes(field));
  return { ok: true, value: { panel: panel.value, search: search.value, fields } };
}

function parseText(text: string): Parsed<string> {
  if (text.length > searchTextMax) {
    const problem = { type: 'search-too-long', count: text.length, max: searchTextMax } as const;
    return { ok: false, problem };
  }
  const value = foldForSearch(text);
  return value === '' ? { ok: false, problem: { type: 'search-empty' } } : { ok: true, value };
}

import type { InstrumentSearch } from '../../domain/instruments/instrument-search.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { foundSymbolsJson } from '../../wire/udf/symbol-body.ts';
import { udfTypes } from '../../wire/udf/udf-names.ts';
import {
  symbolSearchParameters,
  parseSymbolSearch,
  type SymbolSearch,
} from '../../wire/udf/udf-params.ts';
import type { ContentSource } from '../content/content.ts';
import { KeptTexts } from './kept-texts.ts';

/** The instruments that a text finds (contract 4.15.6), in the order of the search of `/especies.json`. */
export function search({ instruments }: Universe, index: InstrumentSearch): ContentSource {
  const kept = new KeptTexts();

  const find = ({ text, limit, type, exchange }: SymbolSearch): readonly Instrument[] => {
    if (text === undefined) return [];
    const among = instruments.filter(
      ({ kind, market }) =>
        (type === '' || udfTypes[kind] === type) && (exchange === '' || market === exchange),
    );
    return text === '' ? among.slice(0, limit) : index.find(text, { among, max: limit });
  };

  return {
    path: '/udf/search',
    parameters: symbolSearchParameters,
    clear: () => kept.clear(),
    find: (rawQuery) => {
      const query = parseSymbolSearch(rawQuery);
      if (!query.ok) return query;
      return kept.contentOf(rawQuery, foundSymbolsJson(find(query.value)));
    },
  };
}

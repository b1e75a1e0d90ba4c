import { LRUCache } from 'lru-cache';

import type { Board } from '../../board/board.ts';
import type { InstrumentSearch } from '../../domain/instruments/instrument-search.ts';
import type { SourcesState } from '../../domain/quotes/sources-state.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { searchParameters, parseSearchParams } from '../../wire/params/search-params.ts';
import type { InstrumentQuery } from '../../wire/params/search-params.ts';
import type { TableSource } from '../content/content.ts';
import { InstrumentBodies } from '../content/instrument-bodies.ts';
import { Fields } from '../handler/fields.ts';

/** Maximum number of instruments that a search returns (contract 4.7.1). */
const foundMax = 50;

/** Maximum number of searches whose results and responses are cached, at most 100 KiB each. */
const searchesMax = 64;

/**
 * The instruments of `/especies.txt` with their properties (contract 4.4.2), or those of them that a
 * search finds (contract 4.7).
 */
export function especiesJson({
  board,
  search: index,
  sources,
}: {
  readonly board: Board;
  readonly search: InstrumentSearch;
  /** The state of the sources. */
  readonly sources?: (() => SourcesState | undefined) | undefined;
}): TableSource {
  const { universe } = board;
  const bodies = new InstrumentBodies(board, sources);
  const searches = new LRUCache<string, readonly Instrument[]>({ max: searchesMax });

  const listOf = ({ panel, search }: InstrumentQuery): readonly Instrument[] => {
    const among = universe.listOf(panel);
    if (search === undefined) return among;
    const key = `${panel ?? ''} ${search}`;
    const known = searches.get(key);
    if (known !== undefined) return known;
    const found = index.find(search, { among, max: foundMax });
    searches.set(key, found);
    return found;
  };

  return {
    path: '/especies.json',
    parameters: searchParameters,
    find: (rawQuery, format) => {
      const query = parseSearchParams(rawQuery);
      if (!query.ok) return query;
      const { fields } = query.value;
      const body = bodies.of(listOf(query.value), { format, fields });
      return { ok: true, value: { body, fields: Fields.none } };
    },
  };
}

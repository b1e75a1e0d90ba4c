import { isDeepStrictEqual } from 'node:util';

import {
  especiesJson as operation,
  instrumentTable,
  type ListedInstrument,
} from '../../contract/paths/especies-json.ts';
import { instrumentIdentities } from '../../domain/instruments/instrument-identity.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { noExtras } from '../../domain/quotes/quote-extra.ts';
import { StaleInstruments, type SourcesState } from '../../domain/quotes/sources-state.ts';
import { answers, type Answering, type AnsweringRoute } from '../answers/answers.ts';
import type { PathParts } from './path-parts.ts';

/** Maximum number of instruments that a search returns (contract 4.7.1). */
const foundMax = 50;

/** The instruments with their properties (contract 4.4.2), or those of them that a search finds (contract 4.7). */
export function especiesJson(
  {
    board,
    search: index,
    sources = () => undefined,
  }: Pick<PathParts, 'board' | 'search' | 'sources'>,
  answering: Answering,
): AnsweringRoute {
  const { universe } = board;
  const identities = instrumentIdentities(universe);
  const staleInstruments = new StaleInstruments(universe, (one) => board.quote(one)?.source);
  // The source of a quote does not change with its book.
  const latest = board.latestFor(noExtras);

  /** The rows of a list. The array is the same until a source in use changes or becomes stale, or is stale no more. */
  const rowsOf = (listed: readonly Instrument[]): (() => readonly ListedInstrument[]) => {
    let comparedAt: number | undefined;
    let comparedWith: SourcesState['stale'] | undefined;
    let rows: readonly ListedInstrument[] = [];
    return () => {
      const stale = sources()?.stale ?? [];
      const isCompared = comparedAt === latest.revision && isDeepStrictEqual(comparedWith, stale);
      if (isCompared) return rows;
      comparedAt = latest.revision;
      comparedWith = stale;
      const current = listed.map((instrument) => ({
        instrument,
        identity: identities.get(instrument) ?? {},
        source: latest.quote(instrument)?.source,
        isStale: staleInstruments.has(instrument, stale),
      }));
      if (rows.length !== current.length || !current.every((row, at) => isSame(row, rows[at]))) {
        rows = current;
      }
      return rows;
    };
  };

  return answers(
    operation,
    ({ selection, search, fields }) => {
      const { instruments: among, missing } =
        selection === undefined
          ? { instruments: universe.instruments, missing: [] }
          : board.named(selection);
      const rows = rowsOf(
        search === undefined ? among : index.find(search, { among, max: foundMax }),
      );
      return {
        madeOf: () => [rows()],
        answer: () => ({
          rows: instrumentTable.with(fields).of(rows()),
          missing: { 'missing-especies': missing },
        }),
      };
    },
    answering,
  );
}

function isSame(row: ListedInstrument, other: ListedInstrument | undefined): boolean {
  return (
    row.isStale === other?.isStale &&
    row.source?.name === other.source?.name &&
    row.source?.delayMinutes === other.source?.delayMinutes
  );
}

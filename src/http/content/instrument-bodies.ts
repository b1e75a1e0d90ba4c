import { isDeepStrictEqual } from 'node:util';

import { LRUCache } from 'lru-cache';

import { noExtras } from '../../domain/quotes/quote-extra.ts';
import type { Board } from '../../board/board.ts';
import { instrumentIdentities } from '../../domain/instruments/instrument-identity.ts';
import type { InstrumentIdentity } from '../../domain/instruments/instrument-identity.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { StaleInstruments } from '../../domain/quotes/sources-state.ts';
import type { SourcesState, StaleSource } from '../../domain/quotes/sources-state.ts';
import { instrumentTable } from '../../wire/bodies/instrument-list-body.ts';
import type { ListedInstrument } from '../../wire/bodies/instrument-list-body.ts';
import type { InstrumentField } from '../../wire/params/instrument-fields.ts';
import type { TableFormat } from '../../wire/params/table-format.ts';
import { Body } from './body.ts';
import { mediaTypeOf } from './negotiation.ts';

/** Maximum number of cached bodies of one list: clients may request any set of fields. */
const bodiesMax = 64;

/** What the rows of a list show that is not fixed, in its order. */
type States = readonly Pick<ListedInstrument, 'source' | 'isStale'>[];

/** The bodies of one list. They are valid while the instruments have these states. */
interface Rendered {
  readonly states: States;
  /** By the format, then the fields on request. */
  readonly bodies: LRUCache<string, Body>;
  /** The revision of the board and the stale sources for which the states were last compared. */
  comparedAt: number;
  stale: readonly StaleSource[];
}

/**
 * Lists of instruments with their properties (contract 4.4.2), rendered once in each format and with each
 * set of fields, and again when a source in use changes or becomes stale. The bodies of a list live as
 * long as the list.
 */
export class InstrumentBodies {
  readonly #board: Board;
  readonly #identities: ReadonlyMap<Instrument, InstrumentIdentity>;
  readonly #staleSources: () => readonly StaleSource[];
  readonly #stale: StaleInstruments;
  readonly #rendered = new WeakMap<readonly Instrument[], Rendered>();

  constructor(board: Board, sources: () => SourcesState | undefined = () => undefined) {
    this.#board = board;
    this.#staleSources = () => sources()?.stale ?? [];
    this.#stale = new StaleInstruments(board.universe, (one) => board.quote(one)?.source);
    this.#identities = instrumentIdentities(board.universe);
  }

  /** The current body of a list. */
  of(
    listed: readonly Instrument[],
    {
      format,
      fields,
    }: { readonly format: TableFormat; readonly fields: readonly InstrumentField[] },
  ): Body {
    const { states, bodies } = this.#current(listed);
    const key = [format, ...fields].join(' ');
    const known = bodies.get(key);
    if (known !== undefined) return known;
    const rows = listed.map((instrument, at) => ({
      source: states[at]?.source,
      isStale: states[at]?.isStale === true,
      instrument,
      identity: this.#identities.get(instrument) ?? {},
    }));
    const parts = [Buffer.from(instrumentTable(fields).render(rows, format))];
    const body = new Body({ type: mediaTypeOf(format), parts, mayCompress: () => true });
    bodies.set(key, body);
    return body;
  }

  #current(listed: readonly Instrument[]): Rendered {
    // The source of a quote does not change with its book.
    const latest = this.#board.latestFor(noExtras);
    const comparedAt = latest.revision;
    const stale = this.#staleSources();
    const known = this.#rendered.get(listed);
    if (known?.comparedAt === comparedAt && isDeepStrictEqual(known.stale, stale)) return known;
    const states = listed.map((one) => ({
      source: latest.quote(one)?.source,
      isStale: this.#stale.has(one, stale),
    }));
    if (known !== undefined && areSame(known.states, states)) {
      known.comparedAt = comparedAt;
      known.stale = stale;
      return known;
    }
    const bodies = new LRUCache<string, Body>({ max: bodiesMax });
    const rendered = { states, bodies, comparedAt, stale };
    this.#rendered.set(listed, rendered);
    return rendered;
  }
}

function areSame(a: States, b: States): boolean {
  return a.every(({ source, isStale }, index) => {
    const other = b[index];
    return (
      isStale === other?.isStale &&
      source?.name === other?.source?.name &&
      source?.delayMinutes === other?.source?.delayMinutes
    );
  });
}

import { LRUCache } from 'lru-cache';

import { noExtras } from '../../domain/quotes/quote-extra.ts';
import type { Board } from '../../board/board.ts';
import { instrumentIdentities } from '../../domain/instruments/instrument-identity.ts';
import type { InstrumentIdentity } from '../../domain/instruments/instrument-identity.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { QuoteSource } from '../../domain/quotes/quote.ts';
import { instrumentTable } from '../../wire/bodies/instrument-list-body.ts';
import type { InstrumentField } from '../../wire/params/instrument-fields.ts';
import type { TableFormat } from '../../wire/params/table-format.ts';
import { Body } from './body.ts';
import { mediaTypeOf } from './negotiation.ts';

/** Maximum number of cached bodies of one list: clients may request any set of fields. */
const bodiesMax = 64;

/** The sources in use of the instruments of a list, in its order. */
type Sources = readonly (QuoteSource | undefined)[];

/** The bodies of one list. They are valid while the instruments have these sources. */
interface Rendered {
  readonly sources: Sources;
  /** By the format, then the fields on request. */
  readonly bodies: LRUCache<string, Body>;
  /** The revision of the board at which the sources were last compared. */
  comparedAt: number;
}

/**
 * Lists of instruments with their properties (contract 4.4.2), rendered once in each format and with each
 * set of fields, and again when a source in use changes. The bodies of a list live as long as the list.
 */
export class InstrumentBodies {
  readonly #board: Board;
  readonly #identities: ReadonlyMap<Instrument, InstrumentIdentity>;
  readonly #rendered = new WeakMap<readonly Instrument[], Rendered>();

  constructor(board: Board) {
    this.#board = board;
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
    const { sources, bodies } = this.#current(listed);
    const key = [format, ...fields].join(' ');
    const known = bodies.get(key);
    if (known !== undefined) return known;
    const rows = listed.map((instrument, at) => ({
      instrument,
      identity: this.#identities.get(instrument) ?? {},
      source: sources[at],
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
    const known = this.#rendered.get(listed);
    if (known?.comparedAt === comparedAt) return known;
    const sources = listed.map((one) => latest.quote(one)?.source);
    if (known !== undefined && areSame(known.sources, sources)) {
      known.comparedAt = comparedAt;
      return known;
    }
    const rendered = {
      sources,
      bodies: new LRUCache<string, Body>({ max: bodiesMax }),
      comparedAt,
    };
    this.#rendered.set(listed, rendered);
    return rendered;
  }
}

function areSame(a: Sources, b: Sources): boolean {
  return a.every((source, index) => {
    const other = b[index];
    return source?.name === other?.name && source?.delayMinutes === other?.delayMinutes;
  });
}

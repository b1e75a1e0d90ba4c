import { LRUCache } from 'lru-cache';

import type { Instrument } from '../../domain/instruments/instrument.ts';
import { shownMembers } from '../../wire/udf/chart-cells.ts';
import { Body } from '../content/body.ts';
import { ifAskedAgain } from '../content/compression-pace.ts';
import { mediaTypeOf } from '../content/negotiation.ts';
import type { ChartPart } from './chart-part.ts';

/** Maximum number of ranges of a chart that are cached with their tags and compressed forms. */
const rangesMax = 8;

/** A range within one part. `end` is greater than `first`. */
interface Piece {
  readonly part: ChartPart;
  readonly first: number;
  readonly end: number;
}

/** All bars of an instrument in one interval at one moment. Immutable. */
export class Chart {
  readonly #instrument: Instrument;
  readonly #parts: readonly ChartPart[];
  readonly #bodies = new LRUCache<string, Body>({ max: rangesMax });

  /** @param parts in ascending order, the last of which may have the bar under way. */
  constructor(instrument: Instrument, parts: readonly ChartPart[]) {
    this.#instrument = instrument;
    this.#parts = parts.filter(({ length }) => length > 0);
  }

  /** The number of bars that start before a second. */
  before(second: number): number {
    return this.#parts.reduce((sum, part) => sum + part.before(second), 0);
  }

  /** The body of `/udf/history` with the bars from one index to before another, which is greater. */
  body(first: number, end: number): Body {
    const key = `${first} ${end}`;
    const known = this.#bodies.get(key);
    if (known !== undefined) return known;
    const body = this.#render(this.#pieces(first, end));
    this.#bodies.set(key, body);
    return body;
  }

  #pieces(first: number, end: number): readonly Piece[] {
    const pieces: Piece[] = [];
    let at = 0;
    for (const part of this.#parts) {
      const piece = {
        part,
        first: Math.max(first - at, 0),
        end: Math.min(end - at, part.length),
      };
      if (piece.first < piece.end) pieces.push(piece);
      at += part.length;
    }
    return pieces;
  }

  #render(pieces: readonly Piece[]): Body {
    const hasRange = pieces.some(({ part, first, end }) => part.hasRange(first, end));
    const parts: (string | Buffer)[] = ['{"s":"ok"'];
    for (const member of shownMembers(this.#instrument, hasRange)) {
      parts.push(`,"${member}":[`);
      for (const [index, { part, first, end }] of pieces.entries()) {
        if (index > 0) parts.push(',');
        parts.push(part.texts(member, first, end));
      }
      parts.push(']');
    }
    parts.push('}');
    return new Body({
      type: mediaTypeOf('json'),
      parts,
      mayCompress: ifAskedAgain(),
    });
  }
}

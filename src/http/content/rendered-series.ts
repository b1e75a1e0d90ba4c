import { LRUCache } from 'lru-cache';

import { rowsBefore } from '../../domain/history/daily-close.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import {
  historyFormat,
  type HistoryFormat,
  type ShownSeries,
} from '../../wire/bodies/history-body.ts';
import type { HistoryField } from '../../wire/params/history-view.ts';
import type { DayRange } from '../../store/contract/history-store.ts';
import type { TableFormat } from '../../wire/params/table-format.ts';
import type { InstantTexts } from '../../wire/texts/instant-texts.ts';
import { Fields } from '../handler/fields.ts';
import { Body } from './body.ts';
import { ifAskedAgain } from './compression-pace.ts';
import { lastModifiedOf } from './content.ts';
import { mediaTypeOf } from './negotiation.ts';

/** Maximum number of ranges of a series that are cached with their tags and compressed forms. */
const rangesMax = 32;

/** The memory of a cached range besides its compressed forms, in bytes: its head, and a short text. */
const bytesPerRange = 12 * 1024;

/** A format with its media type. */
type TypedFormat = HistoryFormat & { readonly type: string };

function typedFormat(
  format: TableFormat,
  fields: readonly HistoryField[],
  instants?: InstantTexts,
): TypedFormat {
  return { ...historyFormat(format, fields, instants), type: mediaTypeOf(format) };
}

/**
 * All closes of one instrument as the bytes of a body, with the offset of each row. A range is a part of
 * these bytes, found by bisection. It is never rendered or copied.
 *
 * The bodies of the latest ranges are cached. A body is compressed at the second request for it: one
 * that is requested once is not worth it, and a client that requests all ranges cannot make the service
 * compress them.
 */
export class RenderedSeries {
  /** The first whole second after it was read, in epoch milliseconds. */
  readonly lastModified: number;
  /** The same as a field. */
  readonly lastModifiedFields: Fields;
  /** The first session day of a quote with which the adjusted closes are on another basis. */
  readonly staleFrom: EpochDay | undefined;
  /** The ex days of the cash dividends that the closes are not adjusted for. */
  readonly unapplied: readonly EpochDay[];
  readonly #format: TypedFormat;
  readonly #days: Int32Array;
  /** The offset of each row in the bytes, and then that of one more. */
  readonly #offsets: Uint32Array;
  readonly #bytes: Buffer;
  readonly #ranges = new LRUCache<number, Body>({ max: rangesMax });
  readonly #onGrowth: (series: RenderedSeries) => void;

  constructor(
    instrument: Instrument,
    series: ShownSeries & { readonly unapplied?: readonly EpochDay[] },
    options: {
      readonly format: TableFormat;
      /** The fields after `ultimo`. Default: none. */
      readonly fields?: readonly HistoryField[];
      /** Renders the instants of the closes, where the fields have them. */
      readonly instants?: InstantTexts | undefined;
      readonly staleFrom?: EpochDay | undefined;
      readonly readAt: number;
      /** Called when {@link bytesHeld} has increased. */
      readonly onGrowth: (series: RenderedSeries) => void;
    },
  ) {
    this.#format = typedFormat(options.format, options.fields ?? [], options.instants);
    this.staleFrom = options.staleFrom;
    this.unapplied = series.unapplied ?? [];
    this.#days = series.days;
    const rows = this.#format.rows(instrument, series);
    const { bytes, offsets } = joined(rows, this.#days.length, this.#format);
    this.#bytes = bytes;
    this.#offsets = offsets;
    this.#onGrowth = options.onGrowth;
    this.lastModified = lastModifiedOf(options.readAt);
    this.lastModifiedFields = Fields.of({
      'last-modified': new Date(this.lastModified).toUTCString(),
    });
  }

  /** Its approximate memory, in bytes. */
  get bytesHeld(): number {
    const own = this.#bytes.length + this.#offsets.byteLength + this.#days.byteLength;
    let ofRanges = 0;
    for (const body of this.#ranges.values()) ofRanges += bytesPerRange + body.compressedBytes;
    return own + ofRanges;
  }

  /** The body of a range, both ends included. */
  range({ from, to }: DayRange): Body {
    const first = rowsBefore(this.#days, from);
    const end = rowsBefore(this.#days, to + 1);
    const key = first * (this.#days.length + 1) + end;
    const kept = this.#ranges.get(key);
    if (kept !== undefined) return kept;
    const body = this.#newBody(first, end);
    this.#ranges.set(key, body);
    this.#onGrowth(this);
    return body;
  }

  #newBody(first: number, end: number): Body {
    const { type, opening, separator, closing } = this.#format;
    const start = this.#offsets[first] ?? 0;
    const stop = (this.#offsets[end] ?? 0) - separator.length;
    // Most ranges end with the latest day, where the bytes end like a body: one part less to write.
    const isToEnd = first < end && end === this.#days.length;
    const rows = first < end ? this.#bytes.subarray(start, isToEnd ? undefined : stop) : '';
    return new Body({
      type,
      parts: isToEnd ? [opening, rows] : [opening, rows, closing],
      mayCompress: ifAskedAgain(),
      onGrowth: () => this.#onGrowth(this),
    });
  }
}

/** The body without rows. */
export function emptyBody(format: TableFormat, fields: readonly HistoryField[]): Body {
  const { type, opening, closing } = typedFormat(format, fields);
  return new Body({ type, parts: [opening, closing], mayCompress: () => false });
}

/** The most bytes of a UTF-16 unit in UTF-8. */
const bytesPerUnitMax = 3;

/**
 * The rows with separators between them and the closing after the last, and the offset of each row. Each row is
 * written as soon as it is rendered, without a text of the whole: the texts of a long series would outlive
 * V8's young generation.
 */
function joined(
  rows: Iterable<string>,
  count: number,
  { separator, closing }: HistoryFormat,
): { readonly bytes: Buffer; readonly offsets: Uint32Array } {
  const offsets = new Uint32Array(count + 1);
  let bytes = Buffer.from(new ArrayBuffer(0));
  let [row, end] = [0, 0];
  for (const text of rows) {
    offsets[row] = end;
    row += 1;
    const part = text + separator;
    const needed = end + part.length * bytesPerUnitMax;
    // The other rows are usually about as long as the first.
    if (needed > bytes.length) bytes = resized(bytes, needed + (count - row) * (part.length + 4));
    end += bytes.write(part, end);
  }
  offsets[row] = end;
  const length = Math.max(0, end - separator.length);
  bytes = resized(bytes, length + Buffer.byteLength(closing));
  bytes.write(closing, length);
  return { bytes, offsets };
}

/** The bytes in a buffer of another length. The memory of the one before is free at once. */
function resized(bytes: Buffer<ArrayBuffer>, length: number): Buffer<ArrayBuffer> {
  return Buffer.from(bytes.buffer.transfer(length));
}

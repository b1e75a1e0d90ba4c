import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Bar } from '../../domain/quotes/minute-bar.ts';
import { damaged } from '../contract/store-fault.ts';

/** The bars of one session as columns: similar numbers beside each other compress best. */
type Columns = readonly [
  minutes: readonly number[],
  opens: readonly number[],
  highs: readonly number[],
  lows: readonly number[],
  lasts: readonly number[],
  volumes: readonly (number | null)[],
];

/**
 * Packs the bars of one instrument and day: columns as JSON, which keeps every number exactly, compressed
 * with Zstandard. A bar takes about 10 bytes, and 13 with the overhead of its row.
 */
export function packBars(bars: readonly Bar[]): Uint8Array {
  const columns: Columns = [
    bars.map(({ minute }) => minute),
    bars.map(({ open }) => open),
    bars.map(({ high }) => high),
    bars.map(({ low }) => low),
    bars.map(({ last }) => last),
    bars.map(({ volume }) => volume),
  ];
  return zstdCompressSync(JSON.stringify(columns));
}

/**
 * Unpacks the bars of one instrument and day.
 *
 * @throws StoreFault `corrupt`
 */
export function unpackBars(path: string, day: EpochDay, packed: Uint8Array): readonly Bar[] {
  let columns: Columns;
  try {
    columns = JSON.parse(zstdDecompressSync(packed).toString()) as Columns;
  } catch (cause) {
    throw damaged(path, `the bars of day ${day} cannot be read`, cause);
  }
  const [minutes, opens, highs, lows, lasts, volumes] = columns;
  return minutes.map((minute, at) => ({
    day,
    minute,
    open: opens[at] ?? Number.NaN,
    high: highs[at] ?? Number.NaN,
    low: lows[at] ?? Number.NaN,
    last: lasts[at] ?? Number.NaN,
    volume: volumes[at] ?? null,
  }));
}

/**
 * The bars of one instrument from both places, which may be in any order, ascending. Of two bars of one minute, the one
 * that is not packed applies.
 */
export function mergeBars(packed: readonly Bar[], logged: readonly Bar[]): readonly Bar[] {
  const all = [...packed, ...logged];
  const isOfOne = packed.length === 0 || logged.length === 0;
  const bars = isOfOne ? all : [...new Map(all.map((bar) => [bar.minute, bar])).values()];
  return bars.sort((a, b) => a.minute - b.minute);
}

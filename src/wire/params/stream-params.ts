import type { BarInterval } from '../../domain/quotes/bar-interval.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import { parseInterval } from './bar-params.ts';
import { parseChoice } from './choice-param.ts';
import { readQuery } from './query-text.ts';

/** What a stream sends besides quotes. */
export interface StreamQuery {
  /** The interval of the bars. Absent for a stream without bars. */
  readonly barInterval: BarInterval | undefined;
  /** The longest time without data that the client wants, in milliseconds. Absent for that of the service. */
  readonly heartbeatMs: number | undefined;
}

/** The heartbeats that a client may choose, in seconds. */
const heartbeats = [2, 5, 10] as const;
const heartbeatNames = heartbeats.map((seconds) => `${seconds}s` as const);

/** Parses `barras` and `latido` of the stream (contract 4.9.5 and 4.4.1). */
export function parseStreamParams(rawQuery: string): Parsed<StreamQuery> {
  const query = readQuery(rawQuery, ['barras', 'latido']);
  if (!query.ok) return query;
  const bars = parseInterval('barras', query.value.barras);
  if (!bars.ok) return bars;
  const name = parseChoice('latido', query.value.latido, heartbeatNames);
  if (!name.ok) return name;
  const seconds = heartbeats.find((one) => `${one}s` === name.value);
  const heartbeatMs = seconds === undefined ? undefined : seconds * 1_000;
  return { ok: true, value: { barInterval: bars.value, heartbeatMs } };
}

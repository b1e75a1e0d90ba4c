import type { Operation } from '../../../src/contract/operation.ts';
import type { Parsed } from '../../../src/domain/values/problem.ts';

/** Parses a query as sent with an operation of the contract. */
export function parseWith<Query>(
  operation: Operation<Query>,
  rawQuery: string,
  tickersMax = 500,
): Parsed<Query> {
  const read = operation.read(rawQuery, { tickersMax });
  return read.ok ? { ok: true, value: read.value.query } : read;
}

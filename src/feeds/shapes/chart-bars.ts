import { shortestOf32Bits } from '../../lib/numbers/shortest-of-32-bits.ts';
import { asRecord, fieldsOf, listOf } from './as-record.ts';

/** A bar of a chart of Yahoo Finance, as the source has it. */
export interface ChartBar {
  readonly time: unknown;
  readonly open: unknown;
  readonly high: unknown;
  readonly low: unknown;
  readonly close: unknown;
  readonly volume: unknown;
}

/**
 * The bars of a chart. The source has a list for each field, of equal length, and null for a day without
 * trades. It computes prices in 32 bits: the shortest decimal of each is read.
 */
export function barsOfChart(timestamp: unknown, indicators: unknown): readonly ChartBar[] {
  const [quote] = listOf(asRecord(indicators)?.['quote']);
  const fields = fieldsOf(quote);
  const [open, high, low, close] = ['open', 'high', 'low', 'close'].map((name) =>
    listOf(fields[name]).map(shortestOf32Bits),
  );
  const volume = listOf(fields['volume']);
  return listOf(timestamp).map((time, index) => ({
    time,
    open: open?.[index],
    high: high?.[index],
    low: low?.[index],
    close: close?.[index],
    volume: volume[index],
  }));
}

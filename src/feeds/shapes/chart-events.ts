import { isFactor, type CorporateAction } from '../../domain/history/corporate-action.ts';
import { priceFactor } from '../../domain/history/corporate-actions.ts';
import { lastEpochDay, toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import { withoutBinaryError } from '../../domain/values/rounding.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { fieldsOf, isPrice, type JsonFields } from './as-record.ts';

/** The instrument of a chart, and what its events do not say themselves. */
export interface ChartOwner {
  readonly ticker: Ticker;
  /** ISO 4217: the currency of the chart. */
  readonly currency: string;
  readonly source: string;
  /** The date of an instant in the market of the chart, as {@link dateOfInstant} gives it. */
  readonly dateAt: (epochMs: number) => PlainDate | undefined;
}

/** The actions of a chart, and the path of each event that cannot be read. */
export interface ChartActions {
  readonly actions: readonly CorporateAction[];
  readonly unread: readonly string[];
}

/**
 * The corporate actions in the `events` of a chart of Yahoo Finance: `splits`, with `numerator` new for
 * `denominator` old shares, and `dividends`. The instant of an event is that of the open on its ex date.
 *
 * The source divides a dividend by all later splits. This is undone with the splits of the same chart,
 * because a stored dividend is that of one share on its ex date.
 */
export function actionsOfChart(events: unknown, owner: ChartOwner): ChartActions {
  const { splits, dividends } = fieldsOf(events);
  const { ticker, currency, source, dateAt } = owner;
  const unread: string[] = [];
  const commonOf = ({ date }: JsonFields) => {
    const exDate = isPrice(date) ? dateAt(date * 1_000) : undefined;
    return exDate && { ticker, exDay: toEpochDay(exDate), source };
  };
  const read: CorporateAction[] = [];
  for (const [key, event] of Object.entries(fieldsOf(splits))) {
    const fields = fieldsOf(event);
    const { numerator, denominator } = fields;
    const common = commonOf(fields);
    const factor = isPrice(numerator) && isPrice(denominator) ? numerator / denominator : 0;
    if (common !== undefined && isFactor(factor)) read.push({ ...common, type: 'split', factor });
    else unread.push(`events.splits.${key}`);
  }
  const changes = read.toSorted((a, b) => a.exDay - b.exDay);
  for (const [key, event] of Object.entries(fieldsOf(dividends))) {
    const fields = fieldsOf(event);
    const { amount } = fields;
    const common = commonOf(fields);
    if (common !== undefined && isPrice(amount)) {
      const later = priceFactor(changes, { from: common.exDay, to: lastEpochDay });
      const paid = later === 1 ? amount : withoutBinaryError(amount * later);
      read.push({ ...common, type: 'cash-dividend', amount: paid, currency });
    } else unread.push(`events.dividends.${key}`);
  }
  return { actions: read, unread };
}

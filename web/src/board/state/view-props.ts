import type { ReadonlySignal, Signal } from '@preact/signals';

import type { LiveQuotes } from '../../market/live-quotes.ts';
import type { BoardPlace } from '../../places/route.ts';
import { isInPesos, shownUnit } from '../../chart/figures/conversion.ts';
import type { CurrencyCode } from '../../places/chart-choices.ts';
import { currency } from './board-state.ts';
import type { DollarRow, InstrumentInfo } from '../../market/api/quote.ts';
import type { Bonds, Rows } from '../../market/rows/use-rows.ts';
import type { RowFacts } from '../../market/facts/instrument-facts.ts';
import { receiptKey } from '../../market/facts/receipt-dollars.ts';
import { instruments } from '../../market/instruments.ts';

/** What each view of a board receives. */
export interface ViewProps {
  readonly place: BoardPlace;
  /** The name of the panel or list. */
  readonly name: string;
  readonly live: LiveQuotes;
  readonly sideFacts: SideFacts;
  /** The tickers on the board, in order. */
  readonly shown: ReadonlySignal<readonly string[]>;
  /** The ticker of the row that had the focus or a click last. */
  readonly chosen: Signal<string | undefined>;
}

/** What a board requests beside its quotes, for some of its columns. */
export interface SideFacts {
  /** The dollars that receipts imply, by {@link receiptName}. */
  readonly dollars: Rows<DollarRow>;
  readonly bonds: Bonds;
}

/** What is known of an instrument beside its quote. What reads it is redrawn when it changes. */
export function factsIn({ dollars, bonds }: SideFacts, ticker: string): Omit<RowFacts, 'quote'> {
  const info = inCurrency(instruments.value.get(ticker), currency.value);
  return {
    info,
    dollar: rowOf(dollars, receiptKey(ticker)),
    bond: rowOf(bonds, ticker),
  };
}

/** The row of a name. Undefined before the first response, and null if it has none. */
function rowOf<Row>({ value: rows }: Rows<Row>, name: string): Row | null | undefined {
  return rows === undefined ? undefined : (rows.get(name) ?? null);
}

/** The instruments with the unit in which a board shows them, so that the same ones are equal. */
const converted = new Map<CurrencyCode, WeakMap<InstrumentInfo, InstrumentInfo>>();

function inCurrency(
  info: InstrumentInfo | undefined,
  wanted: CurrencyCode,
): InstrumentInfo | undefined {
  if (info === undefined || wanted === 'original' || !isInPesos(info)) return info;
  const known = converted.get(wanted) ?? new WeakMap<InstrumentInfo, InstrumentInfo>();
  converted.set(wanted, known);
  const shown = known.get(info) ?? { ...info, moneda: shownUnit(info, wanted) };
  known.set(info, shown);
  return shown;
}

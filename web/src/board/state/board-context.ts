import type { ReadonlySignal, Signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

import type { LiveQuotes } from '../../market/live-quotes.ts';
import { isInPesos, shownUnit } from '../../chart/figures/conversion.ts';
import type { BoardPlace } from '../../places/route.ts';
import type { CurrencyCode } from '../../places/chart-choices.ts';
import { currency } from './board-state.ts';
import type { DollarRow, InstrumentInfo } from '../../market/api/quote.ts';
import type { Bonds, Rows } from '../../market/rows/use-rows.ts';
import type { FindFacts } from '../../market/sort-rows.ts';
import { receiptKey } from '../../market/facts/receipt-dollars.ts';
import { instruments } from '../../market/instruments.ts';

/** What each view of a board receives. The rest is in its context. */
export interface ViewProps {
  readonly place: BoardPlace;
}

/** What the parts of a board have in common. It stays the same as long as its quotes are followed. */
export interface Board {
  /** The name of the panel or list. */
  readonly name: string;
  readonly live: LiveQuotes;
  /** The dollars that receipts imply, by {@link receiptKey}. */
  readonly dollars: Rows<DollarRow>;
  readonly bonds: Bonds;
  /** What is known of an instrument beside its quote. What reads it is redrawn when it changes. */
  readonly factsOf: FindFacts;
  /** The tickers on the board, in order. */
  readonly shown: ReadonlySignal<readonly string[]>;
  /** The ticker of the row that had the focus or a click last. */
  readonly chosen: Signal<string | undefined>;
}

export const BoardContext = createContext<Board | undefined>(undefined);

/** The board of which a component is a part. */
export function useBoard(): Board {
  const board = useContext(BoardContext);
  if (board === undefined) throw new Error('the component is no part of a board');
  return board;
}

/** Finds what is known of an instrument of a board beside its quote. */
export function factsIn({ dollars, bonds }: Pick<Board, 'dollars' | 'bonds'>): FindFacts {
  return (ticker) => ({
    info: inCurrency(instruments.value.get(ticker), currency.value),
    dollar: rowOf(dollars, receiptKey(ticker)),
    bond: rowOf(bonds, ticker),
  });
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

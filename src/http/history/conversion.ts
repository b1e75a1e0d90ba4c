import type { Board } from '../../board/board.ts';
import { dollarNames, type CloseDollar } from '../../contract/paths/dolares.ts';
import { tickerOfDollar } from '../../domain/dollars/dollar.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';

/** The instrument whose prices convert others. Undefined in a universe without it. */
export function dollarInstrument(
  board: Pick<Board, 'named'>,
  dollar: CloseDollar,
): Instrument | undefined {
  return board.named({ tickers: [tickerOfDollar(dollar)] }).instruments[0];
}

/** The fields of a response with converted prices (contract 4.1.8 and 4.2.17). */
export function conversionFields(dollar: CloseDollar, omitted: number): readonly string[] {
  return [
    'cambio',
    dollarNames[dollar],
    ...(omitted > 0 ? ['missing-cambios', String(omitted)] : []),
  ];
}

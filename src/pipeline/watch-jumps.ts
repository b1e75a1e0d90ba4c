import type { Board } from '../board/board.ts';
import type { Instrument } from '../domain/instrument.ts';
import { isJump } from '../domain/jump.ts';
import type { PlainDate } from '../domain/plain-date.ts';
import type { Quote } from '../domain/quote.ts';

/**
 * Tells of quotes that a feed has moved further than their kind usually moves, once an instrument
 * and session, until disposed. What comes from history alone is not told: the import judges that.
 */
export function watchJumps(board: Board, onJump: (quote: Quote) => void): Disposable {
  const told = new Map<Instrument, PlainDate>();
  return board.subscribe((quotes) => {
    for (const quote of quotes) {
      if (quote.asOf === undefined || !isJump(quote)) continue;
      if (told.get(quote.instrument) === quote.sessionDate) continue;
      told.set(quote.instrument, quote.sessionDate);
      onJump(quote);
    }
  });
}

import type { Board } from '../../board/board.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { isJump } from '../../domain/quotes/jump.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Quote } from '../../domain/quotes/quote.ts';

/**
 * Reports quotes that a feed has moved further than is usual for their kind of instrument, until
 * disposed. Each instrument is reported once a session. Quotes that come from history only are not
 * reported, because the import checks those.
 */
export function watchJumps(board: Board, onJump: (quote: Quote) => void): Disposable {
  const reported = new Map<Instrument, PlainDate>();
  return board.subscribe((quotes) => {
    for (const quote of quotes) {
      if (quote.asOf === undefined || !isJump(quote)) continue;
      if (reported.get(quote.instrument) === quote.sessionDate) continue;
      reported.set(quote.instrument, quote.sessionDate);
      onJump(quote);
    }
  });
}

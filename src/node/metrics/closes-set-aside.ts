import type { Board } from '../../board/board.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { isInForce } from '../../domain/quotes/set-aside-base.ts';

/** The quotes whose prices contradict a stored close, in the order of the universe. */
export function closesSetAside(board: Board): readonly Quote[] {
  return board.universe.instruments.flatMap((instrument) => {
    const quote = board.quote(instrument);
    return quote !== undefined && isInForce(quote.setAside) ? [quote] : [];
  });
}

import type { Board } from '../board/board.ts';
import type { Bus } from '../bus/bus.ts';

/** Subscribes a board to a bus until disposed. */
export function serve(bus: Bus, board: Board): Disposable {
  return bus.subscribe((quotes) => board.adopt(quotes));
}

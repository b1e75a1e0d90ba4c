import type { Board } from '../board/board.ts';
import type { Bus } from '../bus/bus.ts';

/** Lets a board follow a bus until disposed. */
export function serve(bus: Bus, board: Board): Disposable {
  return bus.subscribe((quotes) => board.adopt(quotes));
}

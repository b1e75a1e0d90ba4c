import type { Board } from '../../board/board.ts';
import type { BusReader } from '../../bus/bus.ts';

/** Lets a board follow a bus until disposed. */
export function serve(bus: BusReader, board: Board): Disposable {
  return bus.follow(0, (quotes) => board.adopt(quotes));
}

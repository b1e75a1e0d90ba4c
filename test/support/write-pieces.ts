import type { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

/** Turns of the event loop in which a server of the same process reads what was written. */
const turnsPerPiece = 3;

/**
 * Writes bytes in pieces, cut at shares of their length, so that the server reads them one by one. The
 * socket is connected.
 */
export async function writePieces(
  socket: Duplex,
  bytes: Buffer,
  cuts: readonly number[],
): Promise<void> {
  const places = cuts.map((share) => Math.round(share * bytes.length));
  let from = 0;
  for (const place of places.toSorted((one, other) => one - other)) {
    if (place === from) continue;
    socket.write(bytes.subarray(from, place));
    from = place;
    for (let turns = 0; turns < turnsPerPiece; turns += 1) await turn();
  }
  if (from < bytes.length) socket.write(bytes.subarray(from));
}

import type { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

/** Number of turns of the event loop after each piece, in which a server in this process reads it. */
const turnsPerPiece = 3;

/**
 * Writes bytes in pieces, so that the server reads them one by one. The cuts are fractions of the length. The
 * socket must be connected.
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

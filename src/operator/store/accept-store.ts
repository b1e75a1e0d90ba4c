import { openPlace } from '../../node/place/open-place.ts';

/**
 * Declares that a store replaces the database with another line. Nodes may be running.
 *
 * @param insteadOf the replaced line.
 * @throws {StoreFault} when the store cannot be reached, or there is nothing to declare.
 */
export async function acceptStore(
  storeAt: string,
  insteadOf: string,
): Promise<{ readonly name: string; readonly line: string }> {
  await using place = openPlace(storeAt);
  return { name: place.name, line: await place.acceptInsteadOf(insteadOf) };
}

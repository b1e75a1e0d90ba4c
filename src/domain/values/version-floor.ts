/** Upper limit of the versions that are assigned per millisecond, averaged over time. */
const versionsPerMsMax = 100;

/**
 * A version that is greater than all versions that any node assigned before an instant. It is used where
 * stored versions may have been lost: after a backup was restored, and when another node becomes the writer
 * of a database that may have lost its last commits.
 *
 * @param now in epoch milliseconds.
 */
export function versionFloor(now: number): number {
  return Math.floor(now * versionsPerMsMax);
}

/**
 * Loaded before the program (`--import`): the process and its threads read the time from a file, as eight bytes of
 * epoch milliseconds. So two builds have one clock, and the replay sets it. Durations (`performance.now`) are real.
 */
import { openSync, readSync } from 'node:fs';

const file = openSync(process.env['REPLAY_CLOCK'] ?? '', 'r');
const bytes = new DataView(new ArrayBuffer(8));
const now = (): number => {
  readSync(file, bytes, 0, 8, 0);
  return Number(bytes.getBigInt64(0));
};

const RealDate = Date;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
});
RealDate.now = now;
Temporal.Now.instant = () => Temporal.Instant.fromEpochMilliseconds(now());

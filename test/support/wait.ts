import { once as nodeOnce, type EventEmitter } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

import { systemClock } from '../../src/lib/time/clock.ts';

/** Maximum time of one wait, in milliseconds. No machine is too slow for it: it only ends a wait that would not end. */
const waitMsMax = 180_000;

/** Maximum run time of a process that a test starts, in milliseconds. */
export const processMsMax = 3_600_000;

/**
 * The pause between two checks of a condition, in milliseconds, and as a part of the time that the wait has
 * lasted. A condition may be a request to a service, so a long wait does not keep two processes busy.
 */
const [pauseMsMin, pauseMsMax, pausePart] = [5, 50, 0.1];

interface WaitOptions {
  /** Maximum time of the wait, in milliseconds. Then the test fails. */
  readonly withinMs?: number;
}

/**
 * Waits until a condition is true, and returns its value. With `everyTurn`, the condition is checked in each
 * turn of the event loop. That is only useful for a condition within this process.
 *
 * @param what names the condition in the error.
 * @throws when the condition is not true within the limit.
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  { withinMs = waitMsMax, everyTurn = false }: WaitOptions & { readonly everyTurn?: boolean } = {},
): Promise<Exclude<T, false | undefined>> {
  const late = new Error(`${what}: not within ${withinMs} ms`);
  const startedAt = systemClock.monotonic();
  for (;;) {
    const value = await condition();
    if (value !== false && value !== undefined) return value as Exclude<T, false | undefined>;
    const lastedMs = systemClock.monotonic() - startedAt;
    if (lastedMs >= withinMs) throw late;
    const pauseMs = Math.min(Math.max(pauseMsMin, lastedMs * pausePart), pauseMsMax);
    await (everyTurn ? nextTurn() : sleep(pauseMs));
  }
}

/** As Node's `once`, with a time limit. */
export async function once(
  emitter: EventEmitter,
  event: string,
  { withinMs = waitMsMax }: WaitOptions = {},
): Promise<unknown[]> {
  const late = new Error(`no event ${event} within ${withinMs} ms`);
  const limit = AbortSignal.timeout(withinMs);
  try {
    return await nodeOnce(emitter, event, { signal: limit });
  } catch (fault) {
    throw limit.aborted ? late : fault;
  }
}

/** Waits for an existing promise, with a time limit from now on. */
export async function within<T>(
  what: string,
  promise: Promise<T>,
  { withinMs = waitMsMax }: WaitOptions = {},
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const fault = new Error(`${what}: not within ${withinMs} ms`);
  const timer = setTimeout(() => reject(fault), withinMs);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** As `Promise.withResolvers`, with a time limit. Then the promise is rejected. */
export function deferred<T>({ withinMs = waitMsMax }: WaitOptions = {}): PromiseWithResolvers<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const late = new Error(`not settled within ${withinMs} ms`);
  const timer = setTimeout(() => reject(late), withinMs).unref();
  const stop = (): void => clearTimeout(timer);
  // The handlers also prevent an unhandled rejection when no part of the test waits for the promise.
  promise.then(stop, stop);
  return { promise, resolve, reject };
}

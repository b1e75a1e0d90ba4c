/**
 * Moves the time of a program that a test starts with `--import`. The variable `TIME_MACHINE` names a
 * file with the time. At SIGUSR2 the program reads it again, and the pauses that end before the new time
 * end at once. Short pauses are not affected, and neither are other threads.
 */
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { TimerOptions } from 'node:timers';
import timers from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';

/** Shorter pauses are between steps of the program rather than until some time, in milliseconds. */
const longPauseMs = 5_000;

function travel(file: string): void {
  const realNow = Date.now.bind(Date);
  const realPause = timers.setTimeout;
  const aheadMs = (): number => Date.parse(readFileSync(file, 'utf8')) - realNow();
  let ahead = aheadMs();
  const pauses = new Set<() => void>();

  Date.now = () => realNow() + ahead;
  timers.setTimeout = async <T>(ms = 0, value?: T, options: TimerOptions = {}) => {
    if (ms < longPauseMs) return realPause(ms, value, options);
    const until = Date.now() + ms;
    const over = new AbortController();
    const endIfOver = (): void => {
      if (Date.now() >= until) over.abort();
    };
    pauses.add(endIfOver);
    try {
      const signals = [over.signal, ...(options.signal === undefined ? [] : [options.signal])];
      return await realPause(ms, value, { ...options, signal: AbortSignal.any(signals) });
    } catch (error) {
      if (over.signal.aborted && options.signal?.aborted !== true) return value as T;
      throw error;
    } finally {
      pauses.delete(endIfOver);
    }
  };
  // Modules that import the function by its name get the new one.
  syncBuiltinESMExports();
  process.on('SIGUSR2', () => {
    ahead = aheadMs();
    for (const endIfOver of pauses) endIfOver();
  });
}

const { TIME_MACHINE: file } = process.env;
if (isMainThread && file !== undefined) travel(file);

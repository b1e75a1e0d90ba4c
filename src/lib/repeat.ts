import { setTimeout as sleep } from 'node:timers/promises';

import { isPowerOfTwo } from './is-power-of-two.ts';

/**
 * Does a piece of work again and again, with a pause after each time it has finished, so that slow
 * work never overlaps itself. Begins with a pause. Work that fails is tried again after the next
 * pause; of many failures in a row `onFault` hears of the first, second, fourth and so on, for what
 * fails may do so several times a second for days. Disposing waits for work under way.
 */
export function repeat(
  work: () => Promise<void>,
  options: { readonly pauseMs: number; readonly onFault: (fault: unknown) => void },
): AsyncDisposable {
  const stopping = new AbortController();
  const running = run(work, options, stopping.signal);
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}

async function run(
  work: () => Promise<void>,
  { pauseMs, onFault }: { readonly pauseMs: number; readonly onFault: (fault: unknown) => void },
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await sleep(pauseMs, undefined, { signal });
    } catch {
      return;
    }
    try {
      await work();
      failures = 0;
    } catch (fault) {
      failures += 1;
      if (isPowerOfTwo(failures)) onFault(fault);
    }
  }
}

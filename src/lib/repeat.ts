import { isPowerOfTwo } from './is-power-of-two.ts';
import { pauseInRealTime } from './pause.ts';

/**
 * Calls `work` repeatedly, with a pause before each call. A call starts only after the previous one
 * has finished, so slow work never overlaps itself. Work that fails is retried after the next pause.
 * Work may fail several times a second for days, so `onFault` is called only for the first, second,
 * fourth, eighth and so on of the failures in a row. Disposing waits for the call under way.
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
      await pauseInRealTime(pauseMs, signal);
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

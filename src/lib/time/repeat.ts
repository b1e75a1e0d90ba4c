import { isPowerOfTwo } from '../numbers/is-power-of-two.ts';
import { pauseInRealTime } from './pause.ts';

/** Work that is repeated until disposed. */
export interface Repeated extends AsyncDisposable {
  /** Ends the pause under way. During a call, it makes the next call follow without a pause. */
  wake(): void;
}

/**
 * Calls `work` repeatedly, with a pause before each call. A call starts only after the previous one
 * has finished, so slow work never overlaps itself. Work that fails is retried after the next pause, and
 * nothing shortens that pause. Work may fail several times a second for days, so `onFault` is called only
 * for the first, second, fourth, eighth and so on of the failures in a row. Disposing waits for the call
 * under way.
 */
export function repeat(
  work: () => Promise<void>,
  options: { readonly pauseMs: number; readonly onFault: (fault: unknown) => void },
): Repeated {
  const stopping = new AbortController();
  const waking = new Waking();
  const running = run(work, options, { waking, signal: stopping.signal });
  return {
    wake: () => waking.wake(),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      waking.wake();
      await running;
    },
  };
}

async function run(
  work: () => Promise<void>,
  { pauseMs, onFault }: { readonly pauseMs: number; readonly onFault: (fault: unknown) => void },
  { waking, signal }: { readonly waking: Waking; readonly signal: AbortSignal },
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    // Work that fails is not woken: its cause would be asked as often as hints come.
    await (failures === 0 ? waking.pause(pauseMs) : sleep(pauseMs, signal));
    if (signal.aborted) return;
    try {
      await work();
      failures = 0;
    } catch (fault) {
      failures += 1;
      if (isPowerOfTwo(failures)) onFault(fault);
    }
  }
}

/** A pause that can be ended early. */
export class Waking {
  #isWoken = false;
  #pausing: AbortController | undefined;

  wake(): void {
    this.#isWoken = true;
    this.#pausing?.abort();
  }

  async pause(ms: number): Promise<void> {
    if (!this.#isWoken) {
      this.#pausing = new AbortController();
      await sleep(ms, this.#pausing.signal);
      this.#pausing = undefined;
    }
    this.#isWoken = false;
  }
}

/** Waits until the time is over or the signal aborts. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await pauseInRealTime(ms, signal).catch(() => undefined);
}

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Frees the memory that nothing refers to. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** The memory in use after a collection, in MiB. */
export function heapMiB(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1_048_576;
}

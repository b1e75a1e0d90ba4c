import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The memory in use after a collection, in MiB. */
export function heapMiB(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 1_048_576;
}

import { readdirSync, statSync } from 'node:fs';

/** Where Linux lists the open file descriptors of this process. */
const list = '/proc/self/fd';

/**
 * The number of open file descriptors of this process; undefined where the system does not say. Linux 6.2 and later
 * has it as the size of their list. To read the list takes 8 ms with 10,000 streams, and requests would wait
 * meanwhile.
 */
export function countOpenFiles(): number | undefined {
  try {
    const { size } = statSync(list);
    // The list has the descriptor through which it is read.
    return size > 0 ? size : readdirSync(list).length - 1;
  } catch {
    return undefined;
  }
}

import { StoreFault } from '../contract/store-fault.ts';

/**
 * The fault of damaged data.
 *
 * @param where the file or the database, for people.
 */
export function damaged(where: string, reason: string, cause?: unknown): StoreFault {
  const message = `${where} is not a database or is damaged (${reason})`;
  return new StoreFault('corrupt', message, { cause });
}

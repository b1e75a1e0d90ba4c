import { StoreFault } from '../../contract/store-fault.ts';

/** The fault of a URL that cannot be used. It does not repeat the URL, which may contain a password. */
export function mistake(reason: string): StoreFault {
  return new StoreFault('unavailable', `the URL of the store is wrong: ${reason}`);
}

import { StoreFault } from '../contract/store-fault.ts';

/** The subject in `revisions` that marks a store which is being copied. A copy removes it when it is complete. */
export const unfinishedCopy = 'unfinished copy';

/**
 * The fault of a store that is the target of an interrupted copy.
 *
 * @param where the place, for people.
 * @param removal how to remove the place.
 */
export function unfinishedFault(where: string, removal: string): StoreFault {
  return new StoreFault(
    'unfinished',
    `${where} is an incomplete copy: "pizarra store copy" runs, or was interrupted. To continue, run ` +
      `"pizarra store copy" with the same --from and --to again. To remove the copy, ${removal}`,
  );
}

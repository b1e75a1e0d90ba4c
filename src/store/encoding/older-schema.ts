import { StoreFault } from '../contract/store-fault.ts';

/**
 * The fault of a store that an older version of the program wrote. Tables of another schema are never changed.
 *
 * @param where the place, for people.
 * @param empty what the history can be imported into.
 */
export function olderSchemaFault(
  where: string,
  {
    version,
    needed,
    empty,
  }: { readonly version: number; readonly needed: number; readonly empty: string },
): StoreFault {
  return new StoreFault(
    'schema-older',
    `${where} has schema ${version} of an older version of Pizarra, and this version needs schema ` +
      `${needed}. Run "pizarra export" of the older version, and "pizarra import" of this version into ${empty}`,
  );
}

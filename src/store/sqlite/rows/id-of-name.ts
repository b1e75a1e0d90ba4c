import type { StatementSync } from 'node:sqlite';

/** The statements of a table that gives an id to each name. */
export interface NameStatements {
  readonly add: StatementSync;
  readonly find: StatementSync;
}

/** The id of a name. A new name gets a new id. */
export function idOfName({ add, find }: NameStatements, name: string): number {
  let row = find.get(name);
  if (row === undefined) {
    add.run(name);
    row = find.get(name);
  }
  const [id] = row as unknown as readonly [number];
  return id;
}

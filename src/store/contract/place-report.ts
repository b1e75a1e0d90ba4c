/** The properties of a sound store. */
export interface StoreInspection {
  readonly bytes: number;
  /** Size of what is not merged into the file yet: the write-ahead log of SQLite. 0 without one. */
  readonly logBytes: number;
  /** Version of the store's schema. */
  readonly schema: number;
  /** The number of rows of each table, by table name: `closes`, `quotes` and others. */
  readonly rows: Readonly<Record<string, number>>;
}

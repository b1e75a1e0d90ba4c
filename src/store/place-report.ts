/** The properties of a sound store. */
export interface StoreInspection {
  readonly bytes: number;
  /** Size of what is not merged into the file yet: the write-ahead log of SQLite. 0 without one. */
  readonly logBytes: number;
  /** Version of the store's schema. */
  readonly schema: number;
  /** Version of the schema that this program needs. */
  readonly newestSchema: number;
  /** The number of rows of each table, by table name. `closes` and `quotes` are always present. */
  readonly rows: Readonly<Record<string, number>>;
}

/** One result of checking what surrounds a store. It never contains a secret. */
export interface PlaceFinding {
  /** The subject, in a word or two. */
  readonly check: string;
  readonly state: 'fine' | 'warning' | 'wrong';
  /** The result, as a sentence. */
  readonly says: string;
  /** What to do. Absent if and only if the state is `fine`. */
  readonly todo?: string;
  /** The single cases, if there may be several. */
  readonly cases?: readonly string[];
}

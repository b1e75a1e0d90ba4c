/** The cells of one row of a table, as text. */
export type Row = readonly string[];

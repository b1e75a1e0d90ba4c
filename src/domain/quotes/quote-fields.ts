/** What a number measures. It decides which values are possible, and how the number is shown. */
export type Measure = 'price' | 'quantity' | 'count';

/**
 * The numbers that a source reports of a session, by their names in an update. Every other list of them
 * follows from these two, or does not compile without a field that is added here.
 *
 * Every client gets what follows from these.
 */
export const plainFields = {
  last: 'price',
  open: 'price',
  high: 'price',
  low: 'price',
  previousClose: 'price',
  /**
   * The official close of the session of this instant, which is the last session that opened.
   * Unlike the other fields it is also accepted outside the session's hours (contract 2.6.5).
   */
  close: 'price',
  /** Nominal volume of the session so far, not of one trade. */
  volume: 'quantity',
} as const satisfies Readonly<Record<string, Measure>>;

/** The fields of the book. Clients get one only if they request it (contract 2.7, in its order). */
export const bookFields = {
  /** The best price of the buyers. */
  bid: 'price',
  /** The best price of the sellers. It may be below the bid, as in an auction. */
  ask: 'price',
  /** Nominal quantity at the bid. 0 means that there are no buyers. */
  bidSize: 'quantity',
  /** Nominal quantity at the ask. 0 means that there are no sellers. */
  askSize: 'quantity',
  /** Money traded in the session so far, in the currency of the instrument. */
  amount: 'quantity',
  /** Number of trades of the session so far. */
  trades: 'count',
} as const satisfies Readonly<Record<string, Measure>>;

export type PlainField = keyof typeof plainFields;
export type BookField = keyof typeof bookFields;

export const plainFieldNames = Object.keys(plainFields) as readonly PlainField[];
export const bookFieldNames = Object.keys(bookFields) as readonly BookField[];

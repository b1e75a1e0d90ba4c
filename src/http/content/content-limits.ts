/** Limits of what is rendered, and of the memory for it. */
export interface ContentLimits {
  /** Maximum number of tickers in one request. More get 400. */
  readonly tickersMax: number;
  /**
   * Maximum memory for the responses of all paths and for what they are made of, such as rendered series, in bytes.
   * Beyond it, the least recently used is evicted and rendered again when it is needed.
   */
  readonly responsesBytesMax: number;
  /**
   * Maximum number of rows of one response of `/historicos` with `forma`, or of dates multiplied by
   * instruments, and of bars of `/udf/history`. More get 400.
   */
  readonly historyRowsMax: number;
}

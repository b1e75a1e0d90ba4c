/** Limits of what is rendered, and of the memory for it. */
export interface ContentLimits {
  /** Maximum number of tickers in one request. More get 400. */
  readonly tickersMax: number;
  /**
   * Maximum memory for the responses of all paths that have no limit of their own below, in bytes. Beyond it, the
   * least recently used is evicted and rendered again when it is needed.
   */
  readonly responsesBytesMax: number;
  /** The same for the series of `/historicos`. */
  readonly historyCacheBytesMax: number;
  /**
   * Maximum number of rows of one response of `/historicos` with `forma`, or of dates multiplied by
   * instruments, and of bars of `/udf/history`. More get 400.
   */
  readonly historyRowsMax: number;
  /** The same as `responsesBytesMax` for the responses of `/intradiarios`. */
  readonly barCacheBytesMax: number;
  /** The same for the responses of `/recorridos`. */
  readonly pathCacheBytesMax: number;
}

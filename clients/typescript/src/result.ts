/** The rate limit of a key, as of a response (`RateLimit-Policy` and `RateLimit`). */
export interface RateLimit {
  /** The plan of the key, or `key` for a limit of its own. */
  readonly name: string;
  /** A client that never sends more requests than this in `windowSeconds` is never refused. */
  readonly quota: number;
  readonly windowSeconds: number;
  /** Requests that are available now. */
  readonly remaining: number;
  /** Seconds until the whole quota is available again. */
  readonly resetSeconds: number;
}

/** What every response tells besides its data. */
export interface ResponseNotes {
  /** The requested tickers that the data lacks: unknown ones, and those without a quote. At most 50. */
  readonly missing: readonly string[];
  /** The number of further missing tickers. */
  readonly missingOmitted: number;
  /**
   * `ajuste: 'total'` could not include the cash dividends of these ex dates, of several tickers as
   * `TICKER:DATE`. At most 50.
   */
  readonly missingDividends: readonly string[];
  /** The number of further such dividends. */
  readonly missingDividendsOmitted: number;
  /** The requested tickers without terms of their issue, of which bonds have no figures. At most 50. */
  readonly missingTerms: readonly string[];
  /** The number of further such tickers. */
  readonly missingTermsOmitted: number;
  /** The indices and days whose values the figures of bonds lack, such as `CER 2026-11-20`. At most 50. */
  readonly missingIndices: readonly string[];
  /** The number of further such values. */
  readonly missingIndicesOmitted: number;
  /** The number of rows that `moneda` left out, because no price of the dollar converts them. */
  readonly missingRates: number;
  /** Whether the prices are those of a demonstration. */
  readonly isSimulated: boolean;
  /** Undefined if the key has no limit, or if the browser may not read the fields. */
  readonly rateLimit: RateLimit | undefined;
}

/** The data of a response. */
export interface Result<T> extends ResponseNotes {
  /** Do not change it: an unchanged response (304) gives the same object again. */
  readonly data: T;
  /** Whether the service answered that nothing has changed since the last equal request (304). */
  readonly isUnchanged: boolean;
}

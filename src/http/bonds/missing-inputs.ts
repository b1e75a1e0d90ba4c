/** What a response about bonds lacks, each named once (contract 4.10.2). */
export class MissingInputs {
  /** Unknown tickers, and those without a quote. */
  readonly tickers = new Set<string>();
  /** Tickers whose bonds have no terms. */
  readonly terms = new Set<string>();
  /** The index and the day whose value is not known: `CER 2026-11-06`. */
  readonly indices = new Set<string>();

  /** The names by header. */
  names(): Readonly<Record<string, readonly string[]>> {
    return {
      'missing-especies': [...this.tickers],
      'missing-terminos': [...this.terms],
      'missing-indices': [...this.indices],
    };
  }
}

import type { Fields } from '../handler/fields.ts';
import { missingNames } from '../handler/response-draft.ts';

/** What a response about bonds lacks, each named once (contract 4.10.2). */
export class MissingInputs {
  /** Unknown tickers, and those without a quote. */
  readonly tickers = new Set<string>();
  /** Tickers whose bonds have no terms. */
  readonly terms = new Set<string>();
  /** The index and the day whose value is not known: `CER 2026-11-06`. */
  readonly indices = new Set<string>();

  /** The fields of the response that name them. */
  fields(): Fields {
    return missingNames({
      'missing-especies': [...this.tickers],
      'missing-terminos': [...this.terms],
      'missing-indices': [...this.indices],
    });
  }
}

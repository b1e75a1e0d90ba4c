import { inputsOf, type Derivation } from '../instruments/derivation.ts';
import type { Instrument } from '../instruments/instrument.ts';
import type { Universe } from '../instruments/universe.ts';
import type { FaultReason } from '../values/fault-reason.ts';
import type { QuoteSource } from './quote.ts';

/** A source that gives no data while one of its markets is open. */
export interface StaleSource {
  /** The name in the configuration. */
  readonly name: string;
  /** As that of {@link QuoteSource}. */
  readonly via?: string | undefined;
  /** The codes of its markets that are open. */
  readonly markets: readonly string[];
  /** The instant of its last price, in epoch milliseconds. Absent if it has given none. */
  readonly lastPriceAt?: number | undefined;
}

/** What clients see of the sources of a service. */
export interface SourcesState {
  /** Why no source gives prices. Absent while one does. */
  readonly outage?: FaultReason | undefined;
  readonly stale: readonly StaleSource[];
}

/**
 * Finds the instruments whose price is that of a stale source while their market is open. A derived instrument is
 * one of them if one of its inputs is.
 */
export class StaleInstruments {
  readonly #universe: Universe;
  readonly #derivations: ReadonlyMap<Instrument, Derivation>;
  readonly #sourceOf: (instrument: Instrument) => QuoteSource | undefined;

  constructor(
    universe: Universe,
    /** The source in use of an instrument. */
    sourceOf: (instrument: Instrument) => QuoteSource | undefined,
  ) {
    this.#universe = universe;
    this.#derivations = new Map(
      universe.derived.map(({ instrument, derivation }) => [instrument, derivation]),
    );
    this.#sourceOf = sourceOf;
  }

  has(instrument: Instrument, stale: readonly StaleSource[]): boolean {
    if (stale.length === 0) return false;
    const source = this.#sourceOf(instrument);
    if (source === undefined) return false;
    const isOf = ({ name, via, markets }: StaleSource): boolean =>
      markets.includes(instrument.market) &&
      (via === undefined
        ? name === (source.via ?? source.name)
        : via === source.via && name === source.name);
    if (stale.some(isOf)) return true;
    const derivation = this.#derivations.get(instrument);
    if (source.name !== undefined || derivation === undefined) return false;
    return inputsOf(derivation).some((ticker) => this.has(this.#universe.get(ticker), stale));
  }
}

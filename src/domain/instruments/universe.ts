import type { BondTerms } from './bond-terms.ts';
import type { Derivation } from './derivation.ts';
import type { Instrument } from './instrument.ts';
import type { Market } from '../calendar/market.ts';
import type { PanelCode } from './panel.ts';
import { otherClassKeys, tickerKey, type Ticker, type TickerKey } from './ticker.ts';

/** A derived instrument with its rule. */
export interface DerivedInstrument {
  readonly instrument: Instrument;
  readonly derivation: Derivation;
}

/**
 * All instruments, panels and markets that one installation serves. Immutable and consistent: every
 * ticker, market and panel that a universe refers to exists in it.
 */
export class Universe {
  /** In the order of the universe file; `instruments[i].position === i`. */
  readonly instruments: readonly Instrument[];
  readonly markets: ReadonlyMap<string, Market>;
  /** The members of all eleven panels, in panel order. BON and BONOS are the same array. */
  readonly panels: ReadonlyMap<PanelCode, readonly Instrument[]>;
  /** Ordered so that every derived instrument comes after its inputs. */
  readonly derived: readonly DerivedInstrument[];
  /** The terms of issues, whose tickers all exist. An issue without terms is not listed. */
  readonly bondTerms: readonly BondTerms[];
  readonly #byKey: ReadonlyMap<TickerKey, Instrument>;

  constructor(parts: {
    readonly instruments: readonly Instrument[];
    readonly markets: ReadonlyMap<string, Market>;
    readonly panels: ReadonlyMap<PanelCode, readonly Instrument[]>;
    readonly derived: readonly DerivedInstrument[];
    readonly bondTerms: readonly BondTerms[];
  }) {
    this.instruments = parts.instruments;
    this.markets = parts.markets;
    this.panels = parts.panels;
    this.derived = parts.derived;
    this.bondTerms = parts.bondTerms;
    this.#byKey = byKeyOf(parts.instruments);
  }

  /** The instrument that any spelling of a ticker identifies (contract 2.5.2). */
  find(spelling: string): Instrument | undefined {
    return this.#byKey.get(spelling as TickerKey) ?? this.#byKey.get(tickerKey(spelling));
  }

  /** The members of a panel; without a panel, all instruments. */
  listOf(panel: PanelCode | undefined): readonly Instrument[] {
    return panel === undefined ? this.instruments : (this.panels.get(panel) ?? []);
  }

  /** The instrument of a canonical ticker. Throws when it does not exist. */
  get(ticker: Ticker): Instrument {
    const instrument = this.find(ticker);
    if (instrument === undefined) throw new Error(`no instrument ${ticker} in the universe`);
    return instrument;
  }

  /** The market of an instrument of this universe. */
  marketOf(instrument: Instrument): Market {
    const market = this.markets.get(instrument.market);
    if (market === undefined) throw new Error(`no market ${instrument.market} in the universe`);
    return market;
  }
}

/** The instruments by every key under which they are found. A spelling that two instruments could mean is none of them. */
function byKeyOf(instruments: readonly Instrument[]): ReadonlyMap<TickerKey, Instrument> {
  const further = Map.groupBy(
    instruments.flatMap((one) => otherClassKeys(one.ticker).map((key) => [key, one] as const)),
    ([key]) => key,
  );
  const unambiguous = [...further.values()].flatMap((found) => (found.length === 1 ? found : []));
  return new Map([
    ...unambiguous,
    ...instruments.map((one) => [tickerKey(one.ticker), one] as const),
  ]);
}

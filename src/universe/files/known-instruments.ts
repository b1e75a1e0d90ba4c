import type { Instrument } from '../../domain/instruments/instrument.ts';
import { tickerKey, type TickerKey } from '../../domain/instruments/ticker.ts';

/** The instruments to which the other files refer. */
export interface KnownInstruments {
  /** By the key of the ticker. */
  readonly byKey: ReadonlyMap<TickerKey, Instrument>;
  /** All tickers of `instruments.csv` with their lines, faulty rows included: a reference to one is valid. */
  readonly declared: ReadonlyMap<TickerKey, number>;
}

/** The instrument that a file refers to. Undefined after a fault, and if its own row has one. */
export function referredTo(
  written: string,
  { byKey, declared }: KnownInstruments,
  fault: (message: string) => void,
): Instrument | undefined {
  const key = tickerKey(written);
  const instrument = byKey.get(key);
  if (instrument === undefined && !declared.has(key)) {
    fault('unknown instrument; instruments.csv has no row with this ticker');
  }
  return instrument;
}

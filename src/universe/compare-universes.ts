import { isDeepStrictEqual } from 'node:util';
import type { BondTerms } from '../domain/instruments/bond-terms.ts';
import type { Instrument } from '../domain/instruments/instrument.ts';
import { panelCodes, type PanelCode } from '../domain/instruments/panel.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import type { Universe } from '../domain/instruments/universe.ts';

/** The differences between two universes. */
export interface UniverseChanges {
  readonly added: readonly Ticker[];
  readonly removed: readonly Ticker[];
  /** In both, with another name, kind, market, decimals, derivation or other property. */
  readonly changed: readonly Ticker[];
  /** The panels whose members or their order differ. */
  readonly panels: readonly PanelCode[];
  /** The issues whose terms were added, removed or changed, by their ticker. */
  readonly terms: readonly Ticker[];
  /** The markets that were added or removed, or have other hours or holidays. */
  readonly markets: readonly string[];
}

/** Compares two universes, such as before and after an operator's edit. */
export function compareUniverses(from: Universe, to: Universe): UniverseChanges {
  const before = descriptionsOf(from);
  const after = descriptionsOf(to);
  const marketCodes = new Set([...from.markets.keys(), ...to.markets.keys()]);
  return {
    added: [...after.keys()].filter((ticker) => !before.has(ticker)),
    removed: [...before.keys()].filter((ticker) => !after.has(ticker)),
    changed: [...after].flatMap(([ticker, description]) => {
      const held = before.get(ticker);
      return held === undefined || isDeepStrictEqual(held, description) ? [] : [ticker];
    }),
    panels: panelCodes.filter(
      (code) => !isDeepStrictEqual(membersOf(from, code), membersOf(to, code)),
    ),
    terms: changedTerms(from, to),
    markets: [...marketCodes].filter(
      (code) => !isDeepStrictEqual(from.markets.get(code), to.markets.get(code)),
    ),
  };
}

function changedTerms(from: Universe, to: Universe): readonly Ticker[] {
  const [before, after] = [termsOf(from), termsOf(to)];
  const tickers = new Set([...after.keys(), ...before.keys()]);
  return [...tickers].filter((ticker) => !isDeepStrictEqual(before.get(ticker), after.get(ticker)));
}

function termsOf({ bondTerms }: Universe): ReadonlyMap<Ticker, BondTerms> {
  return new Map(bondTerms.map((terms) => [terms.ticker, terms]));
}

/** All properties of each instrument except its position in the file. */
function descriptionsOf({ instruments, derived }: Universe): ReadonlyMap<Ticker, object> {
  const derivations = new Map(
    derived.map(({ instrument, derivation }) => [instrument.ticker, derivation]),
  );
  return new Map(
    instruments.map((instrument: Instrument) => {
      const { position: _, ...described } = instrument;
      return [instrument.ticker, { ...described, derivation: derivations.get(instrument.ticker) }];
    }),
  );
}

function membersOf(universe: Universe, code: PanelCode): readonly Ticker[] {
  return (universe.panels.get(code) ?? []).map(({ ticker }) => ticker);
}

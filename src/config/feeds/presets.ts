import { Universe } from '../../domain/instruments/universe.ts';
import type { Settings } from '../settings/settings.ts';

/** One source of a preset. */
interface PresetSource {
  /** The feed, as it is written in a configuration file. */
  readonly feed: { readonly name: string; readonly type: string };
  /** Whose data it is, and under what terms. One line; `docs/sources.md` has the rest. */
  readonly terms: string;
}

/** The sources that `market` names, and what they change in the universe. */
interface Preset {
  /** In the order in which they are preferred for an instrument that several of them have. */
  readonly sources: readonly PresetSource[];
  /** Derived instruments that are taken from a source, because their inputs have none. */
  readonly direct: readonly string[];
}

/** The sources that need no account and whose terms permit the use. */
const open: readonly PresetSource[] = [
  source('bcra', 'BCRA (public data)'),
  source('argentinadatos', 'argentinadatos.com (MIT)'),
  source('criptoya', 'CriptoYa (no published terms)'),
  source('dolarapi', 'dolarapi.com (MIT)'),
  source('binance', 'Binance (terms of the exchange)'),
  source('kraken', 'Kraken (terms of the exchange)'),
];

/** The sources that need no account and whose terms are doubtful. */
const doubtful: readonly PresetSource[] = [
  source('data912', 'data912.com (educational use only)'),
  source('byma', 'BYMA Open Data (no published terms)'),
  source('cnbc', 'CNBC (no published terms for programs)'),
  source('yahoo', 'Yahoo Finance (personal use only)'),
];

function source(type: string, terms: string): PresetSource {
  return { feed: { name: type, type }, terms };
}

/** The presets by the value of the setting `market`. */
export const presets: Readonly<Record<Settings['market'], Preset>> = {
  none: { sources: [], direct: [] },
  argentina: {
    sources: open,
    // No source of this preset has the bonds that they are derived from.
    direct: ['DOLAR MEP', 'DOLAR CCL'],
  },
  'argentina-completo': { sources: [...doubtful, ...open], direct: [] },
};

/** Whose data a preset shows and under what terms, on one line. Undefined without a preset. */
export function presetTerms({ market }: Pick<Settings, 'market'>): string | undefined {
  const { sources } = presets[market];
  return sources.length === 0 ? undefined : sources.map(({ terms }) => terms).join(', ');
}

/** The universe of a preset: some of the derived instruments are taken from a source. */
export function presetUniverse(universe: Universe, { market }: Pick<Settings, 'market'>): Universe {
  const direct = new Set(presets[market].direct.map((ticker) => universe.find(ticker)));
  if (direct.size === 0) return universe;
  const derived = universe.derived.filter(({ instrument }) => !direct.has(instrument));
  const { instruments, markets, panels, bondTerms } = universe;
  return new Universe({ instruments, markets, panels, derived, bondTerms });
}

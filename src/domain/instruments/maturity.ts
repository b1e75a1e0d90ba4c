import { tickersOf } from './bond-terms.ts';
import type { Instrument, InstrumentKind } from './instrument.ts';
import { MarketCalendars } from './market-calendars.ts';
import type { PanelCode } from './panel.ts';
import type { PlainDate } from '../calendar/plain-date.ts';
import type { Universe } from './universe.ts';

const maturingKinds: ReadonlySet<InstrumentKind> = new Set(['bond', 'corporate-bond', 'bill']);

/** Whether an instrument of a kind can have a maturity. */
export function canMature(kind: InstrumentKind): boolean {
  return maturingKinds.has(kind);
}

/** An instrument that has matured. */
export interface MaturedInstrument {
  readonly instrument: Instrument;
  readonly maturity: PlainDate;
  /** The panels that still have it. An alias of a panel is not named beside it. */
  readonly panels: readonly PanelCode[];
}

/**
 * The instruments of a universe that have matured at an instant, in the order of the universe. An
 * instrument has matured from the day of its maturity on, by the time zone of its market. One without a
 * maturity has that of the terms of its issue.
 */
export function maturedAt(universe: Universe, now: number): readonly MaturedInstrument[] {
  const calendars = new MarketCalendars(universe);
  const today = new Map(
    [...calendars.byMarket].map(([code, calendar]) => [code, calendar.dateAt(now)]),
  );
  const panels = [...universe.panels].filter(([code]) => code !== 'BON');
  const issues = new Map(
    universe.bondTerms.flatMap((terms) =>
      tickersOf(terms).map((ticker) => [ticker, terms.maturity] as const),
    ),
  );
  return universe.instruments.flatMap((instrument) => {
    const { ticker, market } = instrument;
    const maturity = instrument.maturity ?? issues.get(ticker);
    if (maturity === undefined || maturity > (today.get(market) ?? '')) return [];
    const holding = panels.filter(([, members]) => members.includes(instrument));
    return [{ instrument, maturity, panels: holding.map(([code]) => code) }];
  });
}

import type { BondTerms } from '../instruments/bond-terms.ts';
import type { BusinessDays } from '../calendar/business-days.ts';
import { scheduleOf, type BondFlow } from './bond-schedule.ts';

/** An issue with its payments. Immutable; built once, when the terms load. */
export interface Bond {
  readonly terms: BondTerms;
  /** In order of date; at least one. */
  readonly flows: readonly BondFlow[];
  /** The days on which the market of the bond settles. */
  readonly days: BusinessDays;
}

/** Builds a bond from sound terms. */
export function makeBond(terms: BondTerms, days: BusinessDays): Bond {
  return { terms, flows: scheduleOf(terms, days), days };
}

/**
 * The currency of the flows after they are multiplied by the index. An exchange rate as index turns flows in
 * dollars into pesos.
 */
export function valuedIn({ currency, indexation }: BondTerms): string {
  return indexation?.index === 'A3500' ? 'ARS' : currency;
}

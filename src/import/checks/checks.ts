import type { Check } from './checked-table.ts';
import { longerBars, shiftedDays } from './refuse-other-days.ts';
import { alikeValues, mixedRows, noPrices } from './refuse-no-prices.ts';
import { otherCurrency, otherSessions } from './refuse-other-instrument.ts';

/** Every check of a table, in order: the first that refuses it gives the reason. */
export const checks: readonly Check[] = [
  mixedRows,
  noPrices,
  alikeValues,
  longerBars,
  otherCurrency,
  shiftedDays,
  otherSessions,
];

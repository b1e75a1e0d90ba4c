import type { Check } from './checked-table.ts';
import { longerBars } from './refuse-bars.ts';
import { mixedRows } from './refuse-mixed.ts';
import { alikeValues, noPrices } from './refuse-no-prices.ts';
import { otherCurrency, otherSessions } from './refuse-other-instrument.ts';
import { shiftedDays } from './refuse-shifted-days.ts';

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

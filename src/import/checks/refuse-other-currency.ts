import type { Instrument } from '../../domain/instruments/instrument.ts';
import { operatorKnows } from '../refusals/advice.ts';
import type { BoundSeries } from '../names/binding.ts';
import { closesInHead } from './head-closes.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import type { TableHead } from '../layouts/layout.ts';
import type { KnownNames } from '../names/known-names.ts';
import type { SettledReading } from '../recognition/recognise.ts';
import { currencyRuleOf, isOtherCurrency } from '../closes/stated-currency.ts';

/**
 * Refuses a table whose first rows all state another currency than that of their instruments. Where only
 * some rows do, these are rejected.
 *
 * @throws {ImportRefusal} `option-mismatch`, with both currencies.
 */
export function refuseOtherCurrency(
  head: TableHead,
  reading: SettledReading,
  series: readonly BoundSeries[],
  { instruments }: KnownNames,
): void {
  const ruleOf = currencyRuleOf(reading, head.path);
  let example: { readonly stated: string; readonly instrument: Instrument } | undefined;
  for (const one of series) {
    for (const { row, target } of closesInHead(head, reading, one)) {
      if (target === undefined) continue;
      const { instrument } = target;
      const stated = ruleOf(row, one.columns, instrument);
      if (stated === undefined || !isOtherCurrency(stated, instrument)) return;
      example ??= { stated, instrument };
    }
  }
  if (example === undefined) return;
  const { stated, instrument } = example;
  const { ticker, currency } = instrument;
  const isAny = instruments.some((one) => one.currency === stated);
  throw new ImportRefusal(
    'option-mismatch',
    `the prices are in ${stated}, and ${ticker} is quoted in ${currency}`,
    {
      advice: {
        kind: 'name-instrument-in-currency',
        suggestions: isAny ? [{ ticker: operatorKnows }] : [],
      },
    },
  );
}

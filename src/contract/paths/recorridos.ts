import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { msPerMinute } from '../../domain/quotes/minute-bar.ts';
import type { SessionSteps } from '../../domain/quotes/session-steps.ts';
import { buenosAiresTime } from '../../wire/texts/buenos-aires-time.ts';
import { formatValue } from '../../wire/texts/number.ts';
import { operation } from '../operation.ts';
import { described } from '../part.ts';
import { selection } from '../parts.ts';

const asThere = { es: 'Como en `/cotizaciones`.' };

/** The paths of the sessions of a selection (contract 4.13). */
export const recorridos = operation({
  path: '/recorridos',
  clause: '4.13',
  params: { selection: described(selection, { especie: asThere, panel: asThere }) },
});

/**
 * The element of an instrument in the body: the fields of contract 2.10, in its order.
 *
 * @param prices those of the steps before the one under way, as {@link pricesJson} has them.
 * @param last the price of the step under way, after them. Absent without one.
 */
export function pathJson(
  instrument: Instrument,
  {
    session,
    steps,
    prices,
    last,
  }: {
    readonly session: PlainDate;
    readonly steps: SessionSteps;
    readonly prices: string;
    readonly last?: number | undefined;
  },
): string {
  const start = buenosAiresTime(steps.openMinute * msPerMinute);
  const latest = last === undefined ? [] : [formatValue(last, instrument)];
  const values = [...(prices === '' ? [] : [prices]), ...latest].join(',');
  return (
    `{"especie":${JSON.stringify(instrument.ticker)},"fecha":"${session}","desde":"${start}"` +
    `,"pasoMinutos":${steps.length},"valores":[${values}]}`
  );
}

/** Prices of steps, separated by commas. Null for a step without a price. */
export function pricesJson(instrument: Instrument, prices: readonly (number | null)[]): string {
  return prices
    .map((price) => (price === null ? 'null' : formatValue(price, instrument)))
    .join(',');
}

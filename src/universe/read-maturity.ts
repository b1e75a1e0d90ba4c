import type { Instrument, InstrumentKind } from '../domain/instruments/instrument.ts';
import { canMature } from '../domain/instruments/maturity.ts';
import { parsePlainDate } from '../domain/calendar/plain-date.ts';

/** Reads the maturity of a bond or a bill. The cell may be empty; that of any other kind must be. */
export function readMaturity(
  { kind, maturity: text }: { readonly kind: InstrumentKind; readonly maturity: string },
  wrong: (column: 'maturity', value: string, message: string) => void,
): Pick<Instrument, 'maturity'> {
  if (text === '') return {};
  if (!canMature(kind)) {
    wrong('maturity', text, 'only a bond, a corporate-bond or a bill matures; leave it empty');
    return {};
  }
  const maturity = parsePlainDate(text);
  if (maturity !== undefined) return { maturity };
  wrong('maturity', text, 'not a valid date; use YYYY-MM-DD and a day that exists');
  return {};
}

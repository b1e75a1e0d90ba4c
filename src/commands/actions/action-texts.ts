import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import {
  changesUnits,
  isFactorAction,
  type CorporateAction,
} from '../../domain/history/corporate-action.ts';
import { actionTypeNames, parseActionType } from '../../import/actions/action-fields.ts';
import type { InstrumentDoubt } from '../../operator/actions/check-actions.ts';
import { valid } from '../form/flags.ts';

export const parseType = valid(parseActionType, `Valid: ${actionTypeNames}.`);

/** An action for JSON output. `pizarra actions import` reads a list of them. */
export function actionObject({ ticker, exDay, ...rest }: CorporateAction) {
  return { ticker, date: fromEpochDay(exDay), ...rest };
}

/** A doubt as a sentence. */
export function doubtText(doubt: InstrumentDoubt): string {
  const { ticker, type, day, close, previousDay, previousClose, factor } = doubt;
  const moved = `${ticker} ${fromEpochDay(day)}: ${close} after ${previousClose} on ${fromEpochDay(previousDay)}`;
  return type === 'unrecorded'
    ? `${moved} looks like ${unitsText(factor)}, and no action is recorded.`
    : `${moved} contradicts the recorded action, ${unitsText(factor)}.`;
}

/** A factor as units: `10 new for 1 old units`, `3 new for 2 old units`, `1 new for 10 old units`. */
export function unitsText(factor: number): string {
  const [fresh, old] = factor < 1 ? [1, 1 / factor] : [factor, 1];
  const scale = [1, 2, 10, 100, 1_000].find((one) => isWhole(fresh * one) && isWhole(old * one));
  if (scale === undefined) return factorText(factor);
  return `${Math.round(fresh * scale)} new for ${Math.round(old * scale)} old units`;
}

/** What an action says: the units, the factor, the payment or the new ticker. */
export function actionValue(action: CorporateAction): string {
  if (isFactorAction(action)) {
    return changesUnits(action) ? unitsText(action.factor) : factorText(action.factor);
  }
  switch (action.type) {
    case 'cash-dividend':
      return `${action.amount} ${action.currency}`;
    case 'ticker-change':
      return `to ${action.newTicker}`;
  }
}

function factorText(factor: number): string {
  return `the factor ${Number(factor.toPrecision(6))}`;
}

function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) < 1e-9 * value;
}

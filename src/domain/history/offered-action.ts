import { isFactorAction, type CorporateAction } from './corporate-action.ts';
import { isSamePrice } from '../values/same-price.ts';

/** Two sources may date one split some days apart, such as that of a CEDEAR and that of its share. */
export const sameSplitDays = 5;

/**
 * Whether two actions of one instrument are the same event: two that have a factor within five
 * days, or two of one type on one day. Their values may differ.
 */
export function isSameEvent(one: CorporateAction, other: CorporateAction): boolean {
  if (isFactorAction(one) && isFactorAction(other)) {
    return Math.abs(one.exDay - other.exDay) <= sameSplitDays;
  }
  return one.type === other.type && one.exDay === other.exDay;
}

/**
 * What an offered action is beside the recorded ones of its instrument. A recorded action is never changed
 * by an offered one: an operator may have corrected it.
 */
export function compareOffered(
  offered: CorporateAction,
  recorded: readonly CorporateAction[],
): 'new' | 'same' | 'different' {
  const event = recorded.find((one) => isSameEvent(one, offered));
  if (event === undefined) return 'new';
  return hasSameValues(event, offered) ? 'same' : 'different';
}

/** Whether two actions of the same event say the same. */
export function hasSameValues(one: CorporateAction, other: CorporateAction): boolean {
  if (isFactorAction(one)) return isFactorAction(other) && isSamePrice(one.factor, other.factor);
  if (one.type === 'cash-dividend') {
    if (other.type !== 'cash-dividend' || one.currency !== other.currency) return false;
    return isSamePrice(one.amount, other.amount);
  }
  return other.type === 'ticker-change' && one.newTicker === other.newTicker;
}

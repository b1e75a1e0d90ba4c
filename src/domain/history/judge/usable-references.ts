import type { InstrumentKind } from '../../instruments/instrument.ts';
import { isInForce, type SetAsideBase } from '../../quotes/set-aside-base.ts';
import { comparableClose, type ReferenceClose, type ReferenceCloses } from '../reference-closes.ts';
import { isBeyondBound } from './move.ts';

/**
 * The reference closes that variations may still be computed from while one close is set aside.
 *
 * Closes of later days stay. Of the earlier ones nobody knows whether they are on the level of the close
 * that is set aside (a split that is not recorded) or on that of the prices (the close alone is wrong). If
 * any of them is on the level of the close, none is used. Otherwise those on the level of the prices are.
 */
export function usableReferences(
  references: ReferenceCloses,
  mark: SetAsideBase | undefined,
  kind: InstrumentKind,
): ReferenceCloses {
  if (!isInForce(mark)) return references;
  const bases = Object.entries(references) as [keyof ReferenceCloses, ReferenceClose][];
  const earlier = bases.map(([, base]) => base).filter(({ day }) => day < mark.day);
  const isBreak = earlier.some(
    (base) => !isBeyondBound(kind, comparableClose(base), mark.comparable),
  );
  const isLeft = (base: ReferenceClose): boolean => {
    if (base.day > mark.day) return true;
    if (base.day === mark.day || isBreak) return false;
    return !isBeyondBound(kind, comparableClose(base), mark.price);
  };
  const left = bases.filter(([, base]) => isLeft(base));
  return left.length === bases.length ? references : Object.fromEntries(left);
}

/** Whether a close can still be compared with by any session that has these references. */
export function isStillReferenced(references: ReferenceCloses, mark: SetAsideBase): boolean {
  const bases = Object.values(references) as readonly ReferenceClose[];
  return bases.some(({ day }) => day <= mark.day);
}

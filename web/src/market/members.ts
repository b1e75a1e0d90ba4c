import { effect } from '@preact/signals';

import { keepingOf, storageName, usableKey } from '../key/api-key.ts';
import { storedValue } from '../ui/stored-value.ts';

/** The tickers of each panel, and of some kinds of instruments, as the service listed them last. */
type Members = Readonly<Record<string, readonly string[]>>;

/**
 * The members of the panels, for a board that is opened without a network. They are stored only with a key
 * that the browser remembers: on the machine of somebody else, nothing is left behind.
 */
const members = storedValue<Members>({
  name: `members of ${storageName}`,
  initial: {},
  read: (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every(
      (one) => Array.isArray(one) && one.every((ticker) => typeof ticker === 'string'),
    )
      ? (value as Members)
      : undefined,
});

/** Removes what was stored with a key that is forgotten or refused. */
effect(() => {
  if (usableKey.value === undefined) members.value = {};
});

/** Stores the members of a panel or a kind, as the service lists them. */
export function keepMembers(name: string, tickers: readonly string[]): void {
  if (keepingOf() !== 'page') members.value = { ...members.peek(), [name]: tickers };
}

/** The members of a panel or a kind that were listed last. Empty if they are not stored. */
export function storedMembers(name: string): readonly string[] {
  return members.peek()[name] ?? [];
}

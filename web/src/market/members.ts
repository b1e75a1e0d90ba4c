import { effect } from '@preact/signals';

import { keepingOf, storageName, usableKey } from '../key/api-key.ts';
import { storedValue } from '../ui/stored-value.ts';

/** The tickers of each panel, one a line, as the service listed them last. */
type Members = Readonly<Record<string, string>>;

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
    Object.values(value).every((one) => typeof one === 'string')
      ? (value as Members)
      : undefined,
});

/** Removes what was stored with a key that is forgotten or refused. */
effect(() => {
  if (usableKey.value === undefined) members.value = {};
});

/** The members of a panel, as the service lists them. */
export function keepMembers(panel: string, text: string): void {
  if (keepingOf() !== 'page') members.value = { ...members.peek(), [panel]: text };
}

/** The members of a panel that were listed last. Empty if they are not stored. */
export function storedMembers(panel: string): readonly string[] {
  return tickersOfText(members.peek()[panel] ?? '');
}

/** The tickers of a response of `/especies.txt`. */
export function tickersOfText(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

import { choiceNames } from '../../../src/contract/paths/choice-names.ts';

/** The panels, in the order of the contract (2.4). They are closed, so the page shows its tabs before any response. */
export const panels: readonly { readonly value: string; readonly name: string }[] = Object.entries(
  choiceNames.Panel,
).map(([value, name]) => ({ value, name }));

import { choiceNames } from '../../../../src/contract/paths/choice-names.ts';
import type { ConventionName } from '../api/quote.ts';

/** The names of the conventions of `/bonos`, the default first. */
const names: Readonly<Record<ConventionName, string>> = choiceNames.Convencion;

/** The conventions, in the order in which they are offered. */
export const conventionCodes = Object.keys(names) as readonly ConventionName[];

export const defaultConvention: ConventionName = 'pizarra';

/** The conventions by which a trade settles on its own day. */
const sameDay: ReadonlySet<ConventionName> = new Set(['screenermatic', 'bonarg', 'tablero']);

/** The convention of a text. Undefined if it names none. */
export function readConvention(text: unknown): ConventionName | undefined {
  return conventionCodes.find((code) => code === text);
}

export function conventionName(code: ConventionName): string {
  return names[code];
}

/** When a trade settles by a convention, in the words of the market. */
export function settlementName(code: ConventionName): string {
  return sameDay.has(code) ? 'CI' : '24hs';
}

/** How figures are counted: `convención Pizarra (liquidación 24hs, dólar MEP)`. */
export function conventionNote(code: ConventionName): string {
  return `convención ${names[code]} (liquidación ${settlementName(code)}, dólar MEP)`;
}

/** The query of `/bonos`. The default convention is not named, so that all boards share one response. */
export function bondQuery(selection: string, convention: ConventionName): string {
  return convention === defaultConvention ? selection : `${selection}&convencion=${convention}`;
}

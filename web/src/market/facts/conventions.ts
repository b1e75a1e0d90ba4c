import { choiceNames } from '../../../../src/contract/paths/choice-names.ts';
import {
  conventionNames,
  conventions,
  defaultConvention,
} from '../../../../src/domain/bonds/conventions.ts';
import type { ConventionName } from '../api/quote.ts';

/** The convention of a text. Undefined if it names none. */
export function readConvention(text: unknown): ConventionName | undefined {
  return conventionNames.find((code) => code === text);
}

export function conventionName(code: ConventionName): string {
  return choiceNames.Convencion[code];
}

/** When a trade settles by a convention, in the words of the market. */
export function settlementName(code: ConventionName): string {
  return conventions[code].settles === 'same-day' ? 'CI' : '24hs';
}

/** How figures are counted: `convención Pizarra (liquidación 24hs, dólar MEP)`. */
export function conventionNote(code: ConventionName): string {
  return `convención ${conventionName(code)} (liquidación ${settlementName(code)}, dólar MEP)`;
}

/** The query of `/bonos`. The default convention is not named, so that all boards share one response. */
export function bondQuery(selection: string, convention: ConventionName): string {
  return convention === defaultConvention ? selection : `${selection}&convencion=${convention}`;
}

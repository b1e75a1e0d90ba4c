/**
 * The panel codes, in the order of contract 2.4. An error text lists them in the same order. BON is
 * an alias of BONOS.
 */
export const panelCodes = [
  'LID',
  'GEN',
  'LIDGEN',
  'BONOS',
  'BON',
  'ETF',
  'ADR',
  'ADRARG',
  'VARIAS',
  'CED',
  'IND',
] as const;

/** One of the eleven predefined groups of instruments. */
export type PanelCode = (typeof panelCodes)[number];

const known: ReadonlySet<string> = new Set(panelCodes);

/** Whether a text is a panel code. Case matters (contract 2.4). */
export function isPanelCode(text: string): text is PanelCode {
  return known.has(text);
}

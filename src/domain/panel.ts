/**
 * The panels, in the order of the specification (2.4), which is also the order in which an error
 * lists them. BON is an alias of BONOS.
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

/** Whether a text is one of the eleven, with regard to case (decisions row 8). */
export function isPanelCode(text: string): text is PanelCode {
  return known.has(text);
}

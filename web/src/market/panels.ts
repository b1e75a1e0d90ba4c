import type { Choice } from './api/openapi.ts';

/**
 * The panels, in the order of the contract, with the names of `contract/openapi.json` (contract 2.4). They are
 * closed, so the page shows its tabs before any response.
 */
export const panels: readonly Choice[] = [
  { value: 'LID', name: 'Panel líder' },
  { value: 'GEN', name: 'Panel general' },
  { value: 'LIDGEN', name: 'Líder y general' },
  { value: 'BONOS', name: 'Bonos' },
  { value: 'BON', name: 'Bonos (alias)' },
  { value: 'ETF', name: 'ETFs' },
  { value: 'ADR', name: 'ADRs' },
  { value: 'ADRARG', name: 'ADRs argentinos' },
  { value: 'VARIAS', name: 'Acciones de EE. UU.' },
  { value: 'CED', name: 'CEDEARs' },
  { value: 'IND', name: 'Índices y dólar' },
];

/** The panel of an address without one, unless the person has chosen another, or it has no quotes. */
export const firstPanel = 'LID';

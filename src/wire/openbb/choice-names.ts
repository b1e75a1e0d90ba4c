import type { ConventionName } from '../../domain/bonds/conventions.ts';
import { indexDefinitions, type IndexName } from '../../domain/indices/index-name.ts';
import type { PanelCode } from '../../domain/instruments/panel.ts';
import { barIntervals } from '../../domain/quotes/bar-interval.ts';
import type { adjustments } from '../params/history-view.ts';

/** The values of parameters with their names for people, in the order of a list. */

/** The panels that differ: an alias is left out. */
export const panelNames: Readonly<Record<Exclude<PanelCode, 'BON'>, string>> = {
  LID: 'Panel líder',
  GEN: 'Panel general',
  LIDGEN: 'Líder y general',
  BONOS: 'Bonos',
  ETF: 'ETFs',
  ADR: 'ADRs',
  ADRARG: 'ADRs argentinos',
  VARIAS: 'Acciones de EE. UU.',
  CED: 'CEDEARs',
  IND: 'Índices y dólar',
};

/** The values by which quotes are ranked (contract 4.16). */
export const criterionNames = {
  variacion: 'Variación',
  varMTD: 'Variación del mes',
  varYTD: 'Variación del año',
  volumen: 'Volumen',
  monto: 'Monto',
} as const;

/** The orders of a ranking. */
export const orderNames = { desc: 'De mayor a menor', asc: 'De menor a mayor' } as const;

/** The adjustments of closes (contract 4.2.5). */
export const adjustmentNames: Readonly<Record<keyof typeof adjustments, string>> = {
  ninguno: 'Sin ajustar',
  splits: 'Por splits',
  total: 'Por splits y dividendos',
};

/** The lengths of a bar. */
export const intervalNames: Readonly<Record<string, string>> = Object.fromEntries(
  barIntervals.map((minutes) => [`${minutes}m`, minutes === 1 ? '1 minuto' : `${minutes} minutos`]),
);

/** The dollars (contract 4.12). */
export const dollarTitles = {
  oficial: 'Dólar oficial minorista',
  mayorista: 'Dólar mayorista',
  a3500: 'Dólar de referencia Com. A 3500',
  tarjeta: 'Dólar tarjeta',
  blue: 'Dólar blue',
  mep: 'Dólar MEP',
  ccl: 'Contado con liquidación',
  canje: 'Canje entre MEP y CCL, en por ciento',
  cripto: 'Dólar cripto',
} as const;

/** The dollars by which prices of bonds are converted, the default first (contract 4.10). */
export const conversionTitles = {
  mep: dollarTitles.mep,
  ccl: dollarTitles.ccl,
  a3500: dollarTitles.a3500,
  mayorista: dollarTitles.mayorista,
} as const;

/** The conventions by which figures of bonds are counted. */
export const conventionTitles: Readonly<Record<ConventionName, string>> = {
  pizarra: 'Pizarra',
  screenermatic: 'Screenermatic',
  ecovalores: 'Ecovalores',
  bonarg: 'Bonarg',
  bloomberg: 'Bloomberg',
  tablero: 'Tablero de LECAP',
};

/** An index with its name in full. */
export function indexTitle(index: IndexName): string {
  return `${index} · ${indexDefinitions[index].title}`;
}

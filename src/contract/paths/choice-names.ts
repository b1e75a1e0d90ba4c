import type { ConventionName } from '../../domain/bonds/conventions.ts';
import type { ConvertedCurrency } from '../../domain/history/convert-series.ts';
import { indexDefinitions, indexNames } from '../../domain/indices/index-name.ts';
import type { PanelCode } from '../../domain/instruments/panel.ts';
import { barIntervals } from '../../domain/quotes/bar-interval.ts';
import type { Input } from '../part.ts';
import type { CloseDollar, dollarNames } from './dolares.ts';
import type { adjustments, periods } from './historicos.ts';
import type { criteria, orders } from './ranking.ts';

const dollars = {
  oficial: 'Dólar oficial minorista',
  mayorista: 'Dólar mayorista',
  a3500: 'Dólar de referencia Com. A 3500',
  tarjeta: 'Dólar tarjeta',
  blue: 'Dólar blue',
  mep: 'Dólar MEP',
  ccl: 'Contado con liquidación',
  canje: 'Canje entre MEP y CCL, en por ciento',
  cripto: 'Dólar cripto',
} as const satisfies Readonly<Record<(typeof dollarNames)[keyof typeof dollarNames], string>>;

/**
 * The values of parameters with their names for people, in the order of a list, by the name of their schema in the
 * document.
 */
export const choiceNames = {
  Panel: {
    LID: 'Panel líder',
    GEN: 'Panel general',
    LIDGEN: 'Líder y general',
    BONOS: 'Bonos',
    BON: 'Bonos (alias)',
    ETF: 'ETFs',
    ADR: 'ADRs',
    ADRARG: 'ADRs argentinos',
    VARIAS: 'Acciones de EE. UU.',
    CED: 'CEDEARs',
    IND: 'Índices y dólar',
  } satisfies Readonly<Record<PanelCode, string>>,
  CriterioDeRanking: {
    variacion: 'Variación',
    varMTD: 'Variación del mes',
    varYTD: 'Variación del año',
    volumen: 'Volumen',
    monto: 'Monto',
  } satisfies Readonly<Record<keyof typeof criteria, string>>,
  OrdenDeRanking: { desc: 'De mayor a menor', asc: 'De menor a mayor' } satisfies Readonly<
    Record<keyof typeof orders, string>
  >,
  Ajuste: {
    ninguno: 'Sin ajustar',
    splits: 'Por splits',
    total: 'Por splits y dividendos',
  } satisfies Readonly<Record<keyof typeof adjustments, string>>,
  IntervaloDeHistorico: {
    '1d': 'Una rueda',
    '1sem': 'Una semana',
    '1mes': 'Un mes',
  } satisfies Readonly<Record<keyof typeof periods, string>>,
  MonedaDePrecios: { ARS: 'Pesos', USD: 'Dólares' } satisfies Readonly<
    Record<ConvertedCurrency, string>
  >,
  DolarDeConversion: {
    mep: dollars.mep,
    ccl: dollars.ccl,
    oficial: dollars.oficial,
    mayorista: dollars.mayorista,
    blue: dollars.blue,
  } satisfies Readonly<Record<(typeof dollarNames)[CloseDollar], string>>,
  Intervalo: Object.fromEntries(
    barIntervals.map((minutes) => [
      `${minutes}m`,
      minutes === 1 ? '1 minuto' : `${minutes} minutos`,
    ]),
  ),
  Dolar: dollars,
  Convencion: {
    pizarra: 'Pizarra',
    screenermatic: 'Screenermatic',
    ecovalores: 'Ecovalores',
    bonarg: 'Bonarg',
    bloomberg: 'Bloomberg',
    tablero: 'Tablero de LECAP',
    bonistas: 'Bonistas',
  } satisfies Readonly<Record<ConventionName, string>>,
  CodigoDeIndice: Object.fromEntries(
    indexNames.map((index) => [index, `${index} · ${indexDefinitions[index].title}`]),
  ),
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The values of a parameter with a closed list of them, with their names for people. */
export function choicesOf({ schema }: Input): Readonly<Record<string, string>> | undefined {
  const names: unknown =
    typeof schema === 'string'
      ? (choiceNames as Readonly<Record<string, unknown>>)[schema]
      : schema['x-enum-names'];
  return names as Readonly<Record<string, string>> | undefined;
}

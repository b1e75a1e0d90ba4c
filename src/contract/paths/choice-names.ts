import type { ConventionName } from '../../domain/bonds/conventions.ts';
import { indexDefinitions, indexNames } from '../../domain/indices/index-name.ts';
import type { PanelCode } from '../../domain/instruments/panel.ts';
import { barIntervals } from '../../domain/quotes/bar-interval.ts';
import type { dollarNames } from './dolares.ts';
import type { adjustments } from './historicos.ts';
import type { criteria, orders } from './ranking.ts';

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
  Intervalo: Object.fromEntries(
    barIntervals.map((minutes) => [
      `${minutes}m`,
      minutes === 1 ? '1 minuto' : `${minutes} minutos`,
    ]),
  ),
  Dolar: {
    oficial: 'Dólar oficial minorista',
    mayorista: 'Dólar mayorista',
    a3500: 'Dólar de referencia Com. A 3500',
    tarjeta: 'Dólar tarjeta',
    blue: 'Dólar blue',
    mep: 'Dólar MEP',
    ccl: 'Contado con liquidación',
    canje: 'Canje entre MEP y CCL, en por ciento',
    cripto: 'Dólar cripto',
  } satisfies Readonly<Record<(typeof dollarNames)[keyof typeof dollarNames], string>>,
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

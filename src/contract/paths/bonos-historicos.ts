import type { BondValuation } from '../../domain/bonds/value-bond.ts';
import { foldTicker } from '../../domain/instruments/ticker.ts';
import { refused } from '../../domain/values/problem.ts';
import { operation } from '../operation.ts';
import { choice, days, once, oneTicker, otherwise } from '../parts.ts';
import { dateField, number, Table } from '../table.ts';
import { bondFields, figureParams, roundedRate, type ValuedBond } from './bonos.ts';
import { periods } from './historicos.ts';

/** A bond at the close of a session. */
export interface ValuedClose extends ValuedBond {
  /** The figures of the other bond at the close of the same session. Absent without one. */
  readonly against?: BondValuation | undefined;
}

/** By how much the yield is above that of the other bond, in points: the difference of the yields that rows show. */
function spreadOf({ figures, against: other }: ValuedClose): number | null {
  const [own, its] = [roundedRate(figures.yield), roundedRate(other?.yield ?? null)];
  return own === null || its === null ? null : roundedRate(own - its);
}

const { especie, liquidacion, precio, tir, tna, tem } = bondFields;
const { durationModificada, paridad, valorTecnico, estado } = bondFields;

/** The figures at the close of each session, with the difference of the yields on request. */
export const bondHistoryTable = new Table<ValuedClose>({
  especie,
  fecha: dateField((close) => close.date, { es: 'Fecha de la rueda.', en: 'Session date.' }),
  liquidacion,
  precio,
  tir,
  tna,
  tem,
  durationModificada,
  paridad,
  valorTecnico,
  estado,
}).withExtras(
  {
    contra: number(spreadOf, {
      without: 'null',
      es: 'TIR de la especie menos la de `contra` en la misma rueda, en puntos. `null` si falta una de las dos. Solo con `contra`.',
      en: '`tir` minus that of `contra` at the close of the same session, in points. Null without one of the two.',
    }),
  },
  { names: { contra: 'diferencia' } },
);

/** The figures of a bond at its closes (contract 4.20). */
export const bonosHistoricos = operation({
  path: '/bonos/historicos',
  clause: '4.20',
  params: {
    ticker: oneTicker({
      es: 'La especie, de cualquier clase. Se admite una sola.',
      en: 'One ticker of any class. Required.',
    }),
    days,
    ...figureParams,
    period: otherwise(
      choice('intervalo', periods, {
        schema: 'IntervaloDeHistorico',
        es: 'Rueda de cada fila: todas, la última de cada semana calendario (`1sem`) o la última de cada mes calendario (`1mes`). El valor predeterminado es `1d`. Se admite una sola vez.',
        en: '`1d` (default), `1sem` or `1mes`: every session, or the last one of each week or month.',
      }),
      'day',
    ),
    /** The ticker of another bond, as the client spelled it. */
    against: once(
      'contra',
      (value, { path }) => {
        const ticker = foldTicker(value);
        if (ticker !== '' && !ticker.includes(',')) return { ok: true, value: ticker };
        return refused({ type: 'ticker-not-single', parameter: 'contra', value, path });
      },
      {
        schema: { type: 'string', minLength: 1 },
        es: 'Otra especie, cuya TIR se resta: agrega `diferencia` a cada fila. Se admite una sola.',
        en: 'One ticker of another bond: adds `diferencia` to each row.',
      },
    ),
  },
  tables: { CifrasDeCierre: bondHistoryTable },
});

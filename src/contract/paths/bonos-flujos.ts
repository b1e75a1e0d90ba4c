import type { BondFlow } from '../../domain/bonds/bond-schedule.ts';
import { roundComputed } from '../../domain/values/rounding.ts';
import { operation } from '../operation.ts';
import { choice, day, oneTicker } from '../parts.ts';
import { dateField, number, Table, type Field, type FieldAbout } from '../table.ts';
import { termNames } from './bonos.ts';

/** A payment, and the growth of the index that multiplies it. Null if that is not known. */
export interface ListedFlow {
  readonly flow: BondFlow;
  readonly ratio: number | null;
}

function amount(
  read: (flow: ListedFlow) => number | null,
  about: Partial<FieldAbout>,
): Field<ListedFlow> {
  return number((row) => roundComputed(read(row), 8), about);
}

export const flowTable = new Table<ListedFlow>({
  fecha: dateField(({ flow }) => flow.date, { es: 'Fecha contractual.' }),
  pago: dateField(({ flow }) => flow.paid, {
    es: 'Día del pago, en que el mercado liquida.',
  }),
  interes: amount(({ flow }) => flow.interest, {
    without: 'null',
    es: 'Interés. `null` si su tasa todavía no se conoce.',
  }),
  amortizacion: amount(({ flow }) => flow.amortisation, { es: 'Amortización.' }),
  total: amount(({ flow }) => flow.total, {
    without: 'null',
    es: 'Interés más amortización. `null` si no se conoce el interés.',
  }),
  residual: amount(({ flow }) => flow.residual, {
    unit: '%',
    es: 'Capital residual después del pago, en por ciento del valor nominal original.',
  }),
  ajustado: amount(
    ({ flow: { total }, ratio }) => (total === null || ratio === null ? null : total * ratio),
    {
      without: 'null',
      es: 'Total multiplicado por el índice. `null` si falta el índice o el total.',
    },
  ),
});

/** The payments of one bond (contract 4.11). */
export const bonosFlujos = operation({
  path: '/bonos/flujos',
  clause: '4.11',
  params: {
    ticker: oneTicker({
      es: 'La especie. Se admite una sola.',
      en: 'One ticker of any class. Required.',
    }),
    from: day('desde', {
      es: 'Primera fecha contractual, AAAA-MM-DD. El valor predeterminado es la fecha de hoy.',
      en: 'First contractual date, `YYYY-MM-DD`. Default: today.',
    }),
    term: choice('plazo', termNames, {
      schema: 'Plazo',
      es: 'Liquidación: `24hs`, el siguiente día en que se liquida, o `ci`, el mismo día. El valor predeterminado es `24hs`. Se admite una sola vez.',
      en: 'As that of 4.10. Default: `24hs`.',
    }),
  },
  tables: { FlujoDeBono: flowTable },
});

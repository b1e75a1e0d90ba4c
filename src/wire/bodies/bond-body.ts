import type { BondFlow } from '../../domain/bonds/bond-schedule.ts';
import type { BondValuation } from '../../domain/bonds/value-bond.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import {
  roundHalfAwayFromZero,
  roundPrice,
  withoutBinaryError,
} from '../../domain/values/rounding.ts';
import { buenosAiresTime } from '../texts/buenos-aires-time.ts';
import { numberColumn, textColumn } from '../texts/csv-text.ts';
import { Table } from './table.ts';
import type { TableField } from './table.ts';

/** Decimals of rates, durations, residual and parity. */
const rateDecimals = 4;
/** Decimals of amounts of money. */
const moneyDecimals = 6;
/** Decimals of payments. */
const flowDecimals = 8;

const assumptionNames: Readonly<Record<BondValuation['assumptions'][number], string>> = {
  'fixed-leg': 'pata fija',
  'no-options': 'sin opciones',
  'doubtful-terms': 'terminos en duda',
};

const stateNames: Readonly<Record<BondValuation['state'], string>> = {
  ok: 'ok',
  'not-issued': 'no-emitido',
  matured: 'vencido',
  'no-index': 'sin-indice',
  'no-exchange-rate': 'sin-cambio',
  'no-yield': 'sin-solucion',
  'doubtful-price': 'precio-dudoso',
};

/** A bond with its figures, and the instant of the price. */
export interface ValuedBond {
  readonly instrument: Instrument;
  readonly date: PlainDate;
  /** In epoch milliseconds. Absent if it is not known. */
  readonly asOf?: number | undefined;
  readonly figures: BondValuation;
}

function text(value: (row: ValuedBond) => string | null): TableField<ValuedBond> {
  return { column: textColumn, value };
}

function figure(value: (figures: BondValuation) => number | null): TableField<ValuedBond> {
  return { column: numberColumn, value: ({ figures }) => rounded(value(figures), rateDecimals) };
}

/** A price or an amount. A positive one is never rounded to 0 (contract 2.1.8). */
function price(
  value: (figures: BondValuation) => number | null,
  decimals = moneyDecimals,
): TableField<ValuedBond> {
  return {
    column: numberColumn,
    value: ({ figures }) => rounded(value(figures), decimals, roundPrice),
  };
}

/** The table of `/bonos` (contract 4.10). */
export const bondTable = new Table<ValuedBond>({
  especie: text(({ instrument }) => instrument.ticker),
  fecha: text(({ date }) => date),
  hora: text(({ asOf }) => (asOf === undefined ? null : buenosAiresTime(asOf))),
  liquidacion: text(({ figures }) => figures.settlement),
  precio: price((one) => one.price),
  moneda: text(({ figures }) => figures.currency),
  tipoCambio: price(({ exchangeRate }) => exchangeRate),
  tir: figure((one) => one.yield),
  tna: figure(({ nominalRate }) => nominalRate),
  tem: figure(({ monthlyRate }) => monthlyRate),
  duration: figure(({ duration }) => duration),
  durationModificada: figure(({ modifiedDuration }) => modifiedDuration),
  convexidad: figure(({ convexity }) => convexity),
  valorTecnico: price(({ technicalValue }) => technicalValue),
  interesesCorridos: price(({ accrued }) => accrued),
  residual: figure(({ residual }) => residual),
  paridad: price(({ parity }) => parity, rateDecimals),
  vencimiento: text(({ figures }) => figures.maturity),
  indice: text(({ figures }) => figures.index?.index ?? null),
  fechaIndice: text(({ figures }) => figures.index?.day ?? null),
  valorIndice: {
    column: numberColumn,
    value: ({ figures }) => figures.index?.value ?? null,
  },
  supuesto: text(({ figures }) =>
    figures.assumptions.length === 0
      ? null
      : figures.assumptions.map((one) => assumptionNames[one]).join('; '),
  ),
  estado: text(({ figures }) => stateNames[figures.state]),
});

/** A payment, and the growth of the index that multiplies it. Null if that is not known. */
export interface ListedFlow {
  readonly flow: BondFlow;
  readonly ratio: number | null;
}

function amount(value: (flow: ListedFlow) => number | null): TableField<ListedFlow> {
  return { column: numberColumn, value: (row) => rounded(value(row), flowDecimals) };
}

/** The table of `/bonos/flujos` (contract 4.11). */
export const flowTable = new Table<ListedFlow>({
  fecha: { column: textColumn, value: ({ flow }) => flow.date },
  pago: { column: textColumn, value: ({ flow }) => flow.paid },
  interes: amount(({ flow }) => flow.interest),
  amortizacion: amount(({ flow }) => flow.amortisation),
  total: amount(({ flow }) => flow.total),
  residual: amount(({ flow }) => flow.residual),
  ajustado: amount(({ flow: { total }, ratio }) =>
    total === null || ratio === null ? null : total * ratio,
  ),
});

function rounded(
  value: number | null,
  decimals: number,
  round = roundHalfAwayFromZero,
): number | null {
  return value === null ? null : round(withoutBinaryError(value), decimals);
}

import type { DollarMethod, RateState } from '../../domain/dollars/dollar-rate.ts';
import type { ComparedRate } from '../../domain/dollars/dollar-rates.ts';
import {
  roundHalfAwayFromZero,
  roundPrice,
  withoutBinaryError,
} from '../../domain/values/rounding.ts';
import { dollarNames } from '../params/reference/dollar-params.ts';
import { buenosAiresTime } from '../texts/buenos-aires-time.ts';
import { numberColumn, textColumn } from '../texts/csv-text.ts';
import { Table } from './table.ts';

/** Decimals of prices and percentages. */
const decimals = 4;

/** The public names of how a rate came about (contract 4.12). */
const methodNames: Readonly<Record<DollarMethod, string>> = {
  published: 'publicado',
  implied: 'implicito',
  receipt: 'cedear',
  median: 'mediana',
};

/** The table of `/dolares` (contract 4.12). */
export const dollarTable = new Table<ComparedRate>({
  dolar: { column: textColumn, value: ({ dollar }) => dollarNames[dollar] },
  base: { column: textColumn, value: ({ base }) => base },
  compra: { column: numberColumn, value: (rate) => price(rate, rate.bid) },
  venta: { column: numberColumn, value: (rate) => price(rate, rate.ask) },
  ultimo: { column: numberColumn, value: (rate) => price(rate, rate.last) },
  brecha: { column: numberColumn, value: ({ gapPct }) => rounded(gapPct) },
  fecha: { column: textColumn, value: ({ sessionDate }) => sessionDate },
  hora: {
    column: textColumn,
    value: ({ asOf }) => (asOf === undefined ? null : buenosAiresTime(asOf)),
  },
  calculo: { column: textColumn, value: ({ method }) => methodNames[method] },
  numerador: { column: textColumn, value: ({ numerator }) => numerator ?? null },
  denominador: { column: textColumn, value: ({ denominator }) => denominator ?? null },
  estado: { column: textColumn, value: ({ state }) => stateName(state) },
});

/** A price. One that cannot be believed is not shown. */
function price({ dollar, state }: ComparedRate, value: number | null): number | null {
  if (state === 'doubtful-price') return null;
  return rounded(value, dollar === 'cable-over-mep' ? roundHalfAwayFromZero : roundPrice);
}

function rounded(value: number | null, round = roundHalfAwayFromZero): number | null {
  return value === null ? null : round(withoutBinaryError(value), decimals);
}

function stateName(state: RateState): string {
  if (typeof state === 'object') return `atrasada ${state.late}`;
  return state === 'ok' ? state : 'precio-dudoso';
}

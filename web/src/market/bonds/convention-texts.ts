import { conventions, type Convention } from '../../../../src/domain/bonds/conventions.ts';
import type { ConventionName } from '../api/quote.ts';

const priceNames: Readonly<Record<Convention['price'], string>> = {
  dirty: 'sucio',
  clean: 'limpio',
  'clean-outstanding': 'limpio por cada 100 de residual',
};

/** What a price is by a convention. A price that the user enters has this form. */
export function priceForm(code: ConventionName): string {
  return priceNames[conventions[code].price];
}

/** How a convention counts, in one line. */
export function conventionText(code: ConventionName): string {
  const { time, compounding, accrual, flowsAt, parity, modifiedBy }: Convention = conventions[code];
  const parts = [
    time === '30/360' ? 'Meses de 30 días' : 'Días reales sobre 365',
    compounding === 1 ? 'tasa anual' : 'tasa de capitalización semestral',
    accrual === 'actual/actual' && 'intereses según los días del período',
    flowsAt === 'payment'
      ? 'pagos en el día hábil en que se cobran'
      : 'pagos en su fecha contractual',
    `precio ${priceForm(code)}`,
    parity === 'residual' && 'paridad sobre el residual',
    modifiedBy === 2 && 'duration modificada con media tasa',
  ];
  return `${parts.filter((part) => part !== false).join(', ')}.`;
}

/** What the words of the conventions mean. */
export const conventionTerms: readonly (readonly [string, string])[] = [
  [
    'Días reales, meses de 30 días',
    'Cómo se mide el tiempo hasta cada pago: con los días del calendario y años de 365, o con meses de 30 días y años de 360.',
  ],
  [
    'Tasa anual, capitalización semestral',
    'Cuántas veces al año se capitaliza la TIR. Una de 8,86 % que se capitaliza dos veces equivale a una de 9,06 % que se capitaliza una.',
  ],
  [
    'Precio sucio, precio limpio',
    'El sucio, que es el que cotiza, incluye los intereses corridos. El limpio, no.',
  ],
  ['Paridad', 'El precio sucio en por ciento del valor técnico, salvo que se indique otra.'],
  [
    'Liquidación',
    'El día desde el que se cuenta: el hábil siguiente al de la operación (24hs), o el mismo (CI).',
  ],
  [
    'Dólar MEP',
    'Con él se convierten los precios que están en otra moneda que los pagos. Es AL30 dividido por AL30D.',
  ],
];

import type { ConventionName } from '../api/quote.ts';

/** What sets a convention apart, in one line. */
export const conventionTexts: Readonly<Record<ConventionName, string>> = {
  pizarra:
    'Días reales sobre 365, tasa anual, pagos en el día hábil en que se cobran, precio sucio.',
  screenermatic: 'Meses de 30 días, tasa anual, pagos en su fecha contractual, precio sucio.',
  ecovalores:
    'Días reales sobre 365, tasa anual, intereses según los días del período, precio sucio.',
  bonarg:
    'Días reales sobre 365, tasa de capitalización semestral, precio limpio y paridad sobre el residual.',
  bloomberg:
    'Meses de 30 días, tasa de capitalización semestral, precio limpio por cada 100 de residual.',
  tablero: 'Días reales sobre 365, tasa anual, pagos en su fecha contractual, precio sucio.',
  bonistas:
    'Días reales sobre 365, tasa anual, pagos en su fecha contractual, precio sucio, duration modificada con media tasa.',
};

/** What a price is by each convention. A price that the user enters has this form. */
export const priceForms: Readonly<Record<ConventionName, string>> = {
  pizarra: 'sucio',
  screenermatic: 'sucio',
  ecovalores: 'sucio',
  bonarg: 'limpio',
  bloomberg: 'limpio, por cada 100 de residual',
  tablero: 'sucio',
  bonistas: 'sucio',
};

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

import {
  convertedCurrencies,
  type ConvertedCurrency,
} from '../../domain/history/convert-series.ts';
import { all, mapped, type Part } from '../part.ts';
import { oneOf, otherwise } from '../parts.ts';
import { dollarChoice } from './dolares.ts';

/** The dollars by which prices are converted (contract 4.1.8 and 4.2.17). */
const closeDollars = ['mep', 'cable', 'retail', 'wholesale', 'informal'] as const;

/** A dollar by which prices are converted. */
export type CloseDollar = (typeof closeDollars)[number];

const currency = oneOf('moneda', convertedCurrencies, {
  schema: 'MonedaDePrecios',
  es: 'Moneda de los precios: cada uno se convierte con el dólar de `dolar`. Sin este parámetro, los precios están en la unidad de cada instrumento. Se admite una sola vez.',
  en: '`ARS` or `USD`: converts the prices (4.1.8 and 4.2.17).',
});

const dollar = otherwise(
  dollarChoice(closeDollars, {
    schema: 'DolarDeConversion',
    onlyWith: 'moneda',
    es: 'Dólar con el que se convierte. El valor predeterminado es `mep`. Sin `moneda` se ignora.',
    en: 'With `moneda`: `mep` (default), `ccl`, `oficial`, `mayorista` or `blue`.',
  }),
  'mep',
);

/** A currency, and the dollar by which prices are converted into it. */
export interface Conversion {
  readonly to: ConvertedCurrency;
  readonly dollar: CloseDollar;
}

/** The conversion of a request. Undefined without `moneda`. */
export const conversion: Part<Conversion | undefined> = mapped(
  all({ to: currency, dollar }),
  ({ to, dollar: by }) => (to === undefined ? undefined : { to, dollar: by }),
);

import type { DollarMethod, RateState } from '../../domain/dollars/dollar-rate.ts';
import type { ComparedRate } from '../../domain/dollars/dollar-rates.ts';
import { dollars, type Dollar } from '../../domain/dollars/dollar.ts';
import {
  convertedCurrencies,
  type ConvertedCurrency,
} from '../../domain/history/convert-series.ts';
import { foldTicker } from '../../domain/instruments/ticker.ts';
import { roundComputed, roundHalfAwayFromZero, roundPrice } from '../../domain/values/rounding.ts';
import { operation } from '../operation.ts';
import { all, mapped, type Input, type Part } from '../part.ts';
import { choice, once, oneOf, otherwise } from '../parts.ts';
import { dateField, named, number, Table, text, timeField } from '../table.ts';

/** The public names of the dollars (contract 4.12). */
export const dollarNames = {
  retail: 'oficial',
  wholesale: 'mayorista',
  a3500: 'a3500',
  card: 'tarjeta',
  informal: 'blue',
  mep: 'mep',
  cable: 'ccl',
  'cable-over-mep': 'canje',
  crypto: 'cripto',
} as const satisfies Readonly<Record<Dollar, string>>;

/** A parameter with some of the dollars, by their public names. */
export function dollarChoice<Some extends Dollar>(
  some: readonly Some[],
  input: Input,
): Part<Some | undefined> {
  return choice('dolar', Object.fromEntries(some.map((one) => [dollarNames[one], one])), input);
}

/** The dollars by which prices are converted (contract 4.1.8 and 4.2.17). */
const closeDollars = ['mep', 'cable', 'retail', 'wholesale', 'informal'] as const;

/** A dollar by which prices are converted. */
export type CloseDollar = (typeof closeDollars)[number];

const currency = oneOf('moneda', convertedCurrencies, {
  schema: 'MonedaDePrecios',
  es: 'Moneda de los precios: cada uno se convierte con el dólar de `dolar`. Sin este parámetro, los precios están en la unidad de cada instrumento. Se admite una sola vez.',
  en: '`ARS` or `USD`: converts the prices (4.1.8 and 4.2.17).',
});

const closeDollar = otherwise(
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
  all({ to: currency, dollar: closeDollar }),
  ({ to, dollar: by }) => (to === undefined ? undefined : { to, dollar: by }),
);

/** The fields of a response with converted prices (contract 4.1.8 and 4.2.17): names and values in turn. */
export function conversionFields(by: CloseDollar, omitted: number): readonly string[] {
  return ['cambio', dollarNames[by], ...(omitted > 0 ? ['missing-cambios', String(omitted)] : [])];
}

const inputs = {
  dolar: {
    schema: 'Dolar',
    es: 'Un dólar. Sin este parámetro, la respuesta tiene todos. Se admite una sola vez.',
    en: 'One dollar: `oficial`, `mayorista`, `a3500`, `tarjeta`, `blue`, `mep`, `ccl`, `canje` or `cripto`. Without it, all.',
  },
  base: {
    schema: { type: 'string' },
    es: 'La especie en pesos de la que se obtiene el precio, o el mercado que lo publica. Un nombre que es el de una especie y el de un mercado, como `BYMA`, es el de la especie. No distingue mayúsculas de minúsculas. Si ninguna fila la tiene, la lista está vacía y el encabezado `Missing-Especies` la nombra. Se admite una sola vez.',
    en: 'The ticker in pesos of which a dollar is computed (`AL30`, `SPY`), the market that publishes it (`BCRA`), or `CEDEARS`. A name that a ticker and a market have, such as `BYMA`, is the ticker. Case does not matter. An empty one counts as missing.',
  },
} as const satisfies Readonly<Record<string, Input>>;

/** The public names of how a rate came about. */
const methodNames: Readonly<Record<DollarMethod, string>> = {
  published: 'publicado',
  implied: 'implicito',
  receipt: 'cedear',
  median: 'mediana',
};

/** Decimals of prices and percentages. */
const decimals = 4;

export const dollarTable = new Table<ComparedRate>({
  dolar: named(dollarNames, ({ dollar }) => dollar, { schema: 'Dolar', en: 'As the parameter.' }),
  base: text(({ base }) => base, {
    schema: { type: 'string', minLength: 1 },
    es: 'La especie en pesos de la que se obtiene el precio (`AL30`, `SPY`), el mercado que lo publica (`BCRA`), o `CEDEARS` para la mediana.',
    en: 'As the parameter.',
  }),
  compra: number((rate) => price(rate, rate.bid), {
    without: 'null',
    es: 'Precio al que se puede vender, según las puntas. `null` si falta alguna.',
    en: 'At what price the best orders buy. Null without the orders that it needs.',
  }),
  venta: number((rate) => price(rate, rate.ask), {
    without: 'null',
    es: 'Precio al que se puede comprar, según las puntas. `null` si falta alguna.',
    en: 'At what price the best orders sell.',
  }),
  ultimo: number((rate) => price(rate, rate.last), {
    without: 'null',
    es: 'Precio según los últimos precios operados, con 4 decimales como máximo. `null` si `estado` es `precio-dudoso`.',
    en: 'By the last prices. `canje` is in percent. Null if `estado` is `precio-dudoso`, as are `compra`, `venta` and `brecha`.',
  }),
  brecha: number(({ gapPct }) => roundComputed(gapPct, decimals), {
    unit: '%',
    without: 'null',
    es: 'Diferencia con el dólar mayorista, en por ciento. `null` para el canje, y si no hay un dólar mayorista de la misma rueda o de la anterior.',
    en: 'By how much `ultimo` is above `DOLAR MAYORISTA`, in percent. Null for `canje`, and if the wholesale dollar is neither of the same session nor of the last settlement day before it.',
  }),
  fecha: dateField(({ sessionDate }) => sessionDate, {
    es: 'Fecha de la rueda de las cotizaciones.',
    en: 'Session date of the quotes.',
  }),
  hora: timeField(({ asOf }) => asOf, {
    without: 'null',
    es: 'Hora de la más antigua de las dos cotizaciones, en Buenos Aires. `null` si no se conoce.',
    en: 'Buenos Aires time of the older of the two quotes; of the median, that of the CEDEARs beside it. Null if that of one is not known.',
  }),
  calculo: named(methodNames, ({ method }) => method, {
    es: '`publicado` si lo informa una fuente, `implicito` si es un cociente de dos especies, `cedear` si es el de un CEDEAR con su subyacente, `mediana` si es la de los CEDEARs.',
    en: '`publicado` if a source reports it, `implicito` for two classes of one security, `cedear` for a CEDEAR and its underlying, `mediana` for the median of the CEDEARs.',
  }),
  numerador: text(({ numerator }) => numerator ?? null, {
    without: 'null',
    es: 'La especie del numerador, o la que publica el precio. `null` para la mediana.',
    en: 'The ticker of the numerator, or the instrument that has the published price. Null for the median.',
  }),
  denominador: text(({ denominator }) => denominator ?? null, {
    without: 'null',
    es: 'La especie del denominador. `null` si no hay.',
    en: 'The ticker of the denominator. Null for a published price and for the median.',
  }),
  estado: text(({ state }) => stateName(state), {
    schema: { type: 'string', pattern: '^(ok|precio-dudoso|atrasada .+)$' },
    es: '`ok`; `precio-dudoso` si los demás precios lo contradicen, y entonces no tiene precios; o `atrasada` y la especie cuyo precio es más de 15 minutos anterior al otro (`atrasada AL30D`).',
    en: '`ok`, `precio-dudoso` (4.12.7), or `atrasada` and a ticker (`atrasada AL30D`) whose price is more than 15 minutes older than the other one.',
  }),
});

/** A price. One that cannot be believed is not shown. */
function price({ dollar, state }: ComparedRate, value: number | null): number | null {
  if (state === 'doubtful-price') return null;
  const round = dollar === 'cable-over-mep' ? roundHalfAwayFromZero : roundPrice;
  return roundComputed(value, decimals, round);
}

function stateName(state: RateState): string {
  if (typeof state === 'object') return `atrasada ${state.late}`;
  return state === 'ok' ? state : 'precio-dudoso';
}

/** The prices of the dollar (contract 4.12). An empty `base` counts as missing. */
export const dolares = operation({
  path: '/dolares',
  clause: '4.12',
  params: {
    dollar: dollarChoice(dollars, inputs.dolar),
    base: once(
      'base',
      (value) => ({ ok: true, value: foldTicker(value) || undefined }),
      inputs.base,
    ),
  },
  tables: { PrecioDelDolar: dollarTable },
});

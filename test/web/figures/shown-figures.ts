import type { Page, Route } from 'playwright-core';

import { percent, signed, spanishNumber, twoDecimals } from '../browser/spanish-number.ts';

/** A quote as the service sends it. */
export type SentQuote = Readonly<Record<string, string | number | null | undefined>>;

/** How a field of a quote is shown. */
export type FigureKind =
  | 'price'
  | 'change'
  | 'percent'
  | 'years'
  | 'count'
  | 'text'
  | 'time'
  | 'day';

/** The columns of a table with all of its columns, by their fields. */
export const columnKinds: Readonly<Record<string, FigureKind>> = {
  ultimo: 'price',
  variacion: 'change',
  cantCompra: 'count',
  compra: 'price',
  venta: 'price',
  cantVenta: 'count',
  apertura: 'price',
  minimo: 'price',
  maximo: 'price',
  anterior: 'price',
  varMTD: 'change',
  varYTD: 'change',
  volumen: 'count',
  monto: 'count',
  operaciones: 'count',
  fuente: 'text',
  hora: 'time',
  vencimiento: 'day',
  tir: 'percent',
  durationModificada: 'years',
  paridad: 'percent',
};

/**
 * Whether a text shows a value as in Argentina. It is written anew, without the code of the page and without
 * `Intl`.
 *
 * @param unit what follows a change: ` %` or ` pts`.
 */
export function shows(
  text: string,
  quote: SentQuote | undefined,
  field: string,
  unit: string,
): boolean {
  const value = quote?.[field];
  const kind = columnKinds[field];
  if (kind === 'time') return quote === undefined ? text === '–' : isTime(text, quote);
  if (value === undefined || value === null) return text === '–';
  if (kind === 'day') return text === String(value).split('-').toReversed().join('/');
  if (typeof value === 'string') return text === value;
  if (kind === 'change') return text === signed(value) + unit;
  if (kind === 'percent') return text === percent(value);
  if (kind === 'years') return text === twoDecimals(value);
  const decimals = text.split(',')[1]?.length ?? 0;
  // From a million on, a price has no decimals.
  if (kind === 'price' && decimals < 2 && Math.abs(value) < 1e6) return false;
  if (kind === 'count' && Math.abs(value) >= 1 && decimals > 0) return false;
  const isLost = value !== 0 && /^[−0,.]*$/.test(text);
  return !isLost && text === spanishNumber(value, decimals);
}

/** The time of a quote of today, the day and time of one of this year, and the day of any other. */
function isTime(text: string, { fecha, hora }: SentQuote): boolean {
  const day = String(fecha).split('-').toReversed().join('/');
  // Buenos Aires is three hours behind UTC, all year.
  const today = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10);
  if (hora === undefined || day.slice(6) !== today.slice(0, 4)) return text === day;
  return text === (fecha === today ? hora : `${day.slice(0, 5)} ${String(hora).slice(0, 5)}`);
}

/** The quotes that the service has sent to a page, the latest response of each selection. */
export interface Sent {
  /** The latest quotes of a panel (`panel=`) or of tickers (`especie=`), by ticker. */
  readonly of: (selection: string) => ReadonlyMap<string, SentQuote>;
}

/**
 * Stops what is on a page: it gets no events of the stream, so it shows the quotes of the responses that this
 * records. The figures of bonds are added to the quotes of the same selection.
 */
export async function holdQuotes(page: Page): Promise<Sent> {
  const sent = new Map<string, ReadonlyMap<string, SentQuote>>();
  const bonds = new Map<string, ReadonlyMap<string, SentQuote>>();
  /** The days in the names of bonds, for those whose terms the service does not have. */
  const maturities = new Map<string, string>();
  await page.route('**/especies.json?*', async (route) => {
    const response = await route.fetch();
    for (const { especie, nombre } of (await response.json()) as readonly SentQuote[]) {
      const [, day] = /\bvto\. (\d{4}-\d\d-\d\d)/.exec(String(nombre)) ?? [];
      if (day !== undefined) maturities.set(String(especie), day);
    }
    await route.fulfill({ response });
  });
  await page.route('**/bonos?*', async (route) => {
    const response = await route.fetch();
    const rows = (await response.json()) as readonly SentQuote[];
    bonds.set(selectionOf(route), new Map(rows.map((one) => [String(one['especie']), one])));
    await route.fulfill({ response });
  });
  await page.route('**/cotizaciones/stream?*', () => {});
  await page.route('**/cotizaciones?*', async (route) => {
    const response = await route.fetch();
    const quotes = (await response.json()) as readonly SentQuote[];
    sent.set(selectionOf(route), new Map(quotes.map((one) => [String(one['especie']), one])));
    await route.fulfill({ response });
  });
  return {
    of: (selection) => {
      const figures = bonds.get(selection);
      const quotes = [...(sent.get(selection) ?? [])];
      return new Map(
        quotes.map(([ticker, quote]) => {
          const vencimiento = maturities.get(ticker);
          return [ticker, { vencimiento, ...quote, ...ofBond(figures?.get(ticker)) }];
        }),
      );
    },
  };
}

/** The selection of a request, without further fields. */
function selectionOf(route: Route): string {
  const { searchParams } = new URL(route.request().url());
  const [name, value] = [...searchParams].find(([one]) => one !== 'campos') ?? ['', ''];
  return `${name}=${value}`;
}

/** What the board shows of the figures of a bond. */
function ofBond(bond: SentQuote | undefined): SentQuote {
  if (bond === undefined) return {};
  const { vencimiento, tir, durationModificada, paridad } = bond;
  return { vencimiento, tir, durationModificada, paridad };
}

import type { HistoryRow, InstrumentInfo, IntradayRow } from '../../market/api/quote.ts';
import { unitNameOf } from '../../market/format/unit-name.ts';
import type { CurrencyCode, DollarCode } from '../../places/chart-choices.ts';
import { intradayBars } from '../drawing/bars.ts';

/**
 * The instruments of the service whose prices are pesos for a dollar. The official dollar is the one that
 * the service compares MEP and CCL with: the retail ask of Banco Nación.
 */
export const dollarTickers: Readonly<Record<DollarCode, string>> = {
  mep: 'DOLAR MEP',
  ccl: 'DOLAR CCL',
  oficial: 'DOLAR OFICIAL',
};

const dollarUnits: Readonly<Record<DollarCode, string>> = {
  mep: 'USD MEP',
  ccl: 'USD CCL',
  oficial: 'USD oficial',
};

/** The instrument whose prices divide prices in pesos. Undefined if none is needed. */
export function dollarOf(currency: CurrencyCode): string | undefined {
  return currency === 'original' ? undefined : dollarTickers[currency];
}

/** Whether the prices of an instrument are in pesos. Only those can be expressed in dollars. */
export function isInPesos(info: Pick<InstrumentInfo, 'moneda'> | undefined): boolean {
  return info?.moneda === 'ARS';
}

/** The unit in which a chart shows the prices of an instrument: `ARS`, `USD MEP`, `USD`, `%`. */
export function shownUnit(
  info: Pick<InstrumentInfo, 'moneda'> | undefined,
  currency: CurrencyCode,
): string {
  return currency !== 'original' && isInPesos(info) ? dollarUnits[currency] : unitNameOf(info);
}

/** The instrument that divided the prices of a row, and its price. */
interface Conversion {
  readonly conversion: string;
  readonly dolar: number;
}

/** A row in dollars. */
export type InDollars<Row> = Row & Conversion;

/** Rows in dollars. */
export interface Converted<Row> {
  readonly rows: readonly InDollars<Row>[];
  /** The rows for which the price of the dollar is not known. They are left out. */
  readonly missing: readonly Row[];
}

/** Closes in dollars: the prices of each day, divided by the close of the dollar on that day. */
export function closesInDollars(
  rows: readonly HistoryRow[],
  dollars: readonly HistoryRow[],
): Converted<HistoryRow> {
  const known = new Map(dollars.map((row) => [row.fecha, row]));
  return convert(rows, (row) => known.get(row.fecha));
}

/**
 * Intraday bars in dollars: the prices of each bar, divided by the latest price of the dollar in the
 * same session, at the bar or before it.
 */
export function barsInDollars(
  rows: readonly IntradayRow[],
  dollars: readonly IntradayRow[],
): Converted<IntradayRow> {
  const [times, dollarTimes] = [timesOf(rows), timesOf(dollars)];
  let latest = -1;
  return convert(rows, ({ fecha }, at) => {
    const time = times[at] ?? 0;
    while ((dollarTimes[latest + 1] ?? Number.POSITIVE_INFINITY) <= time) latest += 1;
    const dollar = dollars[latest];
    return dollar?.fecha === fecha ? dollar : undefined;
  });
}

function convert<Row extends HistoryRow | IntradayRow>(
  rows: readonly Row[],
  dollarFor: (row: Row, at: number) => HistoryRow | IntradayRow | undefined,
): Converted<Row> {
  const converted: InDollars<Row>[] = [];
  const missing: Row[] = [];
  for (const [at, row] of rows.entries()) {
    const dollar = dollarFor(row, at);
    if (dollar === undefined || dollar.ultimo <= 0) missing.push(row);
    else converted.push(inDollars(row, dollar));
  }
  return { rows: converted, missing };
}

/** A row divided by one price of the dollar, so that its candle keeps its shape. */
function inDollars<Row extends HistoryRow | IntradayRow>(
  row: Row,
  { especie: conversion, ultimo: dolar }: HistoryRow | IntradayRow,
): InDollars<Row> {
  const { ultimo, apertura, maximo, minimo } = row;
  const prices = {
    ultimo: ultimo / dolar,
    ...(apertura === undefined ? {} : { apertura: apertura / dolar }),
    ...(maximo === undefined ? {} : { maximo: maximo / dolar }),
    ...(minimo === undefined ? {} : { minimo: minimo / dolar }),
  };
  const conversionOf: Conversion = { conversion, dolar };
  return { ...row, ...prices, ...conversionOf };
}

function timesOf(rows: readonly IntradayRow[]): readonly number[] {
  return intradayBars(rows).map(({ time }) => Number(time));
}

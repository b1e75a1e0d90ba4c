import { columnOf, findHeader, hasColumns } from './headings.ts';
import type { Layout, SeriesColumns } from './layout.ts';

/** Which instruments a "casa" of argentinadatos is: its bid, its ask, and what people call it. */
const houses: Readonly<Record<string, { compra?: string; venta?: string; main: string }>> = {
  oficial: { compra: 'DOLAR OFICIAL COMPRA', venta: 'DOLAR OFICIAL VENTA', main: 'DOLAR OFICIAL' },
  blue: { compra: 'DOLAR BLUE COMPRA', venta: 'DOLAR BLUE VENTA', main: 'DOLAR BLUE' },
  bolsa: { main: 'DOLAR MEP' },
  contadoconliqui: { main: 'DOLAR CCL' },
  mayorista: { main: 'DOLAR MAYORISTA' },
  cripto: { main: 'DOLAR CRIPTO' },
  tarjeta: { main: 'DOLAR TARJETA' },
};

/** Which instrument a path of argentinadatos is. */
const indices: Readonly<Record<string, string>> = { 'riesgo-pais': 'RIESGO PAIS' };

/**
 * The exchange rates of argentinadatos: `casa, compra, venta, fecha`, one "casa" a file. The main
 * rate is the ask (`venta`): what a buyer of dollars pays, and what Rava's own DOLAR OFICIAL and
 * DOLAR MEP follow. Some rows of the `usd` file name no "casa"; all its rows are the official rate.
 */
export const argentinadatosExchangeRate: Layout = {
  name: 'argentinadatos-exchange-rate',
  recognise(head) {
    const header = findHeader(head);
    if (header === undefined || !hasColumns(header, ['compra', 'venta', 'fecha'])) return undefined;
    const house = head.rows[header.skipRows]?.[header.folded.indexOf('casa')] ?? '';
    const currency = head.rows[header.skipRows]?.[header.folded.indexOf('moneda')] ?? 'USD';
    if (!header.folded.includes('casa') && !header.folded.includes('moneda')) return undefined;
    return {
      type: 'reading',
      reading: {
        layout: 'argentinadatos-exchange-rate',
        skipRows: header.skipRows,
        header: header.cells,
        date: columnOf(header, 'fecha'),
        naming: 'canonical',
        gapsAllowed: false,
        usualDecimal: '.',
        series: seriesOf(currency === 'USD' ? house : currency, {
          bid: columnOf(header, 'compra'),
          ask: columnOf(header, 'venta'),
        }),
      },
    };
  },
};

/** The indices of argentinadatos: `valor, fecha`; which one, the path says (`…/riesgo-pais/…`). */
export const argentinadatosIndex: Layout = {
  name: 'argentinadatos-index',
  recognise(head) {
    const header = findHeader(head);
    if (header === undefined || !hasColumns(header, ['valor', 'fecha'])) return undefined;
    const place = Object.keys(indices).find((name) => foldedPath(head.path).includes(name));
    const known = place === undefined ? undefined : indices[place];
    if (known === undefined) return undefined;
    return {
      type: 'reading',
      reading: {
        layout: 'argentinadatos-index',
        skipRows: header.skipRows,
        header: header.cells,
        date: columnOf(header, 'fecha'),
        naming: 'canonical',
        gapsAllowed: false,
        usualDecimal: '.',
        series: [{ ticker: { type: 'known', ticker: known }, close: columnOf(header, 'valor') }],
      },
    };
  },
};

function foldedPath(path: string): string {
  return path.toLowerCase().replaceAll(/[ _]/g, '-');
}

function seriesOf(house: string, at: { bid: number; ask: number }): readonly SeriesColumns[] {
  const key = house.trim().toLowerCase();
  const known = houses[key === '' ? 'oficial' : key] ?? { main: house.toUpperCase() };
  const series: SeriesColumns[] = [];
  if (known.compra !== undefined) {
    series.push({ ticker: { type: 'known', ticker: known.compra }, close: at.bid });
  }
  if (known.venta !== undefined) {
    series.push({ ticker: { type: 'known', ticker: known.venta }, close: at.ask });
  }
  series.push({ ticker: { type: 'known', ticker: known.main }, close: at.ask });
  return series;
}

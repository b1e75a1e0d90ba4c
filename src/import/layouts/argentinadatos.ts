import type { CellRow } from '../cells/table.ts';
import { findHeader, hasColumns, type Header } from './headings.ts';
import { readingUnder, type Layout, type SeriesColumns } from './layout.ts';

/** The instruments of a "casa" of argentinadatos: its bid, its ask, and its main rate. */
interface House {
  readonly compra?: string;
  readonly venta?: string;
  readonly main: string;
}

const houses: ReadonlyMap<string, House> = new Map([
  [
    'oficial',
    { compra: 'DOLAR OFICIAL COMPRA', venta: 'DOLAR OFICIAL VENTA', main: 'DOLAR OFICIAL' },
  ],
  ['blue', { compra: 'DOLAR BLUE COMPRA', venta: 'DOLAR BLUE VENTA', main: 'DOLAR BLUE' }],
  ['bolsa', { main: 'DOLAR MEP' }],
  ['contadoconliqui', { main: 'DOLAR CCL' }],
  ['mayorista', { main: 'DOLAR MAYORISTA' }],
  ['cripto', { main: 'DOLAR CRIPTO' }],
  ['tarjeta', { main: 'DOLAR TARJETA' }],
]);

/**
 * The exchange rates of argentinadatos: `casa, compra, venta, fecha`, of one or several values of
 * `casa` in any order. The main rate is the ask (`venta`): the price for a buyer of dollars, which
 * Rava's DOLAR OFICIAL and DOLAR MEP also follow. A row in dollars without `casa` is the official
 * rate. A row in another currency has no instrument.
 */
export const argentinadatosExchangeRate: Layout = {
  recognise(head) {
    const header = findHeader(head);
    if (header === undefined || !hasColumns(header, ['compra', 'venta', 'fecha'])) return undefined;
    if (!header.folded.includes('casa') && !header.folded.includes('moneda')) return undefined;
    return readingUnder(header, {
      layout: 'argentinadatos-exchange-rate',
      date: header.folded.indexOf('fecha'),
      naming: 'canonical',
      usualDecimal: '.',
      series: seriesOf(header),
    });
  },
};

/** The bid, the ask and the main rate, each for the rows that have it. */
function seriesOf(header: Header): readonly SeriesColumns[] {
  const [bid = 0, ask = 0] = ['compra', 'venta'].map((name) => header.folded.indexOf(name));
  const houseOf = houseIn(header);
  const rated = (rate: 'compra' | 'venta', close: number): SeriesColumns => ({
    ticker: { type: 'row', tickerOf: (row) => houseOf(row)[rate] ?? '' },
    when: (row) => houseOf(row)[rate] !== undefined,
    close,
  });
  return [
    rated('compra', bid),
    rated('venta', ask),
    { ticker: { type: 'row', tickerOf: (row) => houseOf(row).main }, close: ask },
  ];
}

function houseIn(header: Header): (row: CellRow) => House {
  const houseAt = header.folded.indexOf('casa');
  const currencyAt = header.folded.indexOf('moneda');
  return (row) => {
    const house = row[houseAt]?.trim().toLowerCase() ?? '';
    const currency = row[currencyAt]?.trim().toUpperCase() ?? '';
    if (currency !== '' && currency !== 'USD') return { main: currency };
    const name = house === '' && currency === 'USD' ? 'oficial' : house;
    return houses.get(name) ?? { main: name.toUpperCase() };
  };
}

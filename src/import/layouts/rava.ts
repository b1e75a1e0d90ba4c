import { columnOf, findHeader, hasColumns } from './headings.ts';
import type { Layout } from './layout.ts';

const columns = ['especie', 'fecha', 'apertura', 'maximo', 'minimo', 'cierre', 'volumen'];

/**
 * What rava.com's "Bajar en formato Excel" gives: `especie,fecha,apertura,maximo,minimo,cierre,
 * volumen,timestamp` for what is traded, often re-saved with an unnamed column of row numbers before
 * it, and a wider table with `ultimo`, `variacion` and the rest for rates. In the wider one `cierre`
 * repeats `ultimo`, and the close is read from it in both.
 */
export const rava: Layout = {
  name: 'rava',
  recognise(head) {
    const header = findHeader(head);
    if (header === undefined || !hasColumns(header, columns)) return undefined;
    return {
      type: 'reading',
      reading: {
        layout: header.folded.includes('ultimo') ? 'rava-quote' : 'rava-history',
        skipRows: header.skipRows,
        header: header.cells,
        date: columnOf(header, 'fecha'),
        naming: 'canonical',
        gapsAllowed: false,
        usualDecimal: '.',
        series: [
          {
            ticker: { type: 'column', index: columnOf(header, 'especie') },
            close: columnOf(header, 'cierre'),
            open: columnOf(header, 'apertura'),
            high: columnOf(header, 'maximo'),
            low: columnOf(header, 'minimo'),
            volume: columnOf(header, 'volumen'),
          },
        ],
      },
    };
  },
};

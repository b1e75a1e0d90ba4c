import { columnOf, findHeader, hasColumns } from './headings.ts';
import type { Layout } from './layout.ts';

const columns = ['especie', 'fecha', 'apertura', 'maximo', 'minimo', 'cierre', 'volumen'];

/**
 * The files of rava.com's "Bajar en formato Excel". Traded instruments have
 * `especie,fecha,apertura, maximo,minimo,cierre,volumen,timestamp`, in re-saved files often after
 * an unnamed column of row numbers. Rates have a wider table with `ultimo`, `variacion` and more,
 * in which `cierre` repeats `ultimo`. The close is read from `cierre` in both.
 */
export const rava: Layout = {
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

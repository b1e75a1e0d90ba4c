import { cellAt } from '../cells/table.ts';
import { columnOf, findHeader, hasColumns } from './headings.ts';
import type { Layout } from './layout.ts';

const columns = ['simbolo', 'fecha', 'vencimiento', 'cierre', 'volumen nominal'];

/** The first day on which Argentine securities settle in one day by default; before it, in two. */
const oneDaySince = '2024-05-27';

/**
 * BYMA's "series históricas": one row for each symbol, date and settlement term, so each date
 * occurs several times. The close is that of the standard term: 48 hours until 24 May 2024, 24
 * hours from 27 May 2024 on.
 */
export const bymaSeries: Layout = {
  recognise(head) {
    const header = findHeader(head);
    if (header === undefined || !hasColumns(header, columns)) return undefined;
    const term = columnOf(header, 'vencimiento');
    return {
      type: 'reading',
      reading: {
        layout: 'byma-series',
        skipRows: header.skipRows,
        header: header.cells,
        date: columnOf(header, 'fecha'),
        naming: 'canonical',
        gapsAllowed: false,
        usualDecimal: ',',
        omit: {
          when: (row, date) => {
            const standard = date < oneDaySince ? '48' : '24';
            return !cellAt(row, term).trim().startsWith(standard);
          },
          because: 'not the standard settlement term of that day',
        },
        series: [
          {
            ticker: { type: 'column', index: columnOf(header, 'simbolo') },
            close: columnOf(header, 'cierre'),
            volume: columnOf(header, 'volumen nominal'),
            ...(header.folded.includes('apertura') && { open: columnOf(header, 'apertura') }),
            ...(header.folded.includes('maximo') && { high: columnOf(header, 'maximo') }),
            ...(header.folded.includes('minimo') && { low: columnOf(header, 'minimo') }),
          },
        ],
      },
    };
  },
};

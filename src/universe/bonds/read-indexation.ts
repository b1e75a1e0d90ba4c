import { findIndex, indexNames, type IndexName } from '../../domain/indices/index-name.ts';
import type { Indexation } from '../../domain/instruments/bond-terms.ts';
import { listed } from '../files/universe-fault.ts';
import type { BondRow, ReportBond } from './bond-row.ts';
import { readPositive } from './read-cells.ts';

const lagShape = /^\d{1,2}$/;

/** What the index of a row does: it multiplies all flows, or it is the rate of the coupons. */
interface ReadIndex {
  readonly indexation?: Indexation;
  readonly rate?: IndexName;
}

/** Reads the index of a row with its lag and its value at the issue, which a level needs. */
export function readIndexation(row: BondRow, wrong: ReportBond): ReadIndex {
  const { indice, rezago, base_indice, margen, tem } = row.cells;
  const base = readPositive(row, 'base_indice', wrong);
  if (indice === '') {
    for (const column of ['rezago', 'base_indice', 'margen'] as const) {
      if (row.cells[column] !== '') {
        wrong(column, row.cells[column], 'only a bond with an index has this cell; leave it empty');
      }
    }
    return {};
  }
  const index = findIndex(indice);
  if (index === undefined) {
    wrong('indice', indice, `unknown index; the indices are ${listed(indexNames)}`);
    return {};
  }
  if (!lagShape.test(rezago)) {
    wrong('rezago', rezago, `${indice} needs its lag, a number of business days such as 10`);
  }
  if (isLevel(index)) {
    if (base_indice === '') {
      wrong('base_indice', '', `${indice} needs its value at the issue, such as 480.1526`);
    }
    if (margen !== '') wrong('margen', margen, `${indice} is not a rate; leave the cell empty`);
    return { indexation: { index, lagDays: Number(rezago), base: base ?? 1 } };
  }
  if (base_indice !== '') {
    wrong('base_indice', base_indice, `${indice} is a rate; leave the cell empty`);
  }
  if (tem !== '') return {};
  if (margen === '') {
    wrong('margen', '', `a coupon of ${indice} needs its margin, 0 if it has none`);
  }
  return { rate: index };
}

/** Whether an index is a level, by whose growth flows are multiplied. The others are interest rates. */
function isLevel(index: IndexName): boolean {
  return index === 'CER' || index === 'UVA' || index === 'A3500';
}

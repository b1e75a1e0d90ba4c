import { readWholeXml } from './read-xml.ts';

/** What a number in a cell is, by the format with which it is shown. */
export type NumberKind = 'date' | 'percent' | 'dollars' | 'number';

/** The built-in formats of dates, with or without a time, also those of East Asian versions. */
const dateIds: readonly (readonly [number, number])[] = [
  [14, 17],
  [22, 22],
  [27, 36],
  [50, 58],
];

const percentIds: ReadonlySet<number> = new Set([9, 10]);

/** The kind of each cell style of a workbook, by the index that cells have. */
export async function numberKinds(
  styles: AsyncIterable<Uint8Array> | undefined,
): Promise<readonly NumberKind[]> {
  if (styles === undefined) return [];
  const formats = new Map<number, string>();
  const kinds: NumberKind[] = [];
  let isInCells = false;
  await readWholeXml(styles, {
    open(name, attributes) {
      if (name === 'numFmt')
        formats.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
      else if (name === 'cellXfs') isInCells = true;
      else if (name === 'xf' && isInCells) {
        const id = Number(attributes['numFmtId'] ?? 0);
        kinds.push(kindOf(id, formats.get(id)));
      }
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  return kinds;
}

/** The kind of a number format: a built-in one by its number, or one of the workbook by its code. */
export function kindOf(id: number, code: string | undefined): NumberKind {
  if (code === undefined) {
    if (dateIds.some(([from, to]) => id >= from && id <= to)) return 'date';
    return percentIds.has(id) ? 'percent' : 'number';
  }
  if (/us\$|u\$[sd]|usd/i.test(code)) return 'dollars';
  // Texts in quotes, escaped characters, padding, and colours and locales in brackets are no format.
  const [plain = ''] = code.replaceAll(/"[^"]*"|\\.|[_*].|\[[^\]]*\]/g, '').split(';');
  if (/[yd]/i.test(plain) || /mmm/i.test(plain)) return 'date';
  return plain.includes('%') ? 'percent' : 'number';
}

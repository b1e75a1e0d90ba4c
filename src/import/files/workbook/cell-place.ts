/** The limits of a sheet in the format. */
export const columnsMax = 16_384;
export const rowsMax = 1_048_576;

/** The place of a cell: the column from 0, the row from 1. */
export interface CellPlace {
  readonly column: number;
  readonly row: number;
}

/** The place of a reference such as `AB12`. Undefined beyond the limits of a sheet. */
export function cellPlace(reference: string): CellPlace | undefined {
  const [, letters = '', digits = ''] = /^([A-Z]{1,3})(\d{1,7})$/.exec(reference) ?? [];
  if (letters === '') return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  const row = Number(digits);
  return column > columnsMax || row < 1 || row > rowsMax ? undefined : { column: column - 1, row };
}

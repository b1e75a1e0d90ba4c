import Papa from 'papaparse';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import { openWorkbook, type Sheet, type WorkbookParts } from './workbook/open-workbook.ts';

/** Maximum number of sheets of which the import looks for the filled ones. */
const sheetsMax = 100;

/**
 * The sheet of a workbook that is imported, as CSV in UTF-8 with commas: the one that the operator named,
 * or the only visible sheet with a value. A line is a row of the sheet.
 *
 * @throws {ImportRefusal} when no sheet has this name, or several have values.
 */
export async function sheetAsCsv(
  parts: WorkbookParts,
  named: string | undefined,
): Promise<AsyncGenerator<Uint8Array>> {
  const sheets = await openWorkbook(parts);
  return csvOf(named === undefined ? await onlySheet(sheets) : sheetNamed(named, sheets));
}

function sheetNamed(name: string, sheets: readonly Sheet[]): Sheet {
  const folded = name.trim().toLowerCase();
  const sheet = sheets.find((one) => one.name.trim().toLowerCase() === folded);
  if (sheet !== undefined) return sheet;
  const names = sheets.map((one) => `"${one.name}"`).join(', ');
  const message = `the workbook has no sheet "${name}"; its sheets are ${names}`;
  throw new ImportRefusal('option-mismatch', message);
}

async function onlySheet(sheets: readonly Sheet[]): Promise<Sheet> {
  const filled: Sheet[] = [];
  for (const sheet of sheets.slice(0, sheetsMax)) {
    if (!sheet.isHidden && (await sheet.isFilled())) filled.push(sheet);
  }
  const [only, ...others] = filled;
  if (only === undefined) {
    throw new ImportRefusal('not-prices', 'no visible sheet of the workbook has a value');
  }
  if (others.length === 0) return only;
  throw new ImportRefusal('ambiguous', `the workbook has ${filled.length} sheets with values`, {
    advice: { kind: 'choose-sheet', suggestions: filled.map(({ name }) => ({ sheet: name })) },
  });
}

async function* csvOf(sheet: Sheet): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const rows of sheet.rows()) {
    yield encoder.encode(
      `${Papa.unparse(
        rows.map((row) => [...row]),
        { newline: '\n' },
      )}\n`,
    );
  }
}

import Papa from 'papaparse';
import { ImportRefusal } from '../../refusals/import-refusal.ts';
import { readWholeXml, readXml } from './read-xml.ts';
import { headerMerges, sheetRows, type NumberKind } from './sheet-rows.ts';

/** The path of the main part of a workbook, by which an archive is known to be one. */
export const workbookPart = 'xl/workbook.xml';

/** The parts of a workbook by path. Each can be read several times, one after the other. */
type WorkbookParts = ReadonlyMap<string, () => AsyncIterable<Uint8Array>>;

/** A sheet of a workbook. */
interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  /** The rows as texts, in batches. */
  rows(): AsyncGenerator<readonly (readonly string[])[]>;
  /** Whether a cell of the sheet has a value. */
  isFilled(): Promise<boolean>;
}

/**
 * The sheets of a workbook of Excel (ECMA-376, `.xlsx` and `.xlsm`), in their order. Charts and macros are
 * left out.
 *
 * @throws {ImportRefusal} for a damaged workbook.
 */
async function openWorkbook(parts: WorkbookParts): Promise<readonly Sheet[]> {
  const listed: { readonly name: string; readonly id: string; readonly isHidden: boolean }[] = [];
  let is1904 = false;
  await readWholeXml(partOf(parts, workbookPart), {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = isTrue(attributes['date1904']);
      if (name !== 'sheet') return;
      const [, id = ''] = Object.entries(attributes).find(([key]) => /^\w+:id$/.test(key)) ?? [];
      const isHidden = (attributes['state'] ?? 'visible') !== 'visible';
      listed.push({ name: attributes['name'] ?? '', id, isHidden });
    },
  });
  const targets = await worksheetTargets(parts);
  const shared = async () => ({
    strings: await sharedStrings(parts.get('xl/sharedStrings.xml')?.()),
    kinds: await numberKinds(parts.get('xl/styles.xml')?.()),
    is1904,
  });
  return listed.flatMap(({ name, id, isHidden }, index) => {
    const path = targets === undefined ? `xl/worksheets/sheet${index + 1}.xml` : targets.get(id);
    if (path === undefined) return [];
    return [
      {
        name,
        isHidden,
        async *rows() {
          const merges = await headerMerges(partOf(parts, path));
          yield* sheetRows(partOf(parts, path), { ...(await shared()), merges });
        },
        isFilled: async () => isFilled(partOf(parts, path)),
      },
    ];
  });
}

/** The paths of the worksheets by the id of their relation. Undefined where the workbook has no relations. */
async function worksheetTargets(
  parts: WorkbookParts,
): Promise<ReadonlyMap<string, string> | undefined> {
  const relations = parts.get('xl/_rels/workbook.xml.rels');
  if (relations === undefined) return undefined;
  const targets = new Map<string, string>();
  await readWholeXml(relations(), {
    open(name, { Id: id = '', Type: type = '', Target: target = '' }) {
      if (name !== 'Relationship' || !type.endsWith('/worksheet')) return;
      targets.set(id, target.startsWith('/') ? target.slice(1) : `xl/${target}`);
    },
  });
  return targets;
}

/** Whether a sheet has a value. It is read up to the first one only. */
async function isFilled(bytes: AsyncIterable<Uint8Array>): Promise<boolean> {
  let found = false;
  const events = readXml(bytes, {
    open(name) {
      if (name === 'v' || name === 't') found = true;
    },
  });
  for await (const _ of events) if (found) return true;
  return found;
}

function partOf(parts: WorkbookParts, path: string): AsyncIterable<Uint8Array> {
  const part = parts.get(path);
  if (part === undefined) {
    throw new ImportRefusal('unreadable', `the workbook is damaged: it has no part ${path}`);
  }
  return part();
}

function isTrue(text: string | undefined): boolean {
  return text === '1' || text === 'true';
}

/** Maximum number of texts that cells share, and of their characters. A table of prices has a few hundred. */
const sharedStringsMax = 500_000;
const sharedCharsMax = 33_554_432;

/** The texts that cells share, by their index. Formatting is left out, and so are readings of characters. */
async function sharedStrings(
  bytes: AsyncIterable<Uint8Array> | undefined,
): Promise<readonly string[]> {
  const strings: string[] = [];
  if (bytes === undefined) return strings;
  let chars = 0;
  let current = '';
  let depthOfReading = 0;
  let isText = false;
  const events = readXml(bytes, {
    open(name) {
      if (name === 'si') current = '';
      else if (name === 'rPh') depthOfReading += 1;
      else if (name === 't') isText = depthOfReading === 0;
    },
    text(text) {
      if (!isText) return;
      current += text;
      chars += text.length;
    },
    close(name) {
      if (name === 'si') strings.push(current);
      else if (name === 'rPh') depthOfReading -= 1;
      else if (name === 't') isText = false;
      if (chars > sharedCharsMax || strings.length > sharedStringsMax) {
        throw new ImportRefusal(
          'too-large',
          'the workbook has too many texts; save the sheet as CSV',
        );
      }
    },
  });
  for await (const _ of events);
  return strings;
}

/** The built-in formats of dates, with or without a time, also those of East Asian versions. */
const dateIds: readonly (readonly [number, number])[] = [
  [14, 17],
  [22, 22],
  [27, 36],
  [50, 58],
];

const percentIds: ReadonlySet<number> = new Set([9, 10]);

/** The kind of each cell style of a workbook, by the index that cells have. */
async function numberKinds(
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
    kind: 'choose-sheet',
    suggestions: filled.map(({ name }) => ({ sheet: name })),
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

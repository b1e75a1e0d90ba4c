import { makeZip } from './make-zip.ts';

/** A sheet of a test: the XML of its rows, and what follows them. */
export interface SheetSketch {
  readonly name: string;
  readonly rows: string;
  readonly after?: string;
  readonly state?: string;
}

/** The styles of {@link makeWorkbook}, by the index that cells have. */
export const styles = {
  general: 0,
  date: 1,
  longDate: 2,
  percent: 3,
  dollars: 4,
  dateTime: 5,
  red: 6,
};

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Creates a workbook of Excel with these sheets and shared texts. */
export function makeWorkbook(
  sheets: readonly SheetSketch[],
  { strings = [], is1904 = false }: { strings?: readonly string[]; is1904?: boolean } = {},
): Uint8Array {
  const listed = sheets.map(({ name, state = 'visible' }, at) => {
    return `<sheet name="${name}" sheetId="${at + 1}" state="${state}" r:id="rId${at + 1}"/>`;
  });
  const targets = sheets.map((_, at) => {
    return `<Relationship Id="rId${at + 1}" Type="${relations}/worksheet" Target="worksheets/s${at + 1}.xml"/>`;
  });
  const parts: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${relations}"><workbookPr${is1904 ? ' date1904="1"' : ''}/><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${targets.join('')}</Relationships>`,
    'xl/styles.xml': `<styleSheet ${main}><numFmts>
      <numFmt numFmtId="164" formatCode="[$-2C0A]d\\ &quot;de&quot;\\ mmmm\\ yyyy;@"/>
      <numFmt numFmtId="165" formatCode="&quot;US$&quot;\\ #,##0.00"/>
      <numFmt numFmtId="166" formatCode="0.00_);[Red]\\(0.00\\)"/></numFmts>
      <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
      <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="10"/><xf numFmtId="165"/><xf numFmtId="22"/><xf numFmtId="166"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst ${main}>${strings.join('')}</sst>`,
  };
  for (const [at, { rows, after = '' }] of sheets.entries()) {
    parts[`xl/worksheets/s${at + 1}.xml`] =
      `<?xml version="1.0" encoding="UTF-8"?><worksheet ${main}><sheetData>${rows}</sheetData>${after}</worksheet>`;
  }
  const entries = Object.entries(parts).map(([path, text]) => [path, Buffer.from(text)] as const);
  return makeZip(Object.fromEntries(entries));
}

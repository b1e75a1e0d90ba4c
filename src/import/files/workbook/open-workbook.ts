import { headerMerges } from './header-merges.ts';
import { numberKinds } from './number-styles.ts';
import { readWholeXml, readXml } from './read-xml.ts';
import { sharedStrings } from './shared-strings.ts';
import { sheetRows } from './sheet-rows.ts';
import { WorkbookFault } from './workbook-fault.ts';

/** The path of the main part of a workbook, by which an archive is known to be one. */
export const workbookPart = 'xl/workbook.xml';

/** The parts of a workbook by path. Each can be read several times, one after the other. */
export type WorkbookParts = ReadonlyMap<string, () => AsyncIterable<Uint8Array>>;

/** A sheet of a workbook. */
export interface Sheet {
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
 * @throws {WorkbookFault} for a damaged workbook.
 */
export async function openWorkbook(parts: WorkbookParts): Promise<readonly Sheet[]> {
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
    throw new WorkbookFault('unreadable', `the workbook is damaged: it has no part ${path}`);
  }
  return part();
}

function isTrue(text: string | undefined): boolean {
  return text === '1' || text === 'true';
}

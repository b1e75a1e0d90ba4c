import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Instrument } from '../domain/instruments/instrument.ts';
import { panelCodes, type PanelCode } from '../domain/instruments/panel.ts';
import { Universe } from '../domain/instruments/universe.ts';
import { readBonds } from './bonds/read-bonds.ts';
import {
  decodeText,
  fileFault,
  universeFiles,
  type FileText,
  type UniverseFault,
} from './files/universe-fault.ts';
import { readDerived } from './read-derived.ts';
import { referredTo } from './files/known-instruments.ts';
import { readInstruments, type InstrumentTable } from './read-instruments.ts';
import { readMarkets } from './read-markets.ts';
import { readPanels, type PanelRule } from './read-panels.ts';

/** A universe without faults, or all faults that were found. */
type UniverseResult =
  | { readonly ok: true; readonly universe: Universe }
  | { readonly ok: false; readonly faults: readonly UniverseFault[] };

/** Maximum file size. A larger file is refused unread. 100,000 instruments take about 8 MB. */
const universeFileBytesMax = 64 * 1024 * 1024;

/**
 * Loads the universe from a directory: `instruments.csv`, `markets.yaml`, `panels.yaml`,
 * `derived.yaml`, and `bonds.csv` if it exists (docs/universe.md). All faults of all files are reported at once. A universe with
 * a fault is not returned, so it can never replace one that works.
 */
export async function loadUniverse(directory: string): Promise<UniverseResult> {
  const faults: UniverseFault[] = [];
  await checkDirectory(directory, faults);
  if (faults.length > 0) return { ok: false, faults };
  const read = async (part: keyof typeof universeFiles): Promise<FileText | undefined> => {
    const file = universeFiles[part];
    const text = await readText(directory, file, faults);
    return text === undefined ? undefined : { file, text };
  };
  const [marketsText, panelsText, instrumentsText, derivedText, bondsText] = await Promise.all([
    read('markets'),
    read('panels'),
    read('instruments'),
    read('derived'),
    read('bonds'),
  ]);
  const { markets, codes, ...ofMarkets } = marketsText
    ? readMarkets(marketsText)
    : { markets: new Map(), codes: undefined, faults: [] };
  const panelRules = panelsText ? readPanels(panelsText) : { rules: new Map(), faults: [] };
  faults.push(...ofMarkets.faults, ...panelRules.faults);
  // Without the instruments, every reference to one would be reported as a fault.
  if (instrumentsText === undefined) return { ok: false, faults };
  const table = readInstruments(instrumentsText, { markets: codes, panels: panelRules.rules });
  const { panels, faults: ofPanels } = composePanels(panelRules.rules, table);
  const { derived, faults: ofDerived } = derivedText
    ? readDerived(derivedText, table)
    : { derived: [], faults: [] };
  const { bondTerms, faults: ofBonds } = bondsText
    ? readBonds(bondsText, table)
    : { bondTerms: [], faults: [] };
  faults.push(...table.faults, ...ofPanels, ...ofDerived, ...ofBonds);
  if (faults.length > 0) return { ok: false, faults };
  const { instruments } = table;
  return { ok: true, universe: new Universe({ instruments, markets, panels, derived, bondTerms }) };
}

async function checkDirectory(directory: string, faults: UniverseFault[]): Promise<void> {
  try {
    const isDirectory = (await stat(directory)).isDirectory();
    if (!isDirectory) faults.push(fileFault(directory, 'is not a directory'));
  } catch (error) {
    faults.push(fileFault(directory, `cannot be read (${codeOf(error)})`));
  }
}

/** The text of a file. Undefined after a fault, and for a missing file that a universe need not have. */
async function readText(
  directory: string,
  file: string,
  faults: UniverseFault[],
): Promise<string | undefined> {
  const path = join(directory, file);
  try {
    const { size } = await stat(path);
    if (size <= universeFileBytesMax) return decodeText(file, await readFile(path), faults);
    faults.push(fileFault(file, `is larger than ${universeFileBytesMax / 1024 / 1024} MiB`));
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ENOENT') faults.push(fileFault(file, `cannot be read (${code})`));
    else if (file !== universeFiles.bonds) {
      faults.push(fileFault(file, 'is missing; a universe requires it'));
    }
  }
  return undefined;
}

/** Every error of the file system has a code. */
function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}

/** The members of every panel, and a fault for each member that does not exist. */
export function composePanels(
  rules: ReadonlyMap<PanelCode, PanelRule>,
  table: InstrumentTable,
): {
  readonly panels: ReadonlyMap<PanelCode, readonly Instrument[]>;
  readonly faults: readonly UniverseFault[];
} {
  const faults: UniverseFault[] = [];
  const panels = new Map<PanelCode, readonly Instrument[]>();

  const membersOf = (code: PanelCode): readonly Instrument[] => {
    const known = panels.get(code);
    if (known !== undefined) return known;
    // Ends the recursion when panels refer to each other in a circle, which is already a fault.
    panels.set(code, []);
    const members = make(code, rules.get(code) ?? { type: 'rows' });
    panels.set(code, members);
    return members;
  };
  const make = (code: PanelCode, rule: PanelRule): readonly Instrument[] => {
    switch (rule.type) {
      case 'rows':
        return table.members.get(code) ?? [];
      case 'alias':
        return membersOf(rule.panel);
      case 'of':
        return [...new Set(rule.panels.flatMap((panel) => membersOf(panel)))];
      case 'members':
        return listMembers(rule, table, faults);
    }
  };

  for (const code of panelCodes) membersOf(code);
  return { panels, faults };
}

function listMembers(
  rule: Extract<PanelRule, { type: 'members' }>,
  table: InstrumentTable,
  faults: UniverseFault[],
): readonly Instrument[] {
  const members = new Set<Instrument>();
  for (const located of rule.tickers) {
    const fault = (message: string) =>
      faults.push({ file: universeFiles.panels, ...located, message });
    const instrument = referredTo(located.value, table, fault);
    if (instrument === undefined) continue;
    if (members.has(instrument)) fault('duplicate member; the panel has this instrument already');
    else members.add(instrument);
  }
  return [...members];
}

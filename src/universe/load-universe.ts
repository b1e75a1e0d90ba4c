import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Universe } from '../domain/instruments/universe.ts';
import { readBonds } from './bonds/read-bonds.ts';
import { composePanels } from './compose-panels.ts';
import { decodeText } from './files/decode-text.ts';
import { readDerived } from './read-derived.ts';
import { readInstruments, type InstrumentTable } from './read-instruments.ts';
import { readMarkets, type MarketTable } from './read-markets.ts';
import { readPanels, type PanelRules } from './read-panels.ts';
import { universeFiles, type UniverseFault } from './files/universe-fault.ts';

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
  const missing = await checkDirectory(directory);
  if (missing !== undefined) return { ok: false, faults: [missing] };

  const [marketsText, panelsText, instrumentsText, derivedText, bondsText] = await Promise.all([
    readText(directory, universeFiles.markets),
    readText(directory, universeFiles.panels),
    readText(directory, universeFiles.instruments),
    readText(directory, universeFiles.derived),
    readText(directory, universeFiles.bonds),
  ]);

  const markets: MarketTable = marketsText.ok
    ? readMarkets(marketsText)
    : { markets: new Map(), codes: undefined, faults: [marketsText.fault] };
  const panelRules: PanelRules = panelsText.ok
    ? readPanels(panelsText)
    : { rules: new Map(), faults: [panelsText.fault] };
  const instruments: InstrumentTable | undefined = instrumentsText.ok
    ? readInstruments(instrumentsText, { markets: markets.codes, panels: panelRules.rules })
    : undefined;
  const faults = [...markets.faults, ...panelRules.faults];
  if (!instrumentsText.ok) faults.push(instrumentsText.fault);
  if (!derivedText.ok) faults.push(derivedText.fault);
  // Without the instruments, every reference to one would be reported as a fault.
  if (instruments === undefined) return { ok: false, faults };

  const { panels, faults: panelFaults } = composePanels(panelRules.rules, instruments);
  const { derived, faults: derivedFaults } = derivedText.ok
    ? readDerived(derivedText, instruments)
    : { derived: [], faults: [] };
  const { bondTerms, faults: bondFaults } = bondsText.ok
    ? readBonds(bondsText, instruments)
    : { bondTerms: [], faults: bondsText.isMissing ? [] : [bondsText.fault] };
  faults.push(...instruments.faults, ...panelFaults, ...derivedFaults, ...bondFaults);
  if (faults.length > 0) return { ok: false, faults };
  return {
    ok: true,
    universe: new Universe({
      instruments: instruments.instruments,
      markets: markets.markets,
      panels,
      derived,
      bondTerms,
    }),
  };
}

type FileText =
  | { readonly ok: true; readonly file: string; readonly text: string }
  | { readonly ok: false; readonly isMissing?: boolean; readonly fault: UniverseFault };

async function checkDirectory(directory: string): Promise<UniverseFault | undefined> {
  try {
    const isDirectory = (await stat(directory)).isDirectory();
    return isDirectory ? undefined : wholeFileFault(directory, 'is not a directory');
  } catch (error) {
    return wholeFileFault(directory, `cannot be read (${codeOf(error)})`);
  }
}

async function readText(directory: string, file: string): Promise<FileText> {
  const path = join(directory, file);
  try {
    const { size } = await stat(path);
    if (size > universeFileBytesMax) {
      const limit = `${universeFileBytesMax / 1024 / 1024} MiB`;
      return { ok: false, fault: wholeFileFault(file, `is larger than ${limit}`) };
    }
    const decoded = decodeText(file, await readFile(path));
    return decoded.ok ? { ok: true, file, text: decoded.text } : decoded;
  } catch (error) {
    const code = codeOf(error);
    const isMissing = code === 'ENOENT';
    const message = isMissing ? 'is missing; a universe requires it' : `cannot be read (${code})`;
    return { ok: false, isMissing, fault: wholeFileFault(file, message) };
  }
}

function wholeFileFault(file: string, message: string): UniverseFault {
  return { file, line: 0, column: 0, value: '', message };
}

/** Every error of the file system has a code. */
function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}

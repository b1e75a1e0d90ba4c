import type { Instrument } from '../domain/instruments/instrument.ts';
import { panelCodes, type PanelCode } from '../domain/instruments/panel.ts';
import { tickerKey } from '../domain/instruments/ticker.ts';
import type { InstrumentTable } from './read-instruments.ts';
import type { PanelRule } from './read-panels.ts';
import { universeFiles, type UniverseFault } from './files/universe-fault.ts';

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
    const key = tickerKey(located.value);
    const instrument = table.byKey.get(key);
    const fault = (message: string) =>
      faults.push({ file: universeFiles.panels, ...located, message });
    if (instrument === undefined) {
      // A row that exists but is faulty has its own fault already.
      if (!table.declared.has(key)) {
        fault('unknown instrument; instruments.csv has no row with this ticker');
      }
    } else if (members.has(instrument)) {
      fault('duplicate member; the panel has this instrument already');
    } else {
      members.add(instrument);
    }
  }
  return [...members];
}

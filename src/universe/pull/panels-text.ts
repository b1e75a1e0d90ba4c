import { panelCodes, type PanelCode } from '../../domain/instruments/panel.ts';
import { yamlText } from './insert-entries.ts';

/** The names of the panels in a file that is written for the first time. */
const panelNames: Readonly<Record<PanelCode, string>> = {
  LID: 'Panel líder',
  GEN: 'Panel general',
  LIDGEN: 'Paneles líder y general',
  BONOS: 'Bonos argentinos',
  BON: 'Bonos argentinos (alias de BONOS)',
  ETF: 'ETF internacionales',
  ADR: 'ADR internacionales',
  ADRARG: 'ADR de empresas argentinas',
  VARIAS: 'Acciones internacionales varias',
  CED: 'CEDEAR',
  IND: 'Índices, tipos de cambio y tasas',
};

/**
 * A `panels.yaml` whose panels have these members. A panel has the rows that name it where that gives the
 * same order, and otherwise a list of its members.
 *
 * @param order all tickers, in the order of their rows
 */
export function panelsText(
  panels: ReadonlyMap<PanelCode, readonly string[]>,
  order: readonly string[],
): string {
  const position = new Map(order.map((ticker, index) => [ticker, index]));
  const members = (code: PanelCode): readonly string[] =>
    (panels.get(code) ?? []).filter((ticker) => position.has(ticker));
  const rowsOf = (code: PanelCode): readonly string[] =>
    members(code).toSorted((a, b) => (position.get(a) ?? 0) - (position.get(b) ?? 0));
  const ruleOf = (code: PanelCode): string => {
    if (code === 'BON') return ', aliasOf: BONOS';
    const own = members(code);
    const both = [...new Set([...members('LID'), ...members('GEN')])];
    if (code === 'LIDGEN' && areEqual(own, both)) return ', of: [LID, GEN]';
    if (own.length === 0 || areEqual(own, rowsOf(code))) return '';
    return `, members: [${own.map(inFlow).join(', ')}]`;
  };
  return panelCodes
    .map((code) => `${code}: { name: ${inFlow(panelNames[code])}${ruleOf(code)} }\n`)
    .join('');
}

/** A text within braces, where a comma ends it. */
function inFlow(text: string): string {
  return /[,[\]{}]/.test(text) ? JSON.stringify(text) : yamlText(text);
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index]);
}

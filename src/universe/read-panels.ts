import type { Node } from 'yaml';
import { isPanelCode, panelCodes, type PanelCode } from '../domain/instruments/panel.ts';
import { listed, type Located, type UniverseFault } from './files/universe-fault.ts';
import { YamlFile } from './files/yaml-file.ts';

/** How the members of a panel are determined. */
export type PanelRule =
  /** The rows of instruments.csv that name the panel. */
  | { readonly type: 'rows' }
  /** A list of tickers. */
  | { readonly type: 'members'; readonly tickers: readonly Located[] }
  /** The members of other panels, one panel after the other. */
  | { readonly type: 'of'; readonly panels: readonly PanelCode[] }
  /** The same members as another panel. */
  | { readonly type: 'alias'; readonly panel: PanelCode };

/** The contents of `panels.yaml`. */
export interface PanelRules {
  /** The rules without faults. */
  readonly rules: ReadonlyMap<PanelCode, PanelRule>;
  readonly faults: readonly UniverseFault[];
}

/** The keys that define the members of a panel. */
export const panelSources = ['of', 'aliasOf', 'members'];

/** Reads the panels. All eleven panels of contract 2.4 must be present. */
export function readPanels(source: { readonly file: string; readonly text: string }): PanelRules {
  const yaml = new YamlFile(source);
  const rules = new Map<PanelCode, PanelRule>();
  if (!yaml.isReadable) return { rules, faults: yaml.faults };

  const named = new Map<PanelCode, Node>();
  for (const { key, keyNode, value } of yaml.entries(yaml.root, 'the file')) {
    if (!isPanelCode(key)) {
      yaml.fault(keyNode, `unknown panel; the panels are ${listed(panelCodes)}`);
      continue;
    }
    named.set(key, keyNode);
    const rule = readRule(yaml, key, value);
    if (rule !== undefined) rules.set(key, rule);
  }
  const missing = panelCodes.filter((code) => !named.has(code));
  if (missing.length > 0) {
    yaml.fault(null, `panels are missing: ${listed(missing)}`, '');
  }
  checkReferences(yaml, rules, named);
  return { rules, faults: yaml.faults };
}

function readRule(yaml: YamlFile, code: PanelCode, node: Node | null): PanelRule | undefined {
  const fields = yaml.fields(node, `the panel ${code}`, {
    required: ['name'],
    optional: panelSources,
  });
  // The name documents the file and is not served.
  const name = fields.get('name');
  if (name !== undefined) yaml.text(name.value, 'the name');

  const given = panelSources.flatMap((key) => fields.get(key) ?? []);
  const [entry, second] = given;
  if (second !== undefined) {
    yaml.fault(second.keyNode, `a panel can have only one of the keys ${listed(panelSources)}`);
    return undefined;
  }
  if (entry === undefined) return { type: 'rows' };
  switch (entry.key) {
    case 'of': {
      const panels = yaml.items(entry.value, '"of"').map((item) => readCode(yaml, item));
      return { type: 'of', panels: panels.filter((panel) => panel !== undefined) };
    }
    case 'aliasOf': {
      const panel = readCode(yaml, entry.value);
      return panel === undefined ? undefined : { type: 'alias', panel };
    }
    default:
      return { type: 'members', tickers: readTickers(yaml, entry.value) };
  }
}

function readCode(yaml: YamlFile, node: Node | null): PanelCode | undefined {
  const text = yaml.text(node, 'a panel');
  if (text === undefined || isPanelCode(text)) return text;
  yaml.fault(node, `unknown panel; the panels are ${listed(panelCodes)}`);
  return undefined;
}

function readTickers(yaml: YamlFile, node: Node | null): readonly Located[] {
  return yaml.items(node, '"members"').flatMap((item) => {
    const text = yaml.text(item, 'a ticker');
    return text === undefined ? [] : [yaml.located(item, text)];
  });
}

/**
 * Checks the references between panels. A composed panel contains only panels that are neither
 * composed nor aliases, and an alias refers to a panel that is not an alias, so circular references
 * are impossible. BON is an alias of BONOS (contract 2.4).
 */
function checkReferences(
  yaml: YamlFile,
  rules: ReadonlyMap<PanelCode, PanelRule>,
  named: ReadonlyMap<PanelCode, Node>,
): void {
  for (const [code, rule] of rules) {
    const node = named.get(code) ?? null;
    const typeOf = (panel: PanelCode) => rules.get(panel)?.type ?? 'rows';
    if (
      rule.type === 'of' &&
      rule.panels.some((panel) => ['of', 'alias'].includes(typeOf(panel)))
    ) {
      yaml.fault(node, 'the panels in "of" must not have "of" or "aliasOf" themselves');
    }
    if (rule.type === 'alias' && typeOf(rule.panel) === 'alias') {
      yaml.fault(node, `${rule.panel} is an alias itself; use the panel that it refers to`);
    }
  }
  const bon = rules.get('BON');
  if (bon !== undefined && !(bon.type === 'alias' && bon.panel === 'BONOS')) {
    yaml.fault(
      named.get('BON') ?? null,
      'BON must be "aliasOf: BONOS"; the contract requires it (docs/contract.md, 2.4)',
    );
  }
}

import type { Node } from 'yaml';
import { isPanelCode, panelCodes } from '../domain/panel.ts';
import type { PanelCode } from '../domain/panel.ts';
import { listed } from './universe-fault.ts';
import type { Located, UniverseFault } from './universe-fault.ts';
import { YamlFile } from './yaml-file.ts';

/** Where the members of a panel come from. */
export type PanelRule =
  /** From the rows of instruments.csv that name the panel. */
  | { readonly type: 'rows' }
  /** From a list of tickers. */
  | { readonly type: 'members'; readonly tickers: readonly Located[] }
  /** From other panels, one after the other. */
  | { readonly type: 'of'; readonly panels: readonly PanelCode[] }
  /** The very members of another panel. */
  | { readonly type: 'alias'; readonly panel: PanelCode };

/** What `panels.yaml` says. */
export interface PanelRules {
  /** The rules that are sound. */
  readonly rules: ReadonlyMap<PanelCode, PanelRule>;
  readonly faults: readonly UniverseFault[];
}

const sources = ['of', 'aliasOf', 'members'];

/** Reads the file of panels. All eleven must be there, for the contract names them all. */
export function readPanels(source: { readonly file: string; readonly text: string }): PanelRules {
  const yaml = new YamlFile(source);
  const rules = new Map<PanelCode, PanelRule>();
  if (!yaml.isReadable) return { rules, faults: yaml.faults };

  const named = new Map<PanelCode, Node>();
  for (const { key, keyNode, value } of yaml.entries(yaml.root, 'the file')) {
    if (!isPanelCode(key)) {
      yaml.fault(keyNode, `no such panel; there are ${listed(panelCodes)}`);
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
  const fields = yaml.fields(node, `the panel ${code}`, { required: ['name'], optional: sources });
  // The name is for people who read the file; nothing serves it.
  const name = fields.get('name');
  if (name !== undefined) yaml.text(name.value, 'the name');

  const given = sources.flatMap((key) => fields.get(key) ?? []);
  const [entry, second] = given;
  if (second !== undefined) {
    yaml.fault(second.keyNode, `a panel has only one of ${listed(sources)}`);
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
  yaml.fault(node, `no such panel; there are ${listed(panelCodes)}`);
  return undefined;
}

function readTickers(yaml: YamlFile, node: Node | null): readonly Located[] {
  return yaml.items(node, '"members"').flatMap((item) => {
    const text = yaml.text(item, 'a ticker');
    return text === undefined ? [] : [yaml.located(item, text)];
  });
}

/**
 * A composed panel is made of plain ones, and an alias stands for one that is no alias: so nothing
 * can go round in a circle. BON is the alias of BONOS by contract (specification 2.4).
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
      yaml.fault(node, 'the panels in "of" must not be composed or aliases themselves');
    }
    if (rule.type === 'alias' && typeOf(rule.panel) === 'alias') {
      yaml.fault(node, `${rule.panel} is an alias itself; name the panel it stands for`);
    }
  }
  const bon = rules.get('BON');
  if (bon !== undefined && !(bon.type === 'alias' && bon.panel === 'BONOS')) {
    yaml.fault(named.get('BON') ?? null, 'BON must be "aliasOf: BONOS", for the contract says so');
  }
}

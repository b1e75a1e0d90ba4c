import type { Node } from 'yaml';
import { isPanelCode, panelCodes, type PanelCode } from '../domain/instruments/panel.ts';
import { listed, type Located, type UniverseFault, type FileText } from './files/universe-fault.ts';
import { YamlFile } from './files/yaml-file.ts';
import * as shapes from './files/yaml-shapes.ts';
import type { Shape } from './files/yaml-shapes.ts';

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
interface PanelRules {
  /** The rules without faults. */
  readonly rules: ReadonlyMap<PanelCode, PanelRule>;
  readonly faults: readonly UniverseFault[];
}

/** The keys that define the members of a panel. */
const panelSources = ['of', 'aliasOf', 'members'] as const;

const unknownPanel = `unknown panel; the panels are ${listed(panelCodes)}`;
const panelCode = shapes.choice('a panel', panelCodes, unknownPanel);

const member: Shape<Located> = {
  schema: shapes.text('a ticker').schema,
  read(yaml, node) {
    const ticker = yaml.text(node, 'a ticker');
    return ticker === undefined || node === null ? undefined : yaml.located(node, ticker);
  },
};

const panelShape = shapes.record(
  (code) => `the panel ${code}`,
  {
    // The name documents the file and is not served.
    name: shapes.text('the name'),
    of: shapes.list('"of"', panelCode),
    aliasOf: panelCode,
    members: shapes.list('"members"', member),
  },
  ['name'],
  {
    of: 'The members of other panels.',
    aliasOf: 'The members of another panel.',
    members: 'Tickers, in the order of the panel.',
  },
);

const pairs = panelSources.flatMap((one, index) =>
  panelSources.slice(index + 1).map((other) => [one, other]),
);
const panelSchema = {
  ...panelShape.schema,
  allOf: pairs.map((required) => ({ not: { required } })),
};

/** The JSON Schema of `panels.yaml`. BON is an alias of BONOS (contract 2.4). */
export const panelsSchema = {
  type: 'object',
  properties: {
    ...Object.fromEntries(panelCodes.map((code) => [code, panelSchema])),
    BON: {
      type: 'object',
      properties: { name: shapes.text('the name').schema, aliasOf: { const: 'BONOS' } },
      required: ['name', 'aliasOf'],
      additionalProperties: false,
    },
  },
  required: panelCodes,
  additionalProperties: false,
};

/** Reads the panels. All eleven panels of contract 2.4 must be present. */
export function readPanels(source: FileText): PanelRules {
  const yaml = new YamlFile(source);
  const rules = new Map<PanelCode, PanelRule>();
  if (!yaml.isReadable) return { rules, faults: yaml.faults };

  const named = new Map<PanelCode, Node>();
  for (const { key, keyNode, value } of yaml.entries(yaml.root, 'the file')) {
    if (!isPanelCode(key)) {
      yaml.fault(keyNode, unknownPanel);
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
  const fields = panelShape.read(yaml, node, code) ?? {};
  const [first, second] = panelSources.filter((name) => name in fields);
  if (second !== undefined) {
    const message = `a panel can have only one of the keys ${listed(panelSources)}`;
    yaml.fault(yaml.keyIn(node, second), message);
    return undefined;
  }
  const { of: panels = [], aliasOf: panel, members: tickers = [] } = fields;
  if (first === 'of') return { type: 'of', panels };
  if (first === 'aliasOf') return panel && { type: 'alias', panel };
  return first === undefined ? { type: 'rows' } : { type: 'members', tickers };
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

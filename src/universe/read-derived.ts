import type { Node } from 'yaml';
import { inputsOf, type Derivation } from '../domain/instruments/derivation.ts';
import { tickerKey, type Ticker } from '../domain/instruments/ticker.ts';
import type { DerivedInstrument } from '../domain/instruments/universe.ts';
import { referredTo, type KnownInstruments } from './files/known-instruments.ts';
import { listed, type UniverseFault, type FileText } from './files/universe-fault.ts';
import { YamlFile } from './files/yaml-file.ts';
import * as shapes from './files/yaml-shapes.ts';
import type { Shape } from './files/yaml-shapes.ts';

/** The keys of a derivation, of which it has exactly one. */
const derivationTypes = ['ratio', 'gap', 'scaled', 'alias'] as const;

/** The contents of `derived.yaml`. */
interface DerivedTable {
  /** Ordered so that every derived instrument comes after its inputs. */
  readonly derived: readonly DerivedInstrument[];
  readonly faults: readonly UniverseFault[];
}

/** A derivation and the node that declares it. */
interface Declaration {
  readonly keyNode: Node;
  readonly derivation: Derivation;
}

const factor = shapes.parsed(
  'a factor',
  (written) => {
    const value = /^\d+(?:\.\d+)?$/.test(written) ? Number(written) : 0;
    return value > 0 && Number.isFinite(value) ? value : undefined;
  },
  'not a valid factor; use a number above zero, such as 1.30',
  {
    anyOf: [
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'string', pattern: String.raw`^(?!0*(?:\.0*)?$)\d+(?:\.\d+)?$` },
    ],
  },
);

/** An instrument of the universe. */
const tickerIn = (tickers: KnownInstruments): Shape<Ticker> => ({
  schema: shapes.text('a ticker').schema,
  read(yaml, node) {
    const written = yaml.text(node, 'a ticker');
    if (written === undefined) return undefined;
    return referredTo(written, tickers, (message) => yaml.fault(node, message))?.ticker;
  },
});

const derivationShape = (input: Shape<Ticker>) =>
  shapes.record(
    (key) => `the derivation of ${key}`,
    {
      ratio: shapes.record('the ratio', { numerator: input, denominator: input }, [
        'numerator',
        'denominator',
      ]),
      gap: shapes.record('the gap', { value: input, base: input }, ['value', 'base']),
      scaled: input,
      alias: input,
      factors: shapes.byDate('"factors"', factor),
    },
    [],
    { factors: 'Factors by the day from which they apply.' },
  );

const { schema } = derivationShape(tickerIn({ byKey: new Map(), declared: new Map() }));
const properties = schema['properties'] as { readonly factors: object };

const fileShape = shapes.record(
  'the file',
  {
    derived: shapes.later(
      shapes.mapSchema({
        ...schema,
        properties: { ...properties, factors: { ...properties.factors, minProperties: 1 } },
        oneOf: derivationTypes.map((type) => ({ required: [type] })),
        dependencies: { factors: ['scaled'], scaled: ['factors'] },
      }),
    ),
    direct: shapes.later({ type: 'array', items: shapes.text('a ticker').schema }),
  },
  ['derived'],
);

/** The JSON Schema of `derived.yaml`. */
export const derivedSchema = fileShape.schema;

/** Reads the derived instruments. All tickers in the file must be in the table of instruments. */
export function readDerived(source: FileText, tickers: KnownInstruments): DerivedTable {
  const yaml = new YamlFile(source);
  const { faults } = yaml;
  if (!yaml.isReadable) return { derived: [], faults };
  const { derived, direct } = fileShape.read(yaml, yaml.root, '') ?? {};
  const input = tickerIn(tickers);
  const shape = derivationShape(input);
  const declarations = new Map<Ticker, Declaration>();
  const entries = derived === undefined ? [] : yaml.entries(derived, '"derived"');
  for (const { key, keyNode, value } of entries) {
    const instrument = referredTo(key, tickers, (message) => yaml.fault(keyNode, message));
    const ticker = instrument?.ticker;
    const derivation = toDerivation(yaml, value, key, shape);
    if (ticker === undefined || derivation === undefined) continue;
    if (declarations.has(ticker)) {
      yaml.fault(keyNode, 'duplicate derivation; the instrument is derived above');
    } else if (inputsOf(derivation).includes(ticker)) {
      yaml.fault(keyNode, 'an instrument cannot be derived from itself');
    } else {
      declarations.set(ticker, { keyNode, derivation });
    }
  }
  const items = direct === undefined ? [] : yaml.itemsIfAny(direct, '"direct"');
  const left = new Map(declarations);
  for (const item of items) {
    const ticker = input.read(yaml, item, '');
    if (ticker === undefined) continue;
    if (!declarations.has(ticker)) {
      yaml.fault(item, 'the instrument has no derivation; remove it from "direct"');
    }
    left.delete(ticker);
  }
  return { derived: inOrder(yaml, left, tickers), faults };
}

function toDerivation(
  yaml: YamlFile,
  node: Node | null,
  key: string,
  shape: ReturnType<typeof derivationShape>,
): Derivation | undefined {
  const fields = shape.read(yaml, node, key);
  if (fields === undefined) return undefined;
  const { ratio = {}, gap = {}, scaled, alias, factors = [] } = fields;
  const [type, ...others] = derivationTypes.filter((one) => one in fields);
  if (type === undefined || others.length > 0) {
    yaml.fault(node, `the derivation of ${key} needs exactly one of ${listed(derivationTypes)}`);
    return undefined;
  }
  if ('factors' in fields && type !== 'scaled') {
    yaml.fault(yaml.keyIn(node, 'factors'), 'only a scaled instrument has factors');
    return undefined;
  }
  if (type === 'ratio') {
    const { numerator, denominator } = ratio;
    return numerator && denominator && { type, numerator, denominator };
  }
  if (type === 'gap') return gap.value && gap.base && { type, value: gap.value, base: gap.base };
  if (type === 'alias') return alias && { type, source: alias };
  if (!('factors' in fields)) {
    yaml.fault(yaml.keyIn(node, type), 'a scaled instrument requires "factors", by date', '');
    return undefined;
  }
  const dated = yaml.valueIn(node, 'factors');
  const count = yaml.isMap(dated) ? yaml.entries(dated, '"factors"').length : undefined;
  if (count === 0) {
    const message = '"factors" needs at least one date with a factor';
    yaml.fault(yaml.keyIn(node, 'factors'), message);
  }
  if (scaled === undefined || count === 0 || factors.length !== count) return undefined;
  const sorted = factors.toSorted((a, b) => (a.date < b.date ? -1 : 1));
  return {
    type,
    source: scaled,
    factors: sorted.map(({ date, read }) => ({ since: date, factor: read })),
  };
}

/**
 * Orders the derivations depth-first by their inputs. A ticker that recurs on a path is a cycle.
 */
function inOrder(
  yaml: YamlFile,
  declarations: ReadonlyMap<Ticker, Declaration>,
  { byKey }: KnownInstruments,
): readonly DerivedInstrument[] {
  const ordered: DerivedInstrument[] = [];
  const done = new Set<Ticker>();
  const visit = (ticker: Ticker, path: readonly Ticker[]): void => {
    const declaration = declarations.get(ticker);
    if (declaration === undefined || done.has(ticker)) return;
    const start = path.indexOf(ticker);
    if (start !== -1) {
      const cycle = [...path.slice(start), ticker].join(' → ');
      yaml.fault(declaration.keyNode, `circular derivation: ${cycle}`);
      return;
    }
    for (const input of inputsOf(declaration.derivation)) visit(input, [...path, ticker]);
    done.add(ticker);
    const instrument = byKey.get(tickerKey(ticker));
    if (instrument !== undefined) ordered.push({ instrument, derivation: declaration.derivation });
  };
  for (const ticker of declarations.keys()) visit(ticker, []);
  return ordered;
}

import type { Node } from 'yaml';
import { inputsOf, type DatedFactor, type Derivation } from '../domain/instruments/derivation.ts';
import { tickerKey, type Ticker } from '../domain/instruments/ticker.ts';
import type { DerivedInstrument } from '../domain/instruments/universe.ts';
import type { InstrumentTable } from './read-instruments.ts';
import { parseDateKey } from './read-values.ts';
import { listed, type UniverseFault } from './files/universe-fault.ts';
import { YamlFile, type YamlEntry } from './files/yaml-file.ts';

/** The keys of a derivation, of which it has exactly one. */
export const derivationTypes = ['ratio', 'gap', 'scaled', 'alias'];
const factorShape = /^\d+(?:\.\d+)?$/;

/** The contents of `derived.yaml`. */
interface DerivedTable {
  /** Ordered so that every derived instrument comes after its inputs. */
  readonly derived: readonly DerivedInstrument[];
  readonly faults: readonly UniverseFault[];
}

/** A derivation and the node that declares it. */
interface Declaration {
  readonly ticker: Ticker;
  readonly keyNode: Node;
  readonly derivation: Derivation;
}

/** Reads the derived instruments. All tickers in the file must be in the table of instruments. */
export function readDerived(
  source: { readonly file: string; readonly text: string },
  table: Pick<InstrumentTable, 'byKey' | 'declared'>,
): DerivedTable {
  const yaml = new YamlFile(source);
  if (!yaml.isReadable) return { derived: [], faults: yaml.faults };
  const reader = new DerivedReader(yaml, table);
  return { derived: reader.read(), faults: yaml.faults };
}

class DerivedReader {
  readonly #yaml: YamlFile;
  readonly #table: Pick<InstrumentTable, 'byKey' | 'declared'>;

  constructor(yaml: YamlFile, table: Pick<InstrumentTable, 'byKey' | 'declared'>) {
    this.#yaml = yaml;
    this.#table = table;
  }

  read(): readonly DerivedInstrument[] {
    const yaml = this.#yaml;
    const file = yaml.fields(yaml.root, 'the file', {
      required: ['derived'],
      optional: ['direct'],
    });
    const declarations = this.#readDeclarations(file.get('derived'));
    for (const ticker of this.#readDirect(file.get('direct'), declarations)) {
      declarations.delete(ticker);
    }
    return this.#inOrder(declarations);
  }

  #readDeclarations(entry: YamlEntry | undefined): Map<Ticker, Declaration> {
    const declarations = new Map<Ticker, Declaration>();
    if (entry === undefined) return declarations;
    for (const { key, keyNode, value } of this.#yaml.entries(entry.value, '"derived"')) {
      const ticker = this.#ticker(keyNode, key);
      const derivation = this.#readDerivation(key, value);
      if (ticker === undefined || derivation === undefined) continue;
      if (declarations.has(ticker)) {
        this.#yaml.fault(keyNode, 'duplicate derivation; the instrument is derived above');
      } else if (inputsOf(derivation).includes(ticker)) {
        this.#yaml.fault(keyNode, 'an instrument cannot be derived from itself');
      } else {
        declarations.set(ticker, { ticker, keyNode, derivation });
      }
    }
    return declarations;
  }

  #readDerivation(key: string, node: Node | null): Derivation | undefined {
    const yaml = this.#yaml;
    const what = `the derivation of ${key}`;
    const fields = yaml.fields(node, what, {
      required: [],
      optional: [...derivationTypes, 'factors'],
    });
    const given = derivationTypes.flatMap((type) => fields.get(type) ?? []);
    const [entry] = given;
    const factors = fields.get('factors');
    if (entry === undefined || given.length > 1) {
      if (yaml.isMap(node))
        yaml.fault(node, `${what} needs exactly one of ${listed(derivationTypes)}`);
      return undefined;
    }
    if (factors !== undefined && entry.key !== 'scaled') {
      yaml.fault(factors.keyNode, 'only a scaled instrument has factors');
      return undefined;
    }
    switch (entry.key) {
      case 'ratio':
        return this.#readPair(entry, 'ratio', ['numerator', 'denominator']);
      case 'gap':
        return this.#readPair(entry, 'gap', ['value', 'base']);
      case 'scaled':
        return this.#readScaled(entry, factors);
      default: {
        const input = this.#input(entry.value);
        return input === undefined ? undefined : { type: 'alias', source: input };
      }
    }
  }

  #readPair(
    entry: YamlEntry,
    type: 'ratio' | 'gap',
    names: readonly [string, string],
  ): Derivation | undefined {
    const fields = this.#yaml.fields(entry.value, `the ${type}`, { required: names });
    const inputs = names.map((name) => {
      const field = fields.get(name);
      return field === undefined ? undefined : this.#input(field.value);
    });
    const [first, second] = inputs;
    if (first === undefined || second === undefined) return undefined;
    return type === 'ratio'
      ? { type, numerator: first, denominator: second }
      : { type, value: first, base: second };
  }

  #readScaled(entry: YamlEntry, factors: YamlEntry | undefined): Derivation | undefined {
    const input = this.#input(entry.value);
    if (factors === undefined) {
      this.#yaml.fault(entry.keyNode, 'a scaled instrument requires "factors", by date', '');
      return undefined;
    }
    const dated: DatedFactor[] = [];
    const entries = this.#yaml.entries(factors.value, '"factors"');
    if (entries.length === 0 && this.#yaml.isMap(factors.value)) {
      this.#yaml.fault(factors.keyNode, '"factors" needs at least one date with a factor');
    }
    for (const one of entries) {
      const since = parseDateKey(this.#yaml, one);
      const text = this.#yaml.text(one.value, 'a factor');
      if (since === undefined || text === undefined) continue;
      const factor = factorShape.test(text) ? Number(text) : 0;
      if (factor > 0 && Number.isFinite(factor)) dated.push({ since, factor });
      else this.#yaml.fault(one.value, 'not a valid factor; use a number above zero, such as 1.30');
    }
    if (input === undefined || dated.length === 0 || dated.length !== entries.length) {
      return undefined;
    }
    return {
      type: 'scaled',
      source: input,
      factors: dated.toSorted((a, b) => (a.since < b.since ? -1 : 1)),
    };
  }

  #readDirect(
    entry: YamlEntry | undefined,
    declarations: ReadonlyMap<Ticker, Declaration>,
  ): readonly Ticker[] {
    if (entry === undefined) return [];
    return this.#yaml.itemsIfAny(entry.value, '"direct"').flatMap((item) => {
      const ticker = this.#input(item);
      if (ticker === undefined) return [];
      if (declarations.has(ticker)) return [ticker];
      this.#yaml.fault(item, 'the instrument has no derivation; remove it from "direct"');
      return [];
    });
  }

  #input(node: Node | null): Ticker | undefined {
    const text = this.#yaml.text(node, 'a ticker');
    return text === undefined ? undefined : this.#ticker(node, text);
  }

  #ticker(node: Node | null, text: string): Ticker | undefined {
    const key = tickerKey(text);
    const instrument = this.#table.byKey.get(key);
    if (instrument === undefined && !this.#table.declared.has(key)) {
      this.#yaml.fault(node, 'unknown instrument; instruments.csv has no row with this ticker');
    }
    return instrument?.ticker;
  }

  /**
   * Orders the derivations depth-first by their inputs. A ticker that recurs on a path is a cycle.
   */
  #inOrder(declarations: ReadonlyMap<Ticker, Declaration>): readonly DerivedInstrument[] {
    const ordered: DerivedInstrument[] = [];
    const done = new Set<Ticker>();
    const visit = (ticker: Ticker, path: readonly Ticker[]): void => {
      const declaration = declarations.get(ticker);
      if (declaration === undefined || done.has(ticker)) return;
      const start = path.indexOf(ticker);
      if (start !== -1) {
        const cycle = [...path.slice(start), ticker].join(' → ');
        this.#yaml.fault(declaration.keyNode, `circular derivation: ${cycle}`);
        return;
      }
      for (const input of inputsOf(declaration.derivation)) visit(input, [...path, ticker]);
      done.add(ticker);
      const instrument = this.#table.byKey.get(tickerKey(ticker));
      if (instrument !== undefined) {
        ordered.push({ instrument, derivation: declaration.derivation });
      }
    };
    for (const ticker of declarations.keys()) visit(ticker, []);
    return ordered;
  }
}

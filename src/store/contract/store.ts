import type { ActionStore, IndexStore, StoreMemory, TermsStore } from './versioned-stores.ts';
import type { BarStore } from './bar-store.ts';
import type { CloseReader, HistoryReader, HistoryWriter } from './history-store.ts';
import type { KeyStore } from './key-store.ts';
import type { QuoteStore } from './quote-store.ts';

/** All data of one installation. Disposing it closes its connections. */
export interface Store extends StoreParts, AsyncDisposable {
  /** Hints that another process changed the store. */
  readonly hints: StoreHints;
}

/** The parts of a store. Everything in them is a method that returns a promise. */
export interface StoreParts {
  readonly history: HistoryReader & CloseReader & HistoryWriter;
  readonly actions: ActionStore;
  readonly indices: IndexStore;
  readonly terms: TermsStore;
  readonly memory: StoreMemory;
  readonly keys: KeyStore;
  readonly quotes: QuoteStore;
  readonly bars: BarStore;
}

/** The parts that store earlier versions of their values, too. */
export type VersionedParts = Pick<StoreParts, 'memory' | 'actions' | 'indices' | 'terms'>;

/**
 * What a method does. `write`: it changes the store. `prices`: it reads closes or bars. They are read when a client
 * asks for them, so they are refused once damage was found. `read`: it reads something else.
 */
type MethodKind = 'write' | 'prices' | 'read';

const versioned = {
  readAll: 'read',
  readVersions: 'read',
  readReplaced: 'read',
  revision: 'read',
  apply: 'write',
  restore: 'write',
} as const;

/**
 * Every method of a store, once. Whatever applies to all methods (refusing, noting damage, calling another thread) is a
 * {@link mapMethods loop} over this table.
 */
const methodKinds = {
  history: {
    readSeries: 'prices',
    readBars: 'prices',
    countCloses: 'prices',
    latestCloses: 'prices',
    referenceCloses: 'prices',
    readCloses: 'prices',
    changesSince: 'read',
    transaction: 'write',
  },
  actions: versioned,
  indices: versioned,
  terms: versioned,
  memory: {
    readCloses: 'prices',
    countCloses: 'prices',
    knownSince: 'prices',
    began: 'read',
  },
  keys: {
    readAll: 'read',
    revision: 'read',
    readEvents: 'read',
    insert: 'write',
    change: 'write',
    rotate: 'write',
    restore: 'write',
    noteUses: 'write',
  },
  quotes: { readAll: 'read', readNewer: 'read', commit: 'write' },
  bars: { readBars: 'prices', latestBarDay: 'prices', tidyBars: 'write' },
} as const satisfies {
  readonly [Part in keyof StoreParts]: Readonly<Record<keyof StoreParts[Part], MethodKind>>;
};

type Kinds = typeof methodKinds;

/** The methods of some kinds. */
type Side<Kind extends MethodKind> = {
  readonly [Part in keyof StoreParts]: Pick<
    StoreParts[Part],
    {
      [Name in keyof Kinds[Part]]: Kinds[Part][Name] extends Kind ? Name : never;
    }[keyof Kinds[Part]] &
      keyof StoreParts[Part]
  >;
};

/** The methods that read. */
export type ReadSide = Side<'prices' | 'read'>;

/** The methods that write. */
export type WriteSide = Omit<Side<'write'>, 'memory'>;

/** A method of a store. */
export interface StoreMethod {
  readonly part: keyof StoreParts;
  readonly name: string;
  readonly kind: MethodKind;
}

/** A method, with its arguments and its result untyped. */
export type MethodCall = (...args: readonly unknown[]) => Promise<unknown>;

/** The parts of a store, with the method that `make` gives for each method. */
export function mapMethods(make: (method: StoreMethod) => MethodCall): StoreParts {
  const parts = Object.entries(methodKinds).map(([part, kinds]) => {
    const methods = Object.entries(kinds).map(([name, kind]) => [
      name,
      make({ part: part as keyof StoreParts, name, kind }),
    ]);
    return [part, Object.fromEntries(methods)];
  });
  return Object.fromEntries(parts) as StoreParts;
}

/** Calls a method of a store, or of a side of one. */
export function callMethod(
  store: { readonly [Part in keyof StoreParts]?: object },
  { part, name }: Pick<StoreMethod, 'part' | 'name'>,
  args: readonly unknown[],
): Promise<unknown> {
  const methods = store[part] as Readonly<Record<string, MethodCall>> | undefined;
  const result = methods?.[name]?.(...args);
  return result ?? Promise.reject(new Error(`the store has no method ${part}.${name}`));
}

/** What has a revision, as the table `revisions` names it. */
export const revisionSubjects = ['closes', 'keys', 'actions', 'indices', 'terms'] as const;

export type RevisionSubject = (typeof revisionSubjects)[number];

/** What of a store has changed. */
export type StoreHint = 'quotes' | RevisionSubject;

/**
 * Hints that another process changed the store. A hint may be lost, repeated or wrong. It only makes a
 * reader read at once instead of at its next poll.
 */
export interface StoreHints {
  /** Calls `onHint` with each hint until the subscription is disposed. */
  subscribe(onHint: (what: StoreHint) => void): Disposable;
}

/** The hints of a store that has none. */
export const noHints: StoreHints = {
  subscribe: () => ({ [Symbol.dispose]: () => undefined }),
};

import type { Finding } from '../../lib/reports/finding.ts';
import type { NodeRegistry } from './nodes.ts';
import type { ClaimHolder, StoreDamage, StoreFault } from './store-fault.ts';
import type { Store } from './store.ts';

/**
 * What opening a store may do.
 *
 * - `read`: creates nothing, changes nothing and takes no lock. Every write is refused as `unavailable`.
 * - `write`: the store must exist.
 * - `create`: a store is created when none exists.
 *
 * A store of another schema is refused as `schema-older` or `schema-newer`.
 */
export type OpenMode = 'read' | 'write' | 'create';

/** Options of {@link StorePlace.open}. */
export interface PlaceOpenOptions {
  readonly mode: OpenMode;
  /**
   * The claim of this process on the place, or on the place whose demonstration this is. Commits of
   * quotes and the tidying of bars are fenced by its token.
   */
  readonly claim?: WriterClaim | undefined;
  /**
   * Whether this process must answer requests while the store writes. SQLite then writes in a thread of
   * its own. The default is whether there is a claim.
   */
  readonly isResponsive?: boolean;
  /** Opens the target of a copy that is not complete. Otherwise it is refused as `unfinished`. */
  readonly isCopyTarget?: boolean;
}

/** Options of {@link StorePlace.claim}. */
export interface ClaimOptions {
  /**
   * With a signal, a claim that another process holds is awaited: the promise resolves as soon as the
   * claim is free, and rejects with the reason of the signal when it aborts. The place retries by itself
   * while it is unavailable. Without a signal, the call rejects at once.
   */
  readonly waiting?: AbortSignal;
  /** Called while the call waits, with each change of the holder; undefined while it is not known. */
  readonly onHolder?: (holder: ClaimHolder | undefined) => void;
  /** Called while the call waits, with the first, second, fourth, eighth and so on of the failures in a row. */
  readonly onFault?: (fault: StoreFault, failures: number) => void;
  /**
   * Called while the call waits, after each attempt to reserve the connections that the holder of the claim needs:
   * with the reason when they cannot be opened, or undefined when they are open. SQLite needs none.
   */
  readonly onReserved?: (reason: string | undefined) => void;
}

/**
 * Where the data of one installation are: a directory with a SQLite database, or a schema of a
 * PostgreSQL database. A place is created without any access to it. Disposing it closes what its own
 * methods opened. Stores, claims and registrations have owners of their own.
 *
 * Every method may reject with a {@link StoreFault}. No message of a fault contains a secret.
 */
export interface StorePlace extends AsyncDisposable {
  readonly kind: 'sqlite' | 'postgres';
  /** For people and logs: the directory, or host, database and schema. It never contains a secret. */
  readonly name: string;
  /** The directory of the place on this machine. Absent when the place has none. */
  readonly directory?: string | undefined;

  /** The clock of this machine beside that of the database. Absent for a place on this machine. */
  readonly clock?: ClockState | undefined;

  /** The line of the database that is used. Absent for a place on this machine. */
  readonly line?: LineState | undefined;

  /** The damage that was found in this place so far. Its stores share it, and its demonstration. */
  readonly damage: StoreDamage;

  /** Opens the store. The caller disposes it. */
  open(options: PlaceOpenOptions): Promise<Store>;

  /** Whether the store is the target of a copy that is not complete. The store must exist. */
  isUnfinishedCopy(): Promise<boolean>;

  /**
   * Marks the store as the target of a copy before its first row is written, and removes the mark when the copy
   * is complete. Meanwhile every other program refuses to open it. The change is durable when the promise
   * resolves.
   */
  markCopy(isUnfinished: boolean): Promise<void>;

  /**
   * Claims the place for one writer. Only the holder of the claim may commit quotes.
   *
   * @throws StoreFault `busy` with the holder when another process holds it, without {@link ClaimOptions.waiting}.
   */
  claim(node: WriterNode, options?: ClaimOptions): Promise<WriterClaim>;

  /** The process that holds the claim now. Undefined when the claim is free. The call changes nothing. */
  holder(): Promise<ClaimHolder | undefined>;

  /** The running nodes of this place. */
  readonly nodes: NodeRegistry;

  /**
   * Small texts beside the store, by name (lower-case letters and hyphens). They only save work: losing
   * one is harmless.
   */
  readonly notes: PlaceNotes;

  /**
   * Reads the store and counts its rows, without changing it. A service may be running. SQLite checks the
   * whole file.
   */
  inspect(): Promise<StoreInspection>;

  /** Checks what surrounds the store, for `doctor`. It changes nothing, and does not reject. */
  examine(options: {
    /** Whether this installation may write. A node that only serves needs fewer rights. */
    readonly writes: boolean;
  }): Promise<PlaceFindings>;

  /**
   * Checks the stored data for damage, as far as the place can, while they are in use.
   *
   * @throws StoreFault `corrupt`; `unavailable` when the place cannot be read or `signal` aborts.
   */
  check(signal: AbortSignal): Promise<void>;

  /**
   * Copies the store into one new file, as of one instant.
   *
   * @throws StoreFault `unsupported` when the place has tools of its own for this. The message names them.
   */
  backUp(file: string): Promise<CopySummary>;

  /**
   * Restores a backup into a place without a store. Throws as {@link backUp} does.
   *
   * @param now the time, in epoch milliseconds. The versions of the quotes are raised above all that were
   *   assigned before.
   */
  restore(file: string, now: number): Promise<CopySummary>;

  /**
   * Declares that this store replaces the database with another line, for example after a restore. Every node
   * that knows the other line then uses this store. Returns the line of this store.
   *
   * @param replaced a line, as the refusal of this store names it.
   * @throws StoreFault `unsupported` for a directory, which has no line; `conflict` when there is nothing to declare.
   */
  acceptInsteadOf(replaced: string): Promise<string>;

  /** The place of the simulated market's own store. The claim of this place covers it. */
  demonstration(): StorePlace;
}

/** Which line of the history of a database a process uses (`cluster/lineage.ts`). */
export interface LineState {
  /** The newest lineage that is known. Undefined before a server was reached, or if it does not tell its line. */
  readonly text: string | undefined;
  /** Why the server that was tried last is not used. Undefined when it is. */
  readonly refusal: string | undefined;
  /** Calls `onChange` whenever a newer lineage is known, until the subscription is disposed. */
  subscribe(onChange: (text: string) => void): Disposable;
  /** Asks other nodes what they know, until disposed. */
  exchange(): AsyncDisposable;
}

/** How the clock of this machine compares with that of a database. */
export interface ClockState {
  /** The latest estimate, in milliseconds; positive if this machine is ahead. Undefined before it was compared. */
  readonly differenceMs: number | undefined;
  /** Whether it differs too much for this machine to write. */
  readonly isOff: boolean;
}

/** Small texts beside a store. */
export interface PlaceNotes {
  read(name: string): Promise<string | undefined>;
  write(name: string, text: string): Promise<void>;
}

/** The result of {@link StorePlace.examine}. */
export interface PlaceFindings {
  readonly findings: readonly Finding[];
  /** Whether it makes sense to read the store. */
  readonly isReachable: boolean;
}

/** The path, size and content of a backup or of a restored database. */
export interface CopySummary {
  readonly path: string;
  readonly bytes: number;
  readonly rows: Readonly<Record<string, number>>;
}

/** The properties of a sound store. */
export interface StoreInspection {
  readonly bytes: number;
  /** Size of what is not merged into the file yet: the write-ahead log of SQLite. 0 without one. */
  readonly logBytes: number;
  /** Version of the store's schema. */
  readonly schema: number;
  /** The number of rows of each table, by table name: `closes`, `quotes` and others. */
  readonly rows: Readonly<Record<string, number>>;
}

/** The node that claims a place. */
export interface WriterNode {
  /** The id of the node, as in its registration. */
  readonly id: string;
  /** The machine of the node, for people. */
  readonly name: string;
}

/**
 * The right to write quotes to a place. One process has it at a time. Disposing it releases it at once,
 * so that a process that waits gets it. It ends with the process too.
 *
 * A holder that is frozen or cut off loses the claim to another process. Its commits are then rejected as
 * `fenced`, whatever it believes.
 */
export interface WriterClaim extends AsyncDisposable {
  /** Rises with every change of the holder. */
  readonly token: number;
  /**
   * Aborts when the claim is lost, or when it can no longer be known to be held. The reason is a
   * {@link StoreFault} `fenced`. It does not abort when the claim is released. SQLite never loses a claim.
   */
  readonly lost: AbortSignal;
}

import { unclaimedFence, leaseTable, writerName, type Fence } from './claim/lease-sql.ts';
import { obtainLease, readHolder } from './claim/obtain-claim.ts';
import { PostgresClaim } from './claim/postgres-claim.ts';
import { ReservedSessions } from './claim/reserved-sessions.ts';
import type {
  ClaimOptions,
  CopySummary,
  PlaceFindings,
  PlaceNotes,
  PlaceOpenOptions,
  StoreInspection,
  StorePlace,
  WriterNode,
} from '../contract/place.ts';
import type { AskLineages, NodeRecord, NodeRegistry } from '../contract/nodes.ts';
import { StoreDamage, StoreFault, type ClaimHolder } from '../contract/store-fault.ts';
import type { Store } from '../contract/store.ts';
import type { DatabaseClock } from './connection/database-clock.ts';
import { HostFinder } from './connection/find-session.ts';
import { ReconnectingSession } from './connection/reconnecting-session.ts';
import type { SessionPurpose } from './connection/purposes.ts';
import type { PostgresEnvironment } from './target/password.ts';
import { parsePostgresUrl, type PostgresTarget } from './target/postgres-url.ts';
import { isUnfinishedCopy, markCopy, checkTables, inspectSchema } from './health/inspect-schema.ts';
import { examineServer } from './health/examine-server.ts';
import { openPostgresStore } from './postgres-store.ts';
import { acceptLine } from './health/accept-line.ts';
import { LineKeeper } from './line/line-keeper.ts';
import { postgresNodes, postgresNotes } from './nodes/postgres-nodes.ts';
import { createSchema, requireSchema, schemaVersion } from './schema/create-schema.ts';
import { ChangeListener } from './watch/change-listener.ts';

/** What a place depends on. */
export interface PostgresPlaceDeps {
  readonly environment: PostgresEnvironment;
  /** Milliseconds since an arbitrary instant. */
  readonly monotonic: () => number;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Numbers from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  /** Asks other nodes what they know of the history of the database. By default, no node is asked. */
  readonly askLineages?: AskLineages | undefined;
}

/**
 * A schema of a PostgreSQL database. Several installations can share a database, each with a schema of its own.
 * The demonstration of an installation has a schema of its own too. Any number of processes may use a place at
 * the same time.
 */
export class PostgresPlace implements StorePlace {
  readonly kind = 'postgres';
  readonly nodes: NodeRegistry;
  readonly notes: PlaceNotes;
  readonly line: LineKeeper;
  readonly #hosts: HostFinder;
  readonly #target: PostgresTarget;
  readonly #deps: PostgresPlaceDeps;
  readonly #connection: ReconnectingSession;
  /**
   * The damage that the check of all tables has found. A read that meets damage is not recorded here: with
   * checksums, the server refuses each such read.
   */
  readonly damage = new StoreDamage();
  /** The schema whose claim permits writes to this place. A demonstration uses the claim of its installation. */
  readonly #claimSchema: string;

  /**
   * @param url see {@link parsePostgresUrl}.
   * @throws StoreFault `unavailable` when the URL is wrong.
   */
  constructor(url: string | PostgresTarget, deps: PostgresPlaceDeps, claimSchema?: string) {
    this.#target = typeof url === 'string' ? parsePostgresUrl(url) : url;
    this.#deps = deps;
    this.#claimSchema = claimSchema ?? this.#target.schema;
    const { monotonic, random, askLineages } = deps;
    const nodes = (): Promise<readonly NodeRecord[]> => this.nodes.live();
    const lines = new LineKeeper({ askLineages, nodes, monotonic, random });
    this.#hosts = new HostFinder(this.#target, { ...deps, lines });
    this.#connection = this.#newConnection('place');
    this.nodes = postgresNodes(this.#connection);
    this.notes = postgresNotes(this.#connection);
    this.line = lines;
  }

  get clock(): DatabaseClock {
    return this.#hosts.clock;
  }

  get name(): string {
    return this.#target.name;
  }

  async open({ mode, claim, isCopyTarget = false }: PlaceOpenOptions): Promise<Store> {
    if (claim !== undefined) this.#requireOwn(claim);
    const own = claim as PostgresClaim | undefined;
    return openPostgresStore({
      mode,
      isCopyTarget,
      fence: own?.fence ?? this.#unclaimedFence(),
      lost: own?.lost,
      connection: (purpose) => {
        // A session that writes for a claim is named after its token, so that its successor can end it.
        const isClaimed = own !== undefined && purpose === 'write';
        const name = isClaimed ? { applicationName: writerName(own.token, own.schema) } : {};
        // The reserved sessions of a claim use its schema, so a demonstration cannot use them.
        const isReserved = own?.schema === this.#target.schema;
        const session = isReserved ? own.reserved.take(purpose) : undefined;
        return new ReconnectingSession(this.#hosts, { purpose, ...name }, session);
      },
    });
  }

  isUnfinishedCopy(): Promise<boolean> {
    return isUnfinishedCopy(this.#connection);
  }

  markCopy(isUnfinished: boolean): Promise<void> {
    return markCopy(this.#connection, isUnfinished);
  }

  async claim(node: WriterNode, options: ClaimOptions = {}): Promise<PostgresClaim> {
    const connection = this.#newConnection('claim');
    await using listener = new ChangeListener({
      connection: this.#newConnection('stand-by'),
      onDead: () => connection.destroyIfSilent(0),
    });
    const reserved = new ReservedSessions(this.#hosts, (reason) => options.onReserved?.(reason));
    try {
      const lease = await obtainLease(
        {
          connection,
          prepare: () => createSchema(this.#connection, this.#newConnection('create')),
          onRefused: () => reserved.renew(),
          subscribe: (onHint) => listener.subscribeToAll(onHint),
        },
        node,
        options,
      );
      // From here on the claim renews the lease, also while the sessions are handed over.
      const claim = new PostgresClaim({ connection, lease, reserved });
      await reserved.handOver(lease.token, listener.release());
      return claim;
    } catch (fault) {
      await Promise.all([connection[Symbol.asyncDispose](), reserved[Symbol.asyncDispose]()]);
      throw fault;
    }
  }

  async holder(): Promise<ClaimHolder | undefined> {
    const schema = this.#claimSchema;
    if ((await schemaVersion(this.#connection, { schema })) === undefined) return undefined;
    return (await readHolder(this.#connection, schema)).holder;
  }

  async inspect(): Promise<StoreInspection> {
    await using connection = this.#newConnection('inspect');
    return await inspectSchema(connection);
  }

  examine({ writes }: { readonly writes: boolean }): Promise<PlaceFindings> {
    return examineServer(this.#connection, { writes, line: () => this.line.text });
  }

  async check(signal: AbortSignal): Promise<void> {
    await using connection = this.#newConnection('check');
    await checkTables(connection, signal);
  }

  backUp(): Promise<CopySummary> {
    return Promise.reject(this.#unsupported('back it up', 'pg_dump'));
  }

  restore(): Promise<CopySummary> {
    return Promise.reject(this.#unsupported('restore it', 'pg_restore'));
  }

  demonstration(): PostgresPlace {
    const schema = `${this.#target.schema}_demo`;
    const name = this.#target.name.replace(/, schema .*$/s, `, schema ${schema}`);
    return new PostgresPlace({ ...this.#target, schema, name }, this.#deps, this.#claimSchema);
  }

  async acceptInsteadOf(replaced: string): Promise<string> {
    await using connection = this.#newConnection('accept');
    await requireSchema(connection);
    return await acceptLine(connection, replaced);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]();
    this.#hosts[Symbol.dispose]();
  }

  #requireOwn(claim: object): void {
    if (!(claim instanceof PostgresClaim) || claim.schema !== this.#claimSchema) {
      throw new Error('the claim is of another place');
    }
  }

  #unclaimedFence(): Fence {
    return unclaimedFence(leaseTable(this.#claimSchema), this.name);
  }

  #newConnection(purpose: SessionPurpose): ReconnectingSession {
    return new ReconnectingSession(this.#hosts, { purpose });
  }

  #unsupported(what: string, tool: string): StoreFault {
    const { schema } = this.#target;
    return new StoreFault(
      'unsupported',
      `${this.name} is backed up with the tools of PostgreSQL. To ${what}, use ${tool} for the schema ${schema}; ` +
        'to move it to another place, use "pizarra store copy"',
    );
  }
}

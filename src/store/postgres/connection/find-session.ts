import { judgeLineage, type Lineage } from '../../../cluster/lineage.ts';
import { StoreFault } from '../../contract/store-fault.ts';
import { readServer, type LineKeeper } from '../line/line-keeper.ts';
import { toPgFault } from '../session/pg-fault.ts';
import { DatabaseClock } from './database-clock.ts';
import { passwordFor, type PostgresEnvironment } from '../target/password.ts';
import { hostText, type PostgresHost, type PostgresTarget } from '../target/postgres-url.ts';
import { openSession, type Session } from '../session/session.ts';
import { sessionLimits, sessionName, type SessionPurpose } from './purposes.ts';

/** Options of {@link HostFinder.open}. */
export interface FindOptions {
  readonly purpose: SessionPurpose;
  /** Another name than that of the purpose. */
  readonly applicationName?: string;
}

/** Maximum time to connect to one host by default, in milliseconds. */
const connectMs = 2_000;

/** Time after which the next host is tried while one does not respond, in milliseconds. */
const staggerMs = 250;

/** Pause between two looks at all hosts, in milliseconds. */
const surveyEveryMs = 1_000;

/**
 * Opens the sessions of one place, with the host that accepts writes, and has the clocks that they share. The host that was found last is tried first. A host that
 * does not respond delays the next one only a little.
 *
 * Several hosts may accept writes, for example a primary that was frozen and its successor. So all hosts are asked
 * for their line when a session is opened, and the {@link LineKeeper} refuses the older one. When a newer line
 * becomes known, the sessions on older ones are closed at once.
 */
export class HostFinder implements Disposable {
  readonly target: PostgresTarget;
  readonly lines: LineKeeper;
  readonly clock: DatabaseClock;
  /** Milliseconds since an arbitrary instant. */
  readonly monotonic: () => number;
  /** Numbers from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  readonly #sessions = new Map<Session, Lineage>();
  readonly #subscription: Disposable;
  #survey: Promise<unknown> = Promise.resolve();
  #surveyedAt = -Infinity;
  readonly #environment: PostgresEnvironment;
  #first: PostgresHost | undefined;
  /** The hosts that were found to keep a session. */
  readonly #direct = new Set<PostgresHost>();

  constructor(
    target: PostgresTarget,
    own: {
      readonly environment: PostgresEnvironment;
      readonly monotonic: () => number;
      readonly random: () => number;
      /** Epoch milliseconds. */
      readonly now: () => number;
      readonly lines: LineKeeper;
    },
  ) {
    this.target = target;
    this.lines = own.lines;
    this.#subscription = own.lines.known.subscribe((known) => this.#closeOlder(known));
    this.#environment = own.environment;
    this.clock = new DatabaseClock(own);
    this.monotonic = own.monotonic;
    this.random = own.random;
  }

  /**
   * Connects.
   *
   * @throws StoreFault `unavailable` or `absent`, with the reason of each host.
   */
  async open(options: FindOptions): Promise<Session> {
    const { hosts } = this.target;
    const ordered = hosts.toSorted((a, b) => Number(b === this.#first) - Number(a === this.#first));
    if (hosts.length > 1) this.#lookAtAll();
    let isOver = false;
    const attempt = async (host: PostgresHost): Promise<Session> => {
      const session = await this.#openWritable(host, options);
      if (isOver) {
        void session.close();
        throw new StoreFault('unavailable', `${hostText(host)} was slower than another host`);
      }
      isOver = true;
      this.#first = host;
      return session;
    };
    const attempts: Promise<Session>[] = [];
    for (const host of ordered) {
      const latest = attempt(host);
      attempts.push(latest);
      const progress = Promise.race([latest, Promise.any(attempts)]);
      await within(
        progress.catch(() => undefined),
        staggerMs,
      );
      if (isOver) break;
    }
    try {
      return await Promise.any(attempts);
    } catch (error) {
      throw this.#faultOf(error instanceof AggregateError ? error.errors : [error]);
    }
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
  }

  async #openWritable(host: PostgresHost, options: FindOptions): Promise<Session> {
    const session = await this.#connect(host, options);
    try {
      const state = await readServer(session, connectMs);
      if (state.isStandby && !this.target.isAnyHost) {
        throw new StoreFault(
          'unavailable',
          `${hostText(host)} is a standby, which accepts no writes`,
        );
      }
      await this.#requireOwnSession(session, host);
      // An operator is about to declare it.
      if (options.purpose === 'accept') return session;
      await within(this.#survey, staggerMs);
      const lineage = await this.lines.require(session, state, hostText(host));
      if (lineage !== undefined && !state.isStandby) this.#watch(session, lineage);
      return session;
    } catch (error) {
      session.destroy();
      throw toPgFault(error, hostText(host));
    }
  }

  /**
   * Refuses a pooler that gives each transaction another connection of the server. Notifications, prepared
   * statements and the settings of a session need a session. Checked once for each host.
   *
   * @throws StoreFault `unsupported`
   */
  async #requireOwnSession(session: Session, host: PostgresHost): Promise<void> {
    if (this.#direct.has(host)) return;
    if (await session.isPooled()) {
      const other = await this.#connect(host, { purpose: 'probe' });
      try {
        const [before, others] = [await session.serverProcess(), await other.serverProcess()];
        const after = await session.serverProcess();
        if (before !== after || others === before || others === after) throw transactionMode(host);
      } finally {
        other.destroy();
      }
    }
    this.#direct.add(host);
  }

  #connect(
    host: PostgresHost,
    { purpose, applicationName = sessionName(purpose, this.target.schema) }: FindOptions,
  ): Promise<Session> {
    const { target } = this;
    return openSession({
      ...sessionLimits[purpose],
      applicationName,
      target,
      host,
      password: passwordFor(target, host, this.#environment),
      connectMs: target.connectMs ?? connectMs,
      monotonic: this.monotonic,
    });
  }

  /** Reads the lines of all hosts. A host that responds late still counts. */
  #lookAtAll(): void {
    const now = this.monotonic();
    if (now < this.#surveyedAt + surveyEveryMs) return;
    this.#surveyedAt = now;
    const probes = this.target.hosts.map(async (host) => {
      try {
        const session = await this.#connect(host, { purpose: 'probe' });
        try {
          this.lines.note(await readServer(session, connectMs));
        } finally {
          await session.close();
        }
      } catch {
        // The attempt to use the host reports the reason.
      }
    });
    this.#survey = Promise.all(probes);
  }

  #watch(session: Session, lineage: Lineage): void {
    this.#sessions.set(session, lineage);
    void session.ended.then(() => this.#sessions.delete(session));
  }

  #closeOlder(known: Lineage): void {
    for (const [session, lineage] of this.#sessions) {
      if (judgeLineage(lineage, known) !== 'current') session.destroy();
    }
  }

  #faultOf(reasons: readonly unknown[]): unknown {
    const faults = reasons.filter((reason) => reason instanceof StoreFault);
    const [only] = faults;
    if (faults.length < reasons.length || only === undefined) {
      return reasons.find((reason) => !(reason instanceof StoreFault));
    }
    if (faults.length === 1) return only;
    // Waiting does not help.
    const unsupported = faults.find(({ code }) => code === 'unsupported');
    if (unsupported !== undefined) return unsupported;
    const texts = faults.map(({ message }) => message).join('; ');
    const message = `no host of ${this.target.name} accepts writes: ${texts}`;
    return new StoreFault('unavailable', message, { cause: only });
  }
}

/** Waits for a promise, but at most this long. */
async function within(promise: Promise<unknown>, ms: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([promise, late]);
  clearTimeout(timer);
}

function transactionMode(host: PostgresHost): StoreFault {
  return new StoreFault(
    'unsupported',
    `${hostText(host)} is a pooler in transaction mode, which does not keep a session. Connect to PostgreSQL ` +
      'itself, or set the pooler to session mode (pool_mode = session of PgBouncer)',
  );
}

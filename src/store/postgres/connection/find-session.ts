import { StoreFault } from '../../store-fault.ts';
import { toPgFault } from './pg-fault.ts';
import type { PostgresEnvironment } from './password.ts';
import { passwordFor } from './password.ts';
import type { PostgresHost } from './postgres-host.ts';
import { hostText } from './postgres-host.ts';
import type { PostgresTarget } from './postgres-url.ts';
import { openSession } from './session.ts';
import type { Session, SessionOptions } from './session.ts';

/** Options of {@link HostFinder.open}: those of a session, without its host. */
export type FindOptions = Omit<
  SessionOptions,
  'target' | 'host' | 'password' | 'connectMs' | 'monotonic'
>;

/** Maximum time to connect to one host, in milliseconds. */
const connectMs = 2_000;

/** Time after which the next host is tried while one does not respond, in milliseconds. */
const staggerMs = 250;

/**
 * Opens sessions with the host that accepts writes. The host that was found last is tried first. A host that
 * does not respond delays the next one only a little.
 */
export class HostFinder {
  readonly target: PostgresTarget;
  readonly #environment: PostgresEnvironment;
  readonly #monotonic: () => number;
  #first: PostgresHost | undefined;

  constructor(
    target: PostgresTarget,
    own: { readonly environment: PostgresEnvironment; readonly monotonic: () => number },
  ) {
    this.target = target;
    this.#environment = own.environment;
    this.#monotonic = own.monotonic;
  }

  /**
   * Connects.
   *
   * @throws StoreFault `unavailable` or `absent`, with the reason of each host.
   */
  async open(options: FindOptions): Promise<Session> {
    const { hosts } = this.target;
    const ordered = hosts.toSorted((a, b) => Number(b === this.#first) - Number(a === this.#first));
    const reasons: StoreFault[] = [];
    using race = new Race();
    const attempts: Promise<void>[] = [];
    for (const host of ordered) {
      const attempt = this.#attempt(host, options, race).catch((fault: unknown) => {
        if (!(fault instanceof StoreFault)) throw fault;
        reasons.push(fault);
      });
      attempts.push(attempt);
      await race.waitFor(attempt);
      if (race.winner !== undefined) break;
    }
    await race.waitFor(Promise.all(attempts), { isPatient: true });
    if (race.winner === undefined) throw this.#faultOf(reasons);
    return race.winner;
  }

  async #attempt(host: PostgresHost, options: FindOptions, race: Race): Promise<void> {
    if (race.offer(await this.#openWritable(host, options))) this.#first = host;
  }

  async #openWritable(host: PostgresHost, options: FindOptions): Promise<Session> {
    const { target } = this;
    const password = passwordFor(target, host, this.#environment);
    const monotonic = this.#monotonic;
    const session = await openSession({
      ...options,
      target,
      host,
      password,
      connectMs,
      monotonic,
    });
    if (target.isAnyHost) return session;
    const [[isStandby] = [true]] = await session
      .query<readonly [boolean]>({ text: 'SELECT pg_is_in_recovery()' }, [], { limitMs: connectMs })
      .catch((error: unknown) => {
        session.destroy();
        throw toPgFault(error, hostText(host));
      });
    if (!isStandby) return session;
    await session.close();
    throw new StoreFault('unavailable', `${hostText(host)} is a standby, which accepts no writes`);
  }

  #faultOf(reasons: readonly StoreFault[]): StoreFault {
    const [only] = reasons;
    if (only !== undefined && reasons.length === 1) return only;
    const texts = reasons.map(({ message }) => message).join('; ');
    const message = `no host of ${this.target.name} accepts writes: ${texts}`;
    return new StoreFault('unavailable', message, { cause: only });
  }
}

/** The first session that is offered wins. The others are closed. */
class Race implements Disposable {
  readonly #won = Promise.withResolvers<void>();
  #isOver = false;
  winner: Session | undefined;

  /** Whether this session won. */
  offer(session: Session): boolean {
    if (this.winner === undefined && !this.#isOver) {
      this.winner = session;
      this.#won.resolve();
      return true;
    }
    void session.close();
    return false;
  }

  /** Waits for an attempt, or for a winner, and by default at most {@link staggerMs}. */
  async waitFor(attempt: Promise<unknown>, { isPatient = false } = {}): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = isPatient ? undefined : setTimeout(resolve, staggerMs);
    try {
      await Promise.race([attempt, this.#won.promise, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** From now on no session wins. */
  [Symbol.dispose](): void {
    this.#isOver = true;
  }
}

import type { HostFinder } from '../connection/find-session.ts';
import { ReconnectingSession } from '../connection/reconnecting-session.ts';
import { sessionName, type SessionPurpose } from '../connection/purposes.ts';
import type { Session } from '../session/session.ts';
import { leaseTable, writerName } from './lease-sql.ts';

/**
 * The sessions that are opened to be reserved. The store of a writer has them from the start on, and one that listens,
 * which exists anyway while a process stands by. It opens any other one when it needs it.
 */
const opened = ['read', 'write'] as const satisfies readonly SessionPurpose[];

/**
 * Maximum time of the statement at the take-over, in milliseconds. The session itself waits half a second longer, and
 * together this is the time of one try to get the claim. A check before that may take as long as any statement, because
 * the server may permit no other session instead of a slow one.
 */
const handOverMs = 200;

/**
 * Number of failed renewals in a row from which on they are reported. The first one may be the beginning of an outage,
 * which is no lack of connections. The next renewal follows only when the database has responded again.
 */
const reportedFrom = 2;

/**
 * The sessions with which a stand-by writes once it gets the claim. It opens them while it waits, because the
 * server may permit no further connection when the writer fails.
 *
 * {@link renew} opens the missing ones and checks the others. {@link handOver} ends the reservation. From then on,
 * the store {@link take takes} them. Disposing closes those that were not taken.
 */
export class ReservedSessions implements AsyncDisposable {
  readonly #schema: string;
  readonly #onResult: (reason: string | undefined) => void;
  readonly #connections: ReadonlyMap<SessionPurpose, ReconnectingSession>;
  readonly #sessions = new Map<SessionPurpose, Session>();
  #renewal: Promise<void> | undefined;
  /** Number of renewals in a row that failed. */
  #failures = 0;
  #isOver = false;

  /**
   * @param onResult called after a renewal: with the reason when sessions could not be opened, or undefined when
   *   all are open.
   */
  constructor(hosts: HostFinder, onResult: (reason: string | undefined) => void) {
    const { schema } = hosts.target;
    const applicationName = sessionName('reserved', schema);
    this.#schema = schema;
    this.#connections = new Map(
      opened.map((purpose) => [
        purpose,
        new ReconnectingSession(hosts, { purpose, applicationName }),
      ]),
    );
    this.#onResult = onResult;
  }

  /**
   * Opens the missing sessions and checks the others, unless that is under way. Call it when the database has
   * responded on another session.
   */
  renew(): void {
    if (this.#renewal !== undefined || this.#isOver) return;
    this.#renewal = this.#renew().finally(() => {
      this.#renewal = undefined;
    });
  }

  /**
   * Ends the reservation when the claim was granted. A session remains if it sees the token of the claim, and so
   * responds and is with the same server.
   *
   * @param watch the session that listens for the release of the claim.
   */
  async handOver(token: number, watch: Session | undefined): Promise<void> {
    this.#isOver = true;
    const reserved = Array.from(
      this.#connections,
      ([purpose, connection]) => [purpose, connection.release()] as const,
    );
    await Promise.all(
      [...reserved, ['watch', watch] as const].map(async ([purpose, session]) => {
        if (session === undefined) return;
        const name =
          purpose === 'write'
            ? writerName(token, this.#schema)
            : sessionName(purpose, this.#schema);
        if ((await this.#tokenSeenBy(session, name)) === token)
          this.#sessions.set(purpose, session);
        else session.destroy();
      }),
    );
  }

  /** A session that was handed over. Undefined when there is none, so that the store opens another one. */
  take(purpose: SessionPurpose): Session | undefined {
    const session = this.#sessions.get(purpose);
    this.#sessions.delete(purpose);
    return session?.isOpen === true ? session : undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    const connections = Array.from(this.#connections.values(), (connection) =>
      connection[Symbol.asyncDispose](),
    );
    const sessions = Array.from(this.#sessions.values(), (session) => session.close());
    // A check under way ends with its session.
    await Promise.all([this.#renewal, ...connections, ...sessions]);
  }

  async #renew(): Promise<void> {
    const connections = [...this.#connections.values()];
    const results = await Promise.allSettled(
      connections.map((connection) => connection.query({ text: 'SELECT 1' })),
    );
    if (this.#isOver) return;
    const failed = results.find((result) => result.status === 'rejected');
    this.#failures = failed === undefined ? 0 : this.#failures + 1;
    if (failed === undefined) this.#onResult(undefined);
    else if (this.#failures >= reportedFrom) this.#onResult(reasonOf(failed.reason));
  }

  /** Names a session, and reads the claim with it. */
  async #tokenSeenBy(session: Session, name: string): Promise<number | undefined> {
    if (!session.isOpen) return undefined;
    try {
      const [row] = await session.query<readonly [number, string]>(
        {
          text: `SELECT token, set_config('application_name', $1, false) FROM ${leaseTable(this.#schema)}`,
        },
        [name],
        { limitMs: handOverMs },
      );
      return row?.[0];
    } catch {
      return undefined;
    }
  }
}

function reasonOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}

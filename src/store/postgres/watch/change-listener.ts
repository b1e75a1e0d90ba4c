import { Follower, type FollowAction } from '../../../cluster/follower.ts';
import { Driver } from '../../../lib/time/driver.ts';
import { revisionSubjects, type StoreHint, type StoreHints } from '../../contract/store.ts';
import type { ReconnectingSession } from '../connection/reconnecting-session.ts';
import { quoted, type Session } from '../session/session.ts';

/** The latest revisions, as far as they are known without a statement. */
export interface Heads {
  /** The current revision; undefined when it is not known to be current. */
  current(subject: string): number | undefined;
  /** This process has changed a subject, so its revision is not known until it is read again. */
  forget(subject: string): void;
}

/** What a notification names: what has changed, or `claim` for a claim that was released. */
export type ListenerHint = StoreHint | 'claim';

const hints: readonly ListenerHint[] = ['quotes', ...revisionSubjects, 'claim'];

/** Maximum age of the revisions that were read last, in milliseconds: one pull may be late. */
const headsMsMax = 2_000;

/**
 * Listens for the changes of other processes, on a connection of its own. It reads the current revisions with
 * each hint and at least every second, which also shows that the connection is alive: a half-open one is
 * noticed within two seconds.
 *
 * The connection is opened with the first subscription. After it was replaced, every hint is repeated, because
 * some may have been missed.
 */
export class ChangeListener implements StoreHints, Heads, AsyncDisposable {
  readonly #connection: ReconnectingSession;
  readonly #onDead: () => void;
  readonly #subscribers = new Set<(hint: ListenerHint) => void>();
  readonly #follower: Follower;
  readonly #driver: Driver<FollowAction>;
  readonly #heads = new Map<string, number>();
  /** The subjects that have changed since the last pull started. */
  #changed = new Set<string>();
  /** Those that the pull under way reads again. */
  #pulling: ReadonlySet<string> = new Set();
  #session: Session | undefined;
  /** Number of the latest attempt to connect. */
  #attempt = 0;
  #isStarted = false;
  #isDisposed = false;

  /**
   * @param own.connection a connection for this alone, which the listener closes. The {@link Follower} gives up its
   *   statements.
   * @param own.onDead called when the connection was found dead: so may be the others of this process.
   */
  constructor(own: { readonly connection: ReconnectingSession; readonly onDead: () => void }) {
    this.#connection = own.connection;
    this.#onDead = own.onDead;
    const { random, monotonic } = own.connection.hosts;
    this.#follower = new Follower(random);
    this.#driver = new Driver(this.#follower, {
      monotonic,
      act: (action, now) => {
        if (action === 'connect') void this.#connect();
        if (action === 'pull') void this.#pull(now);
        if (action === 'drop') this.#drop();
      },
    });
  }

  /** Calls `onHint` with each hint until the subscription is disposed. */
  subscribe(onHint: (hint: StoreHint) => void): Disposable {
    return this.subscribeToAll((hint) => {
      if (hint !== 'claim') onHint(hint);
    });
  }

  /** As {@link subscribe}, with the releases of the claim. */
  subscribeToAll(onHint: (hint: ListenerHint) => void): Disposable {
    // The same function may be subscribed twice.
    const own = (hint: ListenerHint): void => onHint(hint);
    this.#subscribers.add(own);
    if (!this.#isStarted) {
      this.#isStarted = true;
      this.#driver.drive();
    }
    return { [Symbol.dispose]: () => void this.#subscribers.delete(own) };
  }

  current(subject: string): number | undefined {
    if (this.#changed.has(subject) || this.#pulling.has(subject)) return undefined;
    const isFresh = this.#follower.ageMs(this.#connection.hosts.monotonic()) <= headsMsMax;
    return isFresh ? this.#heads.get(subject) : undefined;
  }

  forget(subject: string): void {
    this.#changed.add(subject);
  }

  /** Stops, and returns the session for another listener. Undefined when there is none. */
  release(): Session | undefined {
    this.#stop();
    return this.#connection.release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop();
    await this.#connection[Symbol.asyncDispose]();
  }

  #stop(): void {
    this.#isDisposed = true;
    this.#session = undefined;
    this.#driver.stop();
  }

  async #connect(): Promise<void> {
    this.#attempt += 1;
    const attempt = this.#attempt;
    let session: Session | undefined;
    try {
      const opened = await this.#connection.session();
      // A server under load may take longer to connect than the follower waits. Then the next attempt finds it open.
      if (this.#isDisposed || attempt !== this.#attempt) return;
      session = opened;
      this.#session = opened;
      opened.onNotification((payload) => this.#notified(opened, payload));
      void opened.ended.then(() => this.#ended(opened));
      await opened.script(`LISTEN ${quoted(this.#connection.channel)}`);
      this.#follower.connected(this.#connection.hosts.monotonic());
      for (const hint of hints) this.#publish(hint);
    } catch {
      // A standby refuses to listen.
      session?.destroy();
      if (attempt === this.#attempt) this.#follower.failed(this.#connection.hosts.monotonic());
    }
    this.#driver.drive();
  }

  async #pull(sentAt: number): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    this.#pulling = this.#changed;
    this.#changed = new Set();
    try {
      const rows = await session.query<readonly [string, number]>({
        name: 'heads',
        text: 'SELECT subject, value FROM revisions',
      });
      if (this.#follower.pulled(sentAt, undefined, this.#connection.hosts.monotonic())) {
        for (const [subject, value] of rows) this.#heads.set(subject, value);
        this.#pulling = new Set();
      }
    } catch {
      session.destroy();
    }
    this.#driver.drive();
  }

  /** The connection does not respond. */
  #drop(): void {
    const session = this.#session;
    this.#attempt += 1;
    this.#session = undefined;
    this.#lost();
    session?.destroy();
    this.#onDead();
  }

  /** What the pull under way would have read is not known. */
  #lost(): void {
    for (const subject of this.#pulling) this.#changed.add(subject);
    this.#pulling = new Set();
  }

  #notified(session: Session, payload: string): void {
    if (session !== this.#session) return;
    const hint = hints.find((one) => one === payload);
    if (hint === undefined) return;
    if (hint !== 'quotes' && hint !== 'claim') {
      this.#changed.add(hint);
      this.#follower.hinted(this.#connection.hosts.monotonic());
      this.#driver.drive();
    }
    this.#publish(hint);
  }

  #ended(session: Session): void {
    if (session !== this.#session || this.#isDisposed) return;
    this.#session = undefined;
    this.#lost();
    this.#follower.failed(this.#connection.hosts.monotonic());
    this.#driver.drive();
  }

  #publish(hint: ListenerHint): void {
    for (const onHint of this.#subscribers) onHint(hint);
  }
}

import { isDeepStrictEqual } from 'node:util';

import { Candidate } from '../../../cluster/candidate.ts';
import type { Lease } from '../../../cluster/lease.ts';
import { isPowerOfTwo } from '../../../lib/numbers/is-power-of-two.ts';
import {
  ClaimHeldFault,
  type ClaimHolder,
  type WriterNode,
  type ClaimOptions,
} from '../../contract/place.ts';
import type { NodeRecord } from '../../contract/nodes.ts';
import { StoreFault } from '../../contract/store-fault.ts';
import type { DatabaseClock } from '../connection/database-clock.ts';
import type { Link, LinkDeps } from '../connection/link.ts';
import type { WatchHint } from '../watch/watch.ts';
import { leaseSql, writerName, type HolderRow } from './lease-sql.ts';

/** What an attempt to get the claim depends on. */
export interface ObtainDeps extends LinkDeps {
  readonly schema: string;
  readonly channel: string;
  /** A connection for the lease alone. */
  readonly link: Link;
  readonly clock: DatabaseClock;
  /** Learns from other nodes whether the database has a newer line. Then the session of {@link link} is closed. */
  readonly confirmLine: () => Promise<void>;
  /** Called while the call waits, whenever the database has said that another process holds the claim. */
  readonly onRefused: () => void;
  /** Calls a function with each hint until the subscription is disposed. */
  readonly subscribe: (onHint: (hint: WatchHint) => void) => Disposable;
}

/** The result of one try. */
type Outcome =
  | { readonly granted: number }
  | { readonly holder: ClaimHolder | undefined; readonly endsInMs: number };

/**
 * Tries to get the claim once, and with a signal until it is granted. The {@link Candidate} decides when.
 *
 * @throws ClaimHeldFault when another process holds it, without a signal; StoreFault; the reason of the
 *   signal.
 */
export async function obtainLease(
  deps: ObtainDeps,
  node: WriterNode,
  options: ClaimOptions,
): Promise<Lease> {
  using search = new ClaimSearch(deps, node, options);
  return await search.run();
}

/** The tries of one process to get the claim. */
class ClaimSearch implements Disposable {
  readonly #deps: ObtainDeps;
  readonly #node: WriterNode;
  readonly #options: ClaimOptions;
  readonly #candidate: Candidate;
  readonly #cleanUp = new DisposableStack();
  readonly #wakeUp: WakeUp;
  #shown: ClaimHolder | undefined;
  #lease: Lease | undefined;
  /** Number of tries in a row that failed. */
  #failures = 0;
  #failure: { readonly fault: unknown } | undefined;
  #running: Promise<void> | undefined;

  constructor(deps: ObtainDeps, node: WriterNode, options: ClaimOptions) {
    const { waiting } = options;
    this.#deps = deps;
    this.#node = node;
    this.#options = options;
    this.#candidate = new Candidate(deps.random);
    this.#wakeUp = this.#cleanUp.use(new WakeUp());
    if (waiting === undefined) return;
    const wake = (): void => this.#wakeUp.now();
    waiting.addEventListener('abort', wake);
    this.#cleanUp.defer(() => waiting.removeEventListener('abort', wake));
    this.#cleanUp.use(deps.subscribe((hint) => this.#hinted(hint)));
  }

  async run(): Promise<Lease> {
    const { waiting } = this.#options;
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure.fault;
      if (waiting?.aborted === true) {
        await this.#running;
        if (this.#lease !== undefined) await releaseUnused(this.#deps, this.#lease);
        throw waiting.reason;
      }
      if (this.#lease !== undefined) return this.#lease;
      await this.#step();
    }
  }

  [Symbol.dispose](): void {
    this.#cleanUp.dispose();
  }

  /** Does what the candidate says. */
  async #step(): Promise<void> {
    const now = this.#deps.monotonic();
    switch (this.#candidate.step(now)) {
      case 'claim':
        this.#running = this.#try(now);
        break;
      case 'abandon':
        this.#deps.link.destroyIfSilent(0);
        break;
      case 'wait':
        await this.#wakeUp.wait(this.#candidate.wakeAt - now);
    }
  }

  async #try(sentAt: number): Promise<void> {
    const isWaiting = this.#options.waiting !== undefined;
    try {
      const outcome = await tryToClaim(this.#deps, this.#node);
      this.#failures = 0;
      if ('granted' in outcome) {
        this.#lease ??= this.#candidate.granted(sentAt, outcome.granted);
      } else {
        this.#candidate.refused(sentAt, outcome.endsInMs, this.#deps.monotonic());
        if (!isWaiting) throw heldFault(this.#deps.link.where, outcome.holder);
        this.#show(outcome.holder);
        this.#deps.onRefused();
      }
    } catch (fault) {
      this.#candidate.failed(sentAt, this.#deps.monotonic());
      if (!isWaiting || !(fault instanceof StoreFault)) this.#failure = { fault };
      else this.#failed(fault);
    }
    this.#wakeUp.now();
  }

  #failed(fault: StoreFault): void {
    this.#failures += 1;
    if (isPowerOfTwo(this.#failures)) this.#options.onFault?.(fault, this.#failures);
  }

  #show(holder: ClaimHolder | undefined): void {
    if (!isDeepStrictEqual(this.#shown, holder)) this.#options.onHolder?.(holder);
    this.#shown = holder;
  }

  #hinted(hint: WatchHint): void {
    if (hint !== 'claim') return;
    this.#candidate.released(this.#deps.monotonic());
    this.#wakeUp.now();
  }
}

/** The process stops, and got the claim at the same time. */
async function releaseUnused(
  { link, schema, channel }: ObtainDeps,
  { token }: Lease,
): Promise<void> {
  await link.query(leaseSql(schema).release, [token, channel]).catch(() => undefined);
}

/** The node that holds the claim now. */
export async function readHolder(
  link: Link,
  { schema, clock }: { readonly schema: string; readonly clock: DatabaseClock },
): Promise<{
  readonly holder: ClaimHolder | undefined;
  readonly endsInMs: number;
  readonly token: number;
}> {
  const read = clock.ask();
  const [row] = await link.query<HolderRow>(leaseSql(schema).holder);
  if (row !== undefined) read(row[5]);
  const [id, name, record, endsInMs, token] = row ?? [null, null, null, 0, 0];
  const known = record === null ? undefined : (JSON.parse(record) as NodeRecord);
  const holder =
    endsInMs <= 0
      ? undefined
      : {
          ...(id === null ? {} : { id }),
          ...(name === null ? {} : { name }),
          ...(known === undefined ? {} : { privateUrl: known.advertisedPrivateUrl }),
        };
  return { holder, endsInMs, token };
}

async function tryToClaim(deps: ObtainDeps, node: WriterNode): Promise<Outcome> {
  const { link, schema, clock } = deps;
  const sql = leaseSql(schema);
  const before = await readHolder(link, deps);
  const isFree = before.holder === undefined || before.holder.id === node.id;
  if (!isFree) return before;
  // Another node may write.
  if (clock.isOff) throw clock.fault(link.where);
  // The token must not be taken on an older line.
  await deps.confirmLine();
  try {
    const [row] = await link.query<readonly [number]>(sql.claim, [node.id, node.name]);
    if (row !== undefined) return { granted: row[0] };
  } catch (fault) {
    if (!(fault instanceof StoreFault) || fault.code !== 'busy') throw fault;
    // The lease has ended, and a statement of its holder still keeps the row locked.
    await link.query(sql.terminate, [writerName(before.token, schema)]);
    throw fault;
  }
  return readHolder(link, deps);
}

function heldFault(where: string, holder: ClaimHolder | undefined): ClaimHeldFault {
  const { name, id, privateUrl } = holder ?? {};
  const at = [name, privateUrl].filter((text) => text !== undefined && text !== '').join(', ');
  const who = at === '' ? `another process${id === undefined ? '' : ` (${id})`}` : at;
  return new ClaimHeldFault(`${where} is served by ${who}`, holder ?? {});
}

/** A pause that can be ended early. */
class WakeUp implements Disposable {
  #timer: NodeJS.Timeout | undefined;
  #wake = Promise.withResolvers<void>();

  now(): void {
    this.#wake.resolve();
  }

  async wait(ms: number): Promise<void> {
    if (ms !== Infinity) this.#timer = setTimeout(() => this.now(), Math.max(0, ms));
    await this.#wake.promise;
    clearTimeout(this.#timer);
    this.#wake = Promise.withResolvers();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}

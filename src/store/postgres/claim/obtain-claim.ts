import { isDeepStrictEqual } from 'node:util';

import { Candidate } from '../../../cluster/candidate.ts';
import type { Lease } from '../../../cluster/lease.ts';
import { ClaimHeldFault } from '../../claim.ts';
import type { ClaimHolder, WriterNode } from '../../claim.ts';
import type { NodeRecord } from '../../nodes.ts';
import type { ClaimOptions } from '../../place.ts';
import { StoreFault } from '../../store-fault.ts';
import type { Link, LinkDeps } from '../connection/link.ts';
import type { WatchHint } from '../watch/watch.ts';
import { leaseSql, writerName } from './lease-sql.ts';
import type { HolderRow } from './lease-sql.ts';

/** What an attempt to get the claim depends on. */
export interface ObtainDeps extends LinkDeps {
  readonly schema: string;
  readonly channel: string;
  /** A connection for the lease alone. */
  readonly link: Link;
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
  { waiting, onHolder }: ClaimOptions,
): Promise<Lease> {
  const { monotonic, random } = deps;
  const candidate = new Candidate(random);
  using wakeUp = new WakeUp();
  using _hints =
    waiting === undefined
      ? undefined
      : deps.subscribe((hint) => {
          if (hint !== 'claim') return;
          candidate.released(monotonic());
          wakeUp.now();
        });
  const onAbort = (): void => wakeUp.now();
  waiting?.addEventListener('abort', onAbort);
  using _abort = { [Symbol.dispose]: () => waiting?.removeEventListener('abort', onAbort) };
  let shown: ClaimHolder | undefined;
  let lease: Lease | undefined;
  let failure: { readonly fault: unknown } | undefined;
  let running: Promise<void> | undefined;
  const tryOnce = async (sentAt: number): Promise<void> => {
    try {
      const outcome = await tryToClaim(deps, node);
      if ('granted' in outcome) lease ??= candidate.granted(sentAt, outcome.granted);
      else {
        candidate.refused(sentAt, outcome.endsInMs, monotonic());
        if (waiting === undefined) throw heldFault(deps.link.where, outcome.holder);
        if (!isDeepStrictEqual(shown, outcome.holder)) onHolder?.(outcome.holder);
        shown = outcome.holder;
      }
    } catch (fault) {
      candidate.failed(sentAt, monotonic());
      if (waiting === undefined || !(fault instanceof StoreFault)) failure = { fault };
    }
    wakeUp.now();
  };
  while (lease === undefined) {
    if (failure !== undefined) throw failure.fault;
    if (waiting?.aborted === true) {
      await running;
      if (lease !== undefined) await releaseUnused(deps, lease);
      throw waiting.reason;
    }
    const now = monotonic();
    switch (candidate.step(now)) {
      case 'claim':
        running = tryOnce(now);
        break;
      case 'abandon':
        deps.link.destroyIfSilent(0);
        break;
      case 'wait':
        await wakeUp.wait(candidate.wakeAt - now);
    }
  }
  return lease;
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
  schema: string,
): Promise<{
  readonly holder: ClaimHolder | undefined;
  readonly endsInMs: number;
  readonly token: number;
}> {
  const [[id, name, record, endsInMs, token] = [null, null, null, 0, 0]] =
    await link.query<HolderRow>(leaseSql(schema).holder);
  const known = record === null ? undefined : (JSON.parse(record) as NodeRecord);
  const holder =
    endsInMs <= 0
      ? undefined
      : {
          ...(id === null ? {} : { id }),
          ...(name === null ? {} : { name }),
          ...(known === undefined ? {} : { privateUrl: known.privateUrl }),
        };
  return { holder, endsInMs, token };
}

async function tryToClaim({ link, schema }: ObtainDeps, node: WriterNode): Promise<Outcome> {
  const sql = leaseSql(schema);
  const before = await readHolder(link, schema);
  const isFree = before.holder === undefined || before.holder.id === node.id;
  if (!isFree) return before;
  try {
    const [row] = await link.query<readonly [number]>(sql.claim, [node.id, node.name]);
    if (row !== undefined) return { granted: row[0] };
  } catch (fault) {
    if (!(fault instanceof StoreFault) || fault.code !== 'busy') throw fault;
    // The lease has ended, and a statement of its holder still keeps the row locked.
    await link.query(sql.terminate, [writerName(before.token, schema)]);
    throw fault;
  }
  return readHolder(link, schema);
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

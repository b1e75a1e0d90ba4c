import { isDeepStrictEqual } from 'node:util';

import { Candidate } from '../../../cluster/candidate.ts';
import type { Lease } from '../../../cluster/lease.ts';
import { claimTiming } from '../../../cluster/timing.ts';
import { isPowerOfTwo } from '../../../lib/numbers/is-power-of-two.ts';
import { Waking } from '../../../lib/time/repeat.ts';
import type { ClaimOptions, WriterNode } from '../../contract/place.ts';
import type { NodeRecord } from '../../contract/nodes.ts';
import { StoreFault, type ClaimHolder } from '../../contract/store-fault.ts';
import type { ReconnectingSession } from '../connection/reconnecting-session.ts';
import type { ListenerHint } from '../watch/change-listener.ts';
import { holderSql, leaseSql, writerName, type HolderRow } from './lease-sql.ts';

/** What an attempt to get the claim depends on. */
export interface ObtainDeps {
  /** A connection for the lease alone. */
  readonly connection: ReconnectingSession;
  /** Creates the tables of a new place, which a claim needs. */
  readonly prepare: () => Promise<void>;
  /** Called while the call waits, whenever the database has said that another process holds the claim. */
  readonly onRefused: () => void;
  /** Calls a function with each hint until the subscription is disposed. */
  readonly subscribe: (onHint: (hint: ListenerHint) => void) => Disposable;
}

/**
 * Tries to get the claim once, and with a signal until it is granted. The {@link Candidate} decides when.
 *
 * @throws StoreFault `busy` with the holder when another process holds it, without a signal; StoreFault; the reason of the
 *   signal.
 */
export async function obtainLease(
  deps: ObtainDeps,
  node: WriterNode,
  { waiting, onHolder, onFault }: ClaimOptions,
): Promise<Lease> {
  const { connection } = deps;
  const { monotonic, random } = connection.hosts;
  const candidate = new Candidate(random);
  const waking = new Waking();
  const wake = (): void => waking.wake();
  using cleanUp = new DisposableStack();
  if (waiting !== undefined) {
    waiting.addEventListener('abort', wake);
    cleanUp.defer(() => waiting.removeEventListener('abort', wake));
    const onHint = (hint: ListenerHint): void => {
      if (hint !== 'claim') return;
      candidate.released(monotonic());
      wake();
    };
    cleanUp.use(deps.subscribe(onHint));
  }
  let shown: ClaimHolder | undefined;
  let failures = 0;
  let isPrepared = false;
  for (;;) {
    waiting?.throwIfAborted();
    const sentAt = monotonic();
    if (candidate.step(sentAt) === 'wait') {
      await waking.pause(Math.max(0, candidate.wakeAt - sentAt));
      continue;
    }
    try {
      if (!isPrepared) await deps.prepare();
      isPrepared = true;
      const tried = await withoutSilence(connection, () => tryToClaim(connection, node));
      failures = 0;
      if ('granted' in tried) {
        const lease = candidate.granted(sentAt, tried.granted);
        if (waiting?.aborted === true) await release(connection, tried.granted);
        else if (lease?.mayWrite(monotonic()) === true) return lease;
        // The try took so long that the lease may have ended.
        candidate.standBy(monotonic());
        continue;
      }
      candidate.refused(sentAt, tried.endsInMs, monotonic());
      if (waiting === undefined) throw heldFault(connection.where, tried.holder);
      if (!isDeepStrictEqual(shown, tried.holder)) onHolder?.(tried.holder);
      shown = tried.holder;
      deps.onRefused();
    } catch (fault) {
      candidate.failed(sentAt, monotonic());
      const mayRetry = fault instanceof StoreFault && (isPrepared || fault.code === 'unavailable');
      if (waiting === undefined || !mayRetry) throw fault;
      failures += 1;
      if (isPowerOfTwo(failures)) onFault?.(fault, failures);
    }
  }
}

/** Closes the connection when a statement has no response in time. It is sent again on another one. */
async function withoutSilence<T>(
  connection: ReconnectingSession,
  work: () => Promise<T>,
): Promise<T> {
  const { requestLimitMs } = claimTiming;
  const timer = setInterval(() => connection.destroyIfSilent(requestLimitMs), 100);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Releases a claim, so that a stand-by gets it at once. If it fails, the lease ends by itself. */
export async function release(connection: ReconnectingSession, token: number): Promise<void> {
  await connection.query(leaseSql.release, [token, connection.channel]).catch(() => undefined);
}

/** The node that holds the claim, and for how long unless it renews. */
interface Held {
  readonly holder: ClaimHolder | undefined;
  readonly endsInMs: number;
  readonly token: number;
}

/** The node that holds the claim now. */
export async function readHolder(
  connection: ReconnectingSession,
  schema = connection.schema,
): Promise<Held> {
  const read = connection.hosts.clock.ask();
  const [row] = await connection.query<HolderRow>(holderSql(schema));
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

async function tryToClaim(
  connection: ReconnectingSession,
  node: WriterNode,
): Promise<Held | { readonly granted: number }> {
  const { clock, lines } = connection.hosts;
  const before = await readHolder(connection);
  const isFree = before.holder === undefined || before.holder.id === node.id;
  if (!isFree) return before;
  // Another node may write.
  if (clock.isOff) throw clock.fault(connection.where);
  // The token must not be taken on an older line. If another node knows a newer one, the session is closed.
  await lines.confirm();
  try {
    const [row] = await connection.query<readonly [number]>(leaseSql.claim, [node.id, node.name]);
    if (row !== undefined) return { granted: row[0] };
  } catch (fault) {
    if (!(fault instanceof StoreFault) || fault.code !== 'busy') throw fault;
    // The lease has ended, and a statement of its holder still keeps the row locked.
    await connection.query(leaseSql.terminate, [writerName(before.token, connection.schema)]);
    throw fault;
  }
  return readHolder(connection);
}

function heldFault(where: string, holder: ClaimHolder | undefined): StoreFault {
  const { name, id, privateUrl } = holder ?? {};
  const at = [name, privateUrl].filter((text) => text !== undefined && text !== '').join(', ');
  const who = at === '' ? `another process${id === undefined ? '' : ` (${id})`}` : at;
  return new StoreFault('busy', `${where} is served by ${who}`, { holder: holder ?? {} });
}

/**
 * The program of the writing thread. It owns the connection that writes, and executes calls, one
 * transaction after another. `WriterThread` starts it and sends the calls.
 */
import { parentPort, workerData } from 'node:worker_threads';

import type { ChangeOrigin } from '../../../domain/changes/version.ts';
import { lowerPriority } from '../../../lib/runtime/lower-priority.ts';
import type { HistoryTransaction } from '../../contract/history-store.ts';
import { callMethod, type MethodCall } from '../../contract/store.ts';
import {
  openInlineWriteSide,
  type SqliteWriteSide,
  type WriteSideOptions,
} from './inline-write-side.ts';
import { packError } from '../file/sqlite-fault.ts';
import type { WriterReply, WriterRequest } from './thread-write-side.ts';

/** A transaction that is open between messages. */
interface OpenTransaction {
  readonly transaction: HistoryTransaction;
  readonly finish: (at: number) => Promise<void>;
  readonly undo: () => Promise<void>;
}

const port = parentPort;
if (port === null) throw new Error('this program is a worker thread of the store');
// A commit of many quotes takes milliseconds, and requests are answered meanwhile.
lowerPriority();

const openTransactions = new Map<number, OpenTransaction>();
let openedSide: SqliteWriteSide | undefined;

port.on('message', (request: WriterRequest) => void answer(request));

async function answer(request: WriterRequest): Promise<void> {
  let reply: WriterReply;
  try {
    reply = { id: request.id, value: await run(request) };
  } catch (error) {
    reply = { id: request.id, error: packError(error) };
  }
  port?.postMessage(reply);
  // With its port closed, the thread ends.
  if (request.what === 'close') port?.close();
}

async function run(request: WriterRequest): Promise<unknown> {
  switch (request.what) {
    case 'open':
      openedSide = await openInlineWriteSide(workerData as WriteSideOptions);
      return undefined;
    case 'call':
      return callMethod(side(), request.method, request.args);
    case 'begin':
      return begin(request.id, request.origin);
    case 'read':
    case 'put':
    case 'restore': {
      const { transaction } = openTransaction(request.transaction);
      const method = transaction[request.what] as MethodCall;
      return method.apply(transaction, [...request.args]);
    }
    case 'finish':
      return openTransaction(request.transaction).finish(request.at);
    case 'undo':
      return openTransaction(request.transaction).undo();
    case 'close':
      return openedSide?.[Symbol.asyncDispose]();
  }
}

/** Opens a transaction that stays open between messages. Resolves when it has begun. */
async function begin(id: number, origin: ChangeOrigin): Promise<void> {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const undone = new Error('undone');
  let finishedAt = 0;
  const ended = side()
    .history.transaction(
      async (transaction) => {
        openTransactions.set(id, {
          transaction,
          finish: (at) => {
            finishedAt = at;
            end.resolve();
            return ended;
          },
          undo: () => {
            end.reject(undone);
            return ended.catch((error: unknown) => {
              if (error !== undone) throw error;
            });
          },
        });
        begun.resolve();
        await end.promise;
      },
      { origin, now: () => finishedAt },
    )
    .finally(() => openTransactions.delete(id));
  // When the database stays locked, the transaction never begins.
  ended.catch(begun.reject);
  await begun.promise;
}

function openTransaction(id: number): OpenTransaction {
  const found = openTransactions.get(id);
  if (found === undefined) throw new Error('the transaction has ended');
  return found;
}

function side(): SqliteWriteSide {
  if (openedSide === undefined) throw new Error('the store is not open');
  return openedSide;
}

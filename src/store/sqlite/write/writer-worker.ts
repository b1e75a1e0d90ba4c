/**
 * The program of the writing thread. It owns the connection that writes, and executes calls, one
 * transaction after another. {@link WriterThread} starts it and sends the calls.
 */
import { parentPort, workerData } from 'node:worker_threads';

import type { ChangeOrigin } from '../../../domain/changes/version.ts';
import { lowerPriority } from '../../../lib/runtime/lower-priority.ts';
import type { HistoryTransaction } from '../../contract/history-store.ts';
import { openInlineWriteSide, type WriteSideOptions } from './inline-write-side.ts';
import { unpackBarColumns } from '../rows/bar-columns.ts';
import { unpackCloses } from '../rows/close-columns.ts';
import { unpackQuotes } from '../rows/quote-columns.ts';
import type { WriteSide } from './write-side.ts';
import { packError } from '../file/packed-error.ts';
import type { WriterReply, WriterRequest } from './writer-protocol.ts';

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
let openedSide: WriteSide | undefined;

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
  if (request.name === 'close') port?.close();
}

async function run({ id, name, args }: WriterRequest): Promise<unknown> {
  switch (name) {
    case 'open':
      openedSide = await openInlineWriteSide(workerData as WriteSideOptions);
      return undefined;
    case 'commit':
      return side().quotes.commit({
        quotes: unpackQuotes(args.quotes),
        closes: args.closes,
        ...(args.storedAt === undefined ? {} : { storedAt: args.storedAt }),
        bars: unpackBarColumns(args.bars),
      });
    case 'tidyBars':
      return side().bars.tidyBars(args);
    case 'applyActions':
      return side().actions.apply(...args);
    case 'restoreActions':
      return side().actions.restore(args);
    case 'putIndices':
      return side().indices.put(...args);
    case 'restoreIndices':
      return side().indices.restore(args);
    case 'recordTerms':
      return side().terms.record(...args);
    case 'restoreTerms':
      return side().terms.restore(args);
    case 'insertKey':
      return side().keys.insert(...args);
    case 'changeKey':
      return side().keys.change(...args);
    case 'rotateKey':
      return side().keys.rotate(...args);
    case 'restoreKeys':
      return side().keys.restore(args);
    case 'noteKeyUses':
      return side().keys.noteUses(args);
    case 'begin':
      return begin(id, args.origin);
    case 'read':
      return openTransaction(args.transaction).transaction.read(args.ticker, args.range);
    case 'put':
      return openTransaction(args.transaction).transaction.put(
        args.ticker,
        unpackCloses(args.closes),
      );
    case 'restore':
      return openTransaction(args.transaction).transaction.restore(args.ticker, args.versions);
    case 'finish':
      return openTransaction(args.transaction).finish(args.at);
    case 'undo':
      return openTransaction(args.transaction).undo();
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

function side(): WriteSide {
  if (openedSide === undefined) throw new Error('the store is not open');
  return openedSide;
}

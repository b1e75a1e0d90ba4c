/**
 * The program of a worker process. It handles the messages of the primary one after the other.
 * `WorkerProcess` is the other end of the channel. A fault ends the process, and the primary replaces
 * it.
 */
import type { Logger } from 'pino';

import type { NotedUse } from '../../auth/key-uses.ts';
import { StreamCounts } from '../../http/stream/stream-limits.ts';
import type { StopStep } from '../../http/carriers/stop/listener-stop.ts';
import { keepTickShape } from '../../lib/runtime/keep-tick-shape.ts';
import { StoreDamage, StoreFault } from '../../store/contract/store-fault.ts';
import { makeLog, type ProgramLog } from '../log/make-log.ts';
import type { FromWorker, ShowMessage, ToWorker } from './messages.ts';
import { WorkerService } from './worker-service.ts';

type Begin = Extract<ToWorker, { readonly type: 'begin' }>;

keepTickShape();

const damage = new StoreDamage();
damage.onFound(({ message: reason }) => void send({ type: 'damaged', reason }));

const streamCounts = new StreamCounts((count) => void send({ type: 'streams', count }));

let begin: Begin | undefined;
let programLog: ProgramLog | undefined;
let log: Logger | undefined;
let service: WorkerService | undefined;
let turn = Promise.resolve();
/** What the steps of the stop wait for. */
const proceeding = {
  held: Promise.withResolvers<void>(),
  closed: Promise.withResolvers<void>(),
};

// A terminal and a process manager send signals to every process of a service. Only the primary acts
// on them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

// Without the primary the quotes here would remain outdated, and a new primary needs the port.
process.on('disconnect', () => process.exit());

process.on('message', (message: ToWorker) => {
  if (message.type === 'metrics') void sendMetrics();
  else if (message.type === 'proceed') proceeding[message.step].resolve();
  else if (message.type === 'streams') streamCounts.setElsewhere(message.count);
  else turn = turn.then(() => run(message)).catch(fail);
});

async function run(
  message: Exclude<ToWorker, { readonly type: 'metrics' | 'proceed' | 'streams' }>,
): Promise<void> {
  switch (message.type) {
    case 'begin':
      begin = message;
      return undefined;
    case 'show':
      await show(message);
      return send({ type: 'taken' });
    case 'quotes':
      service?.take(message);
      return send({ type: 'taken' });
    case 'damaged':
      return damage.found(new StoreFault('corrupt', message.reason));
    case 'stop':
      await service?.[Symbol.asyncDispose]();
      await programLog?.flush();
      process.disconnect?.();
  }
}

async function show(message: ShowMessage): Promise<void> {
  if (begin === undefined) throw new Error('the first message of a worker is begin');
  const { logLevel } = message.settings;
  programLog ??= await makeLog(message.settings);
  log ??= programLog.log.child({ worker: process.pid });
  log.level = logLevel;
  if (service !== undefined) return service.show(message);
  service = await WorkerService.open(message, {
    ...begin,
    log,
    dropped: programLog.dropped,
    noteUses,
    damage,
    streamCounts,
    meetAt,
  });
}

async function meetAt(step: StopStep): Promise<void> {
  await send({ type: 'reached', step });
  await proceeding[step].promise;
}

function noteUses(uses: readonly NotedUse[]): Promise<void> {
  return send({ type: 'uses', uses });
}

async function sendMetrics(): Promise<void> {
  // Before the first `show` there are no metrics.
  const metrics = (await service?.metrics()) ?? [];
  await send({ type: 'metrics', metrics });
}

/** Resolves when the message is sent, or the primary has gone. */
function send(message: FromWorker): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, undefined, undefined, () => resolve());
  });
}

function fail(fault: unknown): void {
  const reason = fault instanceof Error ? fault.message : String(fault);
  log?.error({ err: fault, reason }, 'worker process failed');
  process.exit(1);
}

import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { KeyRing } from '../auth/key-ring.ts';
import { createPublicServer } from '../http/public-server.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { repeat } from '../lib/repeat.ts';
import type { KeyStore } from '../store/key-store.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { addKey } from './keys.ts';
import type { NewKey } from './keys.ts';
import { openMarket } from './open-market.ts';
import { OperatorFault } from './operator-fault.ts';
import { requireUniverse } from './require-universe.ts';
import type { Settings } from './settings.ts';

/** How often the store is asked whether a key was made or revoked. */
const keyPollMs = 500;

const contractFile = new URL('../../contract/openapi.yaml', import.meta.url);

/** A running service. Disposing it drains the listener, makes all durable, and closes the store. */
export interface Service extends AsyncDisposable {
  /** Where the public listener answers, base path included. */
  readonly url: string;
  /** The key that was made because there was none; to be shown once. */
  readonly firstKey: NewKey | undefined;
}

/**
 * Starts everything, in order: store, keys, market, listener. What fails is told as an
 * {@link OperatorFault} or a store's fault, and everything that had started is stopped again.
 */
export async function startService(settings: Settings, log: Log): Promise<Service> {
  await using cleanUp = new AsyncDisposableStack();
  const universe = await requireUniverse(settings.universe);
  const store = cleanUp.use(await openSqliteStore({ directory: settings.data }));
  const firstKey = await makeFirstKey(store.keys);
  const keyRing = new KeyRing();
  cleanUp.use(await followKeys(store.keys, keyRing, log));
  const market = cleanUp.use(
    await openMarket({
      universe,
      store,
      clock: systemClock,
      log,
      settleDelayMs: settings.settleDelayMinutes * 60_000,
    }),
  );
  const server = cleanUp.use(
    createPublicServer({
      board: market.board,
      history: store.history,
      keyRing,
      openapi: await readContract(),
      log,
      clock: systemClock,
      basePath: settings.basePath,
      limits: { ...settings, tickersMax: settings.tickersPerRequestMax },
    }),
  );
  const at = await server.listen(settings).catch((cause: unknown) => {
    throw new OperatorFault(listenMessage(cause, settings), { cause });
  });
  const running = cleanUp.move();
  return {
    url: `http://${at.host.includes(':') ? `[${at.host}]` : at.host}:${at.port}${settings.basePath}`,
    firstKey,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** An installation without any key, not even a revoked one, is new: it gets one to begin with. */
async function makeFirstKey(keys: KeyStore): Promise<NewKey | undefined> {
  const made = await keys.readAll();
  return made.keys.length > 0 ? undefined : addKey(keys, { name: 'first', scope: 'read' });
}

/** Keeps a ring in step with the store, whoever changes it. */
async function followKeys(keys: KeyStore, ring: KeyRing, log: Log): Promise<AsyncDisposable> {
  let held = -1;
  const catchUp = async (): Promise<void> => {
    if ((await keys.revision()) === held) return;
    const { revision, keys: records } = await keys.readAll();
    ring.replace(records);
    held = revision;
  };
  await catchUp();
  const onFault = (fault: unknown): void => log.error({ err: fault }, 'keys cannot be followed');
  return repeat(catchUp, { pauseMs: keyPollMs, onFault });
}

async function readContract(): Promise<Record<string, unknown>> {
  return parse(await readFile(contractFile, 'utf8')) as Record<string, unknown>;
}

/** What to do about the ways in which listening fails. */
const listenAdvice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is taken; stop what listens there, or choose another port with --port',
  EACCES: 'this user may not; choose a port above 1023 with --port',
  EADDRNOTAVAIL: 'this machine has no such address; choose another with --host',
};

function listenMessage(cause: unknown, { host, port }: Settings): string {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  return `Cannot listen on ${host}, port ${port}: ${listenAdvice[code] ?? message}.`;
}

import type { OpenMode } from '../contract/place.ts';
import type { Store } from '../contract/store.ts';
import type { Fence } from './claim/fence.ts';
import type { FindOptions } from './connection/find-session.ts';
import { Link } from './connection/link.ts';
import type { LinkDeps } from './connection/link.ts';
import { Transactions } from './connection/transactions.ts';
import { PostgresStore } from './postgres-store.ts';
import type { WriteSide } from './postgres-store.ts';
import { migrate, requireSchema, schemaVersion } from './schema/migrate.ts';
import { requireFinished } from './guard/copy-mark.ts';
import { migrations, readableSince } from './schema/migrations.ts';
import { Watch } from './watch/watch.ts';

/** Maximum time of a statement that a request or the writer waits for, in milliseconds. */
const statementMs = 3_000;

/**
 * Maximum time that a commit waits for a row that an import has locked, in milliseconds. The commit itself
 * keeps the lease locked meanwhile, and the lease must be renewed.
 */
const commitLockMs = 500;

/** Maximum time to wait for an import of another process, in milliseconds. Then the fault is `busy`. */
const importLockMs = 30_000;

/** Maximum time of a statement within an import, in milliseconds: the last one stores all its closes. */
const importMs = 3_600_000;

/** Time without a response after which a connection counts as dead, if another one was found dead. */
const silentMs = 900;

/** The same for the connection of an import. */
const importSilentMs = 10_000;

/** Options of {@link openPostgresStore}. */
export interface PostgresOpenOptions {
  readonly mode: OpenMode;
  /** As in `PlaceOpenOptions`. */
  readonly isCopyTarget: boolean;
  readonly deps: LinkDeps;
  readonly fence: Fence;
  /** Whether the schema may be upgraded. */
  readonly mayUpgrade: boolean;
  /** Aborts when the claim is lost. Imports of the former writer are then given up. */
  readonly lost: AbortSignal | undefined;
  /** Shown in `pg_stat_activity`, by what the connection is for. */
  readonly applicationName: (purpose: string) => string;
}

/**
 * Opens the store in a schema of a database.
 *
 * @throws StoreFault `unavailable`, `absent`, `schema-newer`, `schema-older`, `unfinished` or `corrupt`.
 */
export async function openPostgresStore({
  mode,
  isCopyTarget,
  deps,
  fence,
  mayUpgrade,
  lost,
  applicationName,
}: PostgresOpenOptions): Promise<Store> {
  const { schema, name: where } = deps.hosts.target;
  const channel = channelOf(schema);
  const link = (purpose: string, options: Omit<FindOptions, 'applicationName'>): Link =>
    new Link(deps, { ...options, applicationName: applicationName(purpose) });
  await using opened = new AsyncDisposableStack();
  const reading = opened.use(link('read', { ...limits, isReadOnly: true }));
  const version = await schemaVersion(reading, { schema, where });
  const isMissing = version === undefined && mode === 'create';
  const isOlder = version !== undefined && version < migrations.length && mayUpgrade;
  if (isMissing || (isOlder && mode !== 'read')) {
    // A schema that is the newest is not locked, so nothing delays the writer that opens it.
    const migrating = opened.use(link('migrate', { ...limits, statementMs: importMs }));
    const giveUp = (): void => migrating.destroyIfSilent(0);
    lost?.addEventListener('abort', giveUp, { once: true });
    const session = await migrating.session();
    await migrate(session, { schema, where }, { steps: migrations, mayUpgrade });
    await session.close();
  }
  const newest = migrations.length;
  const oldest = mode === 'read' ? readableSince : newest;
  await requireSchema(reading, { schema, where }, { newest, oldest });
  if (!isCopyTarget) await requireFinished(reading, { schema, where });
  const importing = link('import', { ...limits, statementMs: importMs, lockMs: importLockMs });
  const writing: WriteSide | undefined =
    mode === 'read'
      ? undefined
      : {
          link: link('write', { ...limits, lockMs: commitLockMs }),
          changes: new Transactions(link('change', limits)),
          imports: new Transactions(importing),
          fence,
        };
  const onDead = (): void => {
    reading.destroyIfSilent(silentMs);
    writing?.link.destroyIfSilent(silentMs);
    // The last statement of an import takes longer than any other.
    importing.destroyIfSilent(importSilentMs);
  };
  lost?.addEventListener('abort', () => importing.destroyIfSilent(0), { once: true });
  const watch = new Watch({ deps, channel, applicationName: applicationName('watch'), onDead });
  // From here on, the store owns the connections and closes them.
  opened.move();
  return new PostgresStore({ place: { schema, where, channel }, reading, writing, watch });
}

const limits: Omit<FindOptions, 'applicationName'> = { isReadOnly: false, statementMs, lockMs: 0 };

/** The channel of the notifications of a schema. The name of a schema is short enough for it. */
export function channelOf(schema: string): string {
  return `pizarra ${schema}`;
}

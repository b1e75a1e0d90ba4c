import { fine, warning, wrong, type Finding } from '../../../lib/reports/finding.ts';
import type { PlaceFindings } from '../../contract/place.ts';
import { StoreFault } from '../../contract/store-fault.ts';
import type { DatabaseClock } from '../connection/database-clock.ts';
import type { ReconnectingSession } from '../connection/reconnecting-session.ts';
import { isOnThisMachine, type PostgresTarget } from '../target/postgres-url.ts';
import { quoted } from '../session/session.ts';

/** The oldest supported version, as PostgreSQL counts them. */
const oldestVersion = 140_000;

/** Connections of one more node that may write. Fewer free ones are reported. */
const nodeConnections = 7;

/** The settings of a server that decide whether an acknowledged commit survives. */
interface ServerState {
  readonly version: number;
  readonly versionText: string;
  readonly clockMs: number;
  /** The settings that are checked, by name. Each session sets synchronous_commit for itself. */
  readonly settings: Readonly<Record<string, string>>;
  readonly standbys: number;
  readonly synchronous: number;
  /** Connections that the server, the database or the user permits, whichever is closest to its limit. */
  readonly permitted: number;
  readonly open: number;
  /** Whether the user may read the quotes. Null before there is a store. */
  readonly mayRead: boolean | null;
  readonly mayCreate: boolean;
  /** Whether the user may create temporary tables, which imports need. */
  readonly mayStage: boolean;
  readonly hasSchema: boolean;
}

const text = `
  SELECT json_build_object(
    'version', current_setting('server_version_num')::integer,
    'versionText', current_setting('server_version'),
    'clockMs', extract(epoch FROM clock_timestamp()) * 1000,
    'settings', (SELECT json_object_agg(name, CASE name WHEN 'synchronous_commit' THEN reset_val ELSE setting END)
      FROM pg_settings WHERE name IN ('fsync',
      'full_page_writes', 'data_checksums', 'synchronous_commit', 'synchronous_standby_names')),
    'standbys', (SELECT count(*) FROM pg_stat_replication),
    'synchronous', (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')),
    'permitted', permitted, 'open', open,
    'mayRead', has_table_privilege(to_regclass($2)::oid, 'SELECT'),
    'mayCreate', CASE WHEN to_regnamespace($1) IS NULL
      THEN has_database_privilege(current_database(), 'CREATE')
      ELSE has_schema_privilege(to_regnamespace($1)::oid, 'CREATE') END,
    'mayStage', has_database_privilege(current_database(), 'TEMPORARY'),
    'hasSchema', to_regnamespace($1) IS NOT NULL)
  FROM (
    SELECT current_setting('max_connections')::integer
      - current_setting('superuser_reserved_connections')::integer
      - coalesce(current_setting('reserved_connections', true), '0')::integer AS permitted,
      (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS open
    UNION ALL
    SELECT datconnlimit, (SELECT count(*) FROM pg_stat_activity AS a WHERE a.datname = d.datname)
    FROM pg_database AS d WHERE datname = current_database() AND datconnlimit >= 0
    UNION ALL
    SELECT rolconnlimit, (SELECT count(*) FROM pg_stat_activity AS a WHERE a.usename = rolname)
    FROM pg_roles WHERE rolname = current_user AND rolconnlimit >= 0
  ) AS limits ORDER BY permitted - open LIMIT 1`;

/** Checks the server of a place, for `doctor`. */
export async function examineServer(
  connection: ReconnectingSession,
  {
    writes,
    line,
  }: {
    readonly writes: boolean;
    /** The line of the server, once it was reached. */
    readonly line: () => string | undefined;
  },
): Promise<PlaceFindings> {
  const { clock, target } = connection.hosts;
  const read = clock.ask();
  let state: ServerState | undefined;
  try {
    const rows = await connection.query<readonly [ServerState]>({ text }, [
      quoted(target.schema),
      `${quoted(target.schema)}.quotes`,
    ]);
    state = rows[0]?.[0];
  } catch (fault) {
    if (!(fault instanceof StoreFault)) throw fault;
    const todo = 'Check that the server runs and accepts connections from this machine.';
    return { findings: [wrong('database', `${fault.message}.`, { todo })], isReachable: false };
  }
  if (state === undefined) return { findings: [], isReachable: false };
  read(state.clockMs);
  const findings = [
    aboutVersion(state, target),
    aboutEncryption(target),
    writes ? aboutRights(state, target) : aboutReading(state, target),
    aboutClock(clock),
    aboutLine(line(), target),
    ...aboutDurability(state),
    aboutChecksums(state),
    aboutStandbys(state),
    aboutConnections(state),
  ];
  return { findings, isReachable: true };
}

function aboutVersion({ version, versionText }: ServerState, { name }: PostgresTarget): Finding {
  if (version >= oldestVersion) return fine('database', `${name} is version ${versionText}.`);
  return wrong('database', `${name} is version ${versionText}, which is not supported.`, {
    todo: 'Upgrade the server to version 14 or newer.',
  });
}

/** What a mode other than `verify-full` lacks. */
const encryptionLacks = {
  disable: 'Connections are not encrypted.',
  'verify-ca': 'Connections are encrypted, but the name of the server is not verified.',
  'require-unverified': 'Connections are encrypted, but the server is not verified.',
} as const;

function aboutEncryption({ tls, hosts }: PostgresTarget): Finding {
  if (tls.mode === 'verify-full') {
    return fine('encryption', 'Connections are encrypted, and the server is verified.');
  }
  if (tls.mode === 'disable' && hosts.every(isOnThisMachine)) {
    return fine('encryption', 'Connections stay on this machine.');
  }
  return warning('encryption', encryptionLacks[tls.mode], {
    todo: 'Set sslmode=verify-full in the URL of the store.',
  });
}

/** About the rights of a node that only serves. */
function aboutReading({ mayRead }: ServerState, { schema, user }: PostgresTarget): Finding {
  const what = `the tables in the schema ${schema}`;
  if (mayRead !== false) return fine('permissions', `User ${user} may read ${what}.`);
  return wrong('permissions', `User ${user} may not read ${what}.`, {
    todo: 'Give it the rights of a node that only serves (docs/scaling.md).',
  });
}

function aboutRights(
  { mayCreate, mayStage, hasSchema }: ServerState,
  { schema, user, database }: PostgresTarget,
): Finding {
  const where = hasSchema ? `in the schema ${schema}` : `the schema ${schema}`;
  if (!mayCreate) {
    return wrong(
      'permissions',
      `User ${user} may not create ${hasSchema ? 'tables ' : ''}${where}.`,
      {
        todo: hasSchema
          ? `Run: GRANT ALL ON SCHEMA ${schema} TO ${user}`
          : `Run: CREATE SCHEMA ${schema} AUTHORIZATION ${user}`,
      },
    );
  }
  if (!mayStage) {
    return wrong('permissions', `User ${user} may not create temporary tables, so imports fail.`, {
      todo: `Run: GRANT TEMPORARY ON DATABASE ${database} TO ${user}`,
    });
  }
  return fine('permissions', `User ${user} may create what is needed ${where}.`);
}

function aboutClock({ differenceMs = 0, isOff }: DatabaseClock): Finding {
  const seconds = (Math.abs(differenceMs) / 1000).toFixed(1);
  const says = `The clocks of both machines differ by ${seconds} s.`;
  if (!isOff) return fine('database clock', says);
  return warning('database clock', says, {
    todo: 'Let both machines synchronise their clocks, for example with chrony. Until then, this machine does not write.',
  });
}

function aboutLine(line: string | undefined, { user }: PostgresTarget): Finding {
  if (line !== undefined)
    return fine('database line', `The server is on line ${line} (system/timeline).`);
  return warning('database line', 'The server does not tell its system identifier and timeline.', {
    todo:
      'A former primary that returns cannot be recognised. If the server has the function, run: ' +
      `GRANT EXECUTE ON FUNCTION pg_control_system() TO ${user}`,
  });
}

function aboutDurability(state: ServerState): readonly Finding[] {
  const isOff = ({ check }: Finding): boolean => state.settings[check] === 'off';
  const risks = durabilityRisks.filter(isOff);
  return risks.length > 0
    ? risks
    : [fine('durability', 'A commit is on the disk when it returns.')];
}

/** What a setting that is off risks. Each check has the name of its setting. */
const durabilityRisks: readonly Finding[] = [
  wrong('fsync', 'fsync is off: a power failure of the server may destroy the database.', {
    todo: 'Set fsync = on in postgresql.conf.',
  }),
  warning('full_page_writes', 'full_page_writes is off: a torn page cannot be repaired.', {
    todo: 'Set full_page_writes = on, unless the file system never tears pages.',
  }),
  warning('synchronous_commit', 'synchronous_commit is off. Pizarra turns it on for itself.', {
    todo: 'Set synchronous_commit = on in postgresql.conf.',
  }),
];

function aboutChecksums({ settings }: ServerState): Finding {
  if (settings['data_checksums'] !== 'off') {
    return fine('checksums', 'The server verifies the checksum of each page that it reads.');
  }
  return warning(
    'checksums',
    'Data checksums are off: a damaged page may give wrong or missing rows without an error.',
    { todo: 'Stop the server and run: pg_checksums --enable --pgdata DIRECTORY' },
  );
}

function aboutStandbys(state: ServerState): Finding {
  const { standbys, synchronous, settings } = state;
  if (settings['synchronous_standby_names'] === '') {
    const says = `${standbys} standbys are connected, none of them synchronous.`;
    if (standbys === 0) return fine('standbys', 'The server has no standby.');
    return warning('standbys', says, {
      todo: 'A fail-over may lose the last commits. Set synchronous_standby_names, or synchronous_mode of Patroni.',
    });
  }
  if (synchronous > 0) {
    return fine(
      'standbys',
      `${standbys} standbys are connected, ${synchronous} of them synchronous.`,
    );
  }
  return warning('standbys', 'No synchronous standby is connected, so commits wait for one.', {
    todo: 'Check the standbys of the server.',
  });
}

function aboutConnections({ permitted, open }: ServerState): Finding {
  const says = `${open} of ${permitted} connections are open.`;
  if (permitted - open >= nodeConnections) return fine('connections', says);
  return warning('connections', says, {
    todo: `A node that may write needs ${nodeConnections}. Raise max_connections of the server, or the CONNECTION LIMIT of the database or the user.`,
  });
}

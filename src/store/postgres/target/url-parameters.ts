import { StoreFault } from '../../contract/store-fault.ts';

/** One server of a PostgreSQL installation. A host that begins with `/` is the directory of a socket. */
export interface PostgresHost {
  readonly host: string;
  readonly port: number;
}

/** A host as people write it. */
export function hostText({ host, port }: PostgresHost): string {
  if (host.startsWith('/')) return host;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Whether a connection to a host stays on this machine. */
export function isOnThisMachine({ host }: PostgresHost): boolean {
  return /^(?:127\.\d+\.\d+\.\d+|::1|localhost|\/.*)$/.test(host);
}

/** The fault of a URL that cannot be used. It does not repeat the URL, which may contain a password. */
export function mistake(reason: string): StoreFault {
  return new StoreFault('unavailable', `the URL of the store is wrong: ${reason}`);
}

/** The parameters of a URL that Pizarra uses. Those that libpq knows mean what they mean there. */
const parametersUsed = [
  'host',
  'port',
  'user',
  'password',
  'dbname',
  'schema',
  'connect_timeout',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'target_session_attrs',
] as const;

type ParameterName = (typeof parametersUsed)[number];

/** The parameters of a URL, by name. */
export type UrlParameters = ReadonlyMap<ParameterName, string>;

const byPurpose = 'Pizarra names each connection by its purpose';
const ownLimits = 'Pizarra limits the time of each statement by itself';
const ownCheck = 'Pizarra notices a dead connection by itself, within seconds';
const noGss = 'GSSAPI is not supported';
const noRevocation = 'lists of revoked certificates are not read';
const someTls = 'TLS 1.2 and 1.3 are used';
const sessionOnly = 'a pooler must be in session mode, and needs no parameter';

/**
 * Why a usual parameter of libpq, or of the URL of a provider, is refused. A parameter that would be ignored is
 * an error, so that nobody relies on it.
 */
const reasons: Readonly<Record<string, string>> = {
  application_name: byPurpose,
  fallback_application_name: byPurpose,
  channel_binding: 'it is not checked. sslmode=verify-full verifies the server',
  client_encoding: 'the encoding is always UTF-8',
  gssdelegation: noGss,
  gssencmode: noGss,
  gsslib: noGss,
  krbsrvname: noGss,
  hostaddr: 'give the address as the host',
  keepalives: ownCheck,
  keepalives_count: ownCheck,
  keepalives_idle: ownCheck,
  keepalives_interval: ownCheck,
  tcp_user_timeout: ownCheck,
  load_balance_hosts: 'of several hosts, the one that accepts writes is used',
  lock_timeout: ownLimits,
  statement_timeout: ownLimits,
  options: 'set such settings for the user of the database, with ALTER ROLE … SET',
  passfile: 'name the file in the variable PGPASSFILE',
  pgbouncer: sessionOnly,
  pool_mode: sessionOnly,
  replication: 'Pizarra does not replicate',
  require_auth: 'the method is that of pg_hba.conf',
  requirepeer: 'the owner of a socket is not checked',
  service: 'connection service files are not read',
  ssl_max_protocol_version: someTls,
  ssl_min_protocol_version: someTls,
  sslcertmode: 'a certificate of the client is sent if sslcert names one',
  sslcompression: 'TLS is never compressed',
  sslcrl: noRevocation,
  sslcrldir: noRevocation,
  sslnegotiation: 'TLS begins as with sslnegotiation=postgres',
  sslpassword: 'the key of the client must not be encrypted',
  sslsni: 'the name of the host is always sent',
};

/**
 * Reads the parameters of a URL.
 *
 * @throws StoreFault `unavailable` with the name of a parameter that is not used, and the reason.
 */
export function parametersIn(query: string): UrlParameters {
  const found = new Map<ParameterName, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (!isUsed(name)) throw unused(name);
    if (found.has(name)) throw mistake(`the parameter ${name} is given twice`);
    found.set(name, value);
  }
  return found;
}

function isUsed(name: string): name is ParameterName {
  return (parametersUsed as readonly string[]).includes(name);
}

function unused(name: string): Error {
  if (Object.hasOwn(reasons, name)) {
    return mistake(`leave out the parameter ${name}: ${reasons[name]}`);
  }
  // It may be a part of a password that was not percent-encoded.
  const shown = /^[a-z_]+$/.test(name) ? ` ${name}` : '';
  return mistake(`unknown parameter${shown}; the parameters are ${parametersUsed.join(', ')}`);
}

import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

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

/** What the URL of a place says. */
export interface PostgresTarget {
  /** In order of preference. The writable one is used, unless `isAnyHost`. */
  readonly hosts: readonly PostgresHost[];
  readonly isAnyHost: boolean;
  readonly user: string;
  readonly database: string;
  /** The password in the URL. Absent for one from the environment or from a passfile. */
  readonly password?: string | undefined;
  /** Maximum time to connect to one host, in milliseconds. Absent for the default. */
  readonly connectMs?: number | undefined;
  readonly schema: string;
  readonly tls: TlsMode;
  /** Hosts, database and schema, for people and logs. It contains no secret. */
  readonly name: string;
}

const schemaDefault = 'pizarra';
const portDefault = 5432;

/** PostgreSQL cuts names of more than 63 bytes, and some begin with that of the schema. */
const nameBytesMax = 50;

/** Maximum of `connect_timeout`, in seconds. A longer one would delay every other attempt. */
const connectSecondsMax = 60;

/** Whether a setting names a PostgreSQL database rather than a directory. */
export function isPostgresUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(text);
}

/**
 * Parses `postgres://USER[:PASSWORD]@HOST[:PORT][,HOST[:PORT]…]/DATABASE[?PARAMETER=VALUE&…]`. The parameters
 * are those of libpq, and `schema`.
 *
 * @throws StoreFault `unavailable`. The message does not repeat the URL, because it may contain a password.
 */
export function parsePostgresUrl(text: string): PostgresTarget {
  const parts = /^postgres(?:ql)?:\/\/(?:([^@/?]*)@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/i.exec(
    text,
  );
  if (parts === null) throw mistake('it has not the form postgres://USER@HOST/DATABASE');
  const [, credentials = '', hostList = '', path = '', query = ''] = parts;
  const parameters = parametersIn(query);
  const [userText = '', ...passwordText] = credentials.split(':');
  const user = partOf(decoded(userText, 'user'), parameters, 'user') ?? '';
  const database = partOf(decoded(path, 'database'), parameters, 'dbname') ?? '';
  if (user === '') throw mistake('it names no user, as in postgres://USER@HOST/DATABASE');
  if (database === '') throw mistake('it names no database, as in postgres://USER@HOST/DATABASE');
  const ownPassword = decoded(passwordText.join(':'), 'password');
  const password = partOf(ownPassword, parameters, 'password');
  const connectMs = connectMsIn(parameters);
  const schema = parameters.get('schema') ?? schemaDefault;
  if (schema === '' || Buffer.byteLength(schema) > nameBytesMax || schema.includes('\0')) {
    throw mistake('the name of its schema must have 1 to 50 bytes');
  }
  if (schema.startsWith('pg_')) throw mistake('names of schemas that begin with pg_ are reserved');
  const hosts = hostsIn(parameters.get('host') ?? hostList, parameters.get('port'));
  const name = `${hosts.map(hostText).join(',')}/${database}, schema ${schema}`;
  return {
    hosts,
    isAnyHost: isAnyHost(parameters.get('target_session_attrs')),
    user,
    database,
    ...(password === undefined ? {} : { password }),
    ...(connectMs === undefined ? {} : { connectMs }),
    schema,
    tls: tlsOf(hosts, parameters),
    name: `PostgreSQL at ${name}`,
  };
}

/** The fault of a URL that cannot be used. It does not repeat the URL, which may contain a password. */
function mistake(reason: string): StoreFault {
  return new StoreFault('unavailable', `the URL of the store is wrong: ${reason}`);
}

/** The parameters that Pizarra uses. Those that libpq knows mean what they mean there. */
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
type UrlParameters = ReadonlyMap<ParameterName, string>;

const ownLimits = 'Pizarra limits the time of each statement by itself';
const ownCheck = 'Pizarra notices a dead connection by itself, within seconds';
const sessionOnly = 'a pooler must be in session mode, and needs no parameter';

/** What to do instead of a usual parameter of libpq, or of the URL of a provider. */
const insteadOf: Readonly<Record<string, string>> = {
  application_name: 'Pizarra names each connection by its purpose',
  channel_binding: 'it is not checked. sslmode=verify-full verifies the server',
  hostaddr: 'give the address as the host',
  keepalives: ownCheck,
  tcp_user_timeout: ownCheck,
  lock_timeout: ownLimits,
  statement_timeout: ownLimits,
  options: 'set such settings for the user of the database, with ALTER ROLE … SET',
  passfile: 'name the file in the variable PGPASSFILE',
  pgbouncer: sessionOnly,
  pool_mode: sessionOnly,
};

/**
 * Reads the parameters of a URL. A parameter that would be ignored is an error, so that nobody relies on it.
 *
 * @throws StoreFault `unavailable` with the name of a parameter that is not used.
 */
function parametersIn(query: string): UrlParameters {
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
  if (Object.hasOwn(insteadOf, name)) {
    return mistake(`leave out the parameter ${name}: ${insteadOf[name]}`);
  }
  // It may be a part of a password that was not percent-encoded.
  const shown = /^[a-z_]+$/.test(name) ? ` ${name}` : '';
  return mistake(`unknown parameter${shown}; the parameters are ${parametersUsed.join(', ')}`);
}

/** A part that may be given before the parameters, or as one of them. */
function partOf(
  own: string,
  parameters: UrlParameters,
  name: 'user' | 'password' | 'dbname',
): string | undefined {
  const given = parameters.get(name);
  if (given !== undefined && own !== '') throw mistake(`the parameter ${name} is given twice`);
  return own === '' ? given : own;
}

function connectMsIn(parameters: UrlParameters): number | undefined {
  const text = parameters.get('connect_timeout');
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (!/^\d+$/.test(text) || seconds < 1 || seconds > connectSecondsMax) {
    throw mistake(`connect_timeout must be from 1 to ${connectSecondsMax} seconds`);
  }
  return seconds * 1_000;
}

function hostsIn(list: string, commonPort: string | undefined): readonly PostgresHost[] {
  return list.split(',').map((text) => {
    const parts = /^(?:\[([^\]@]+)\]|([^:@[\]]*))(?::(\d{1,5}))?$/.exec(text);
    if (parts === null) throw mistake('a host has not the form HOST or HOST:PORT');
    const [, address, name = '', ownPort] = parts;
    if (ownPort !== undefined && commonPort !== undefined) {
      throw mistake('the parameter port is given twice');
    }
    const portText = ownPort ?? commonPort;
    const port = portText === undefined ? portDefault : Number(portText);
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw mistake('a port must be from 1 to 65535');
    const host = address ?? decoded(name, 'host');
    if (host === '') throw mistake('it names no host, as in postgres://USER@HOST/DATABASE');
    return { host, port };
  });
}

function isAnyHost(attributes: string | undefined): boolean {
  switch (attributes) {
    case undefined:
    case 'read-write':
    case 'primary':
      return false;
    case 'any':
      return true;
    default:
      throw mistake(`target_session_attrs must be read-write or any`);
  }
}

function decoded(text: string, what: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw mistake(`its ${what} is not percent-encoded correctly`);
  }
}

/** How a connection is encrypted, and what is verified. Files are read at each connection. */
type TlsMode =
  | { readonly mode: 'disable' }
  | {
      readonly mode: 'verify-full' | 'verify-ca' | 'require-unverified';
      /** The file of the authorities. Absent for those that Node trusts. */
      readonly rootCert?: string | undefined;
      readonly cert?: string | undefined;
      readonly key?: string | undefined;
    };

/**
 * How to encrypt the connections to these hosts. A server on another machine is verified, unless the URL
 * says otherwise in so many words.
 *
 * @throws StoreFault `unavailable`
 */
function tlsOf(hosts: readonly PostgresHost[], parameters: UrlParameters): TlsMode {
  const isLocal = hosts.every(isOnThisMachine);
  const mode = parameters.get('sslmode') ?? (isLocal ? 'disable' : 'verify-full');
  const rootCert = parameters.get('sslrootcert');
  const [cert, key] = [parameters.get('sslcert'), parameters.get('sslkey')];
  switch (mode) {
    case 'disable':
      if (rootCert !== undefined || cert !== undefined) {
        throw mistake('sslmode=disable contradicts the certificates in it');
      }
      return { mode };
    case 'verify-full':
    case 'verify-ca':
    case 'require-unverified':
      if ((cert === undefined) !== (key === undefined)) {
        throw mistake('sslcert and sslkey are given together or not at all');
      }
      return {
        mode,
        ...(rootCert === undefined || rootCert === 'system' ? {} : { rootCert }),
        ...(cert === undefined ? {} : { cert, key }),
      };
    case 'require':
    case 'prefer':
    case 'allow':
      throw mistake(
        `sslmode=${mode} does not verify the server, so anybody on the network between could read and ` +
          'change the data. Use sslmode=verify-full, with sslrootcert=FILE for an authority of your ' +
          'own; or sslmode=require-unverified to encrypt without verification',
      );
    default:
      throw mistake('sslmode must be verify-full, verify-ca, require-unverified or disable');
  }
}

/**
 * The options of a TLS connection; false for none.
 *
 * @throws StoreFault `unavailable` when a file cannot be read.
 */
export function tlsOptions(tls: TlsMode): false | ConnectionOptions {
  if (tls.mode === 'disable') return false;
  return {
    rejectUnauthorized: tls.mode !== 'require-unverified',
    ...(tls.rootCert === undefined ? {} : { ca: contentOf(tls.rootCert) }),
    ...(tls.cert === undefined ? {} : { cert: contentOf(tls.cert) }),
    ...(tls.key === undefined ? {} : { key: contentOf(tls.key) }),
    // The chain is verified, and the name of the host is not.
    ...(tls.mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
  };
}

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : '';
    throw new StoreFault('unavailable', `cannot read the certificate ${file}: ${reason}`, {
      cause,
    });
  }
}

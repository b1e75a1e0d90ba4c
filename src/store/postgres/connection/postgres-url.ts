import { hostText } from './postgres-host.ts';
import type { PostgresHost } from './postgres-host.ts';
import { tlsOf } from './tls-mode.ts';
import type { TlsMode } from './tls-mode.ts';
import { mistake } from './url-mistake.ts';

/** What the URL of a place says. */
export interface PostgresTarget {
  /** In order of preference. The writable one is used, unless `isAnyHost`. */
  readonly hosts: readonly PostgresHost[];
  readonly isAnyHost: boolean;
  readonly user: string;
  readonly database: string;
  /** The password in the URL. Absent for one from the environment or from a passfile. */
  readonly password?: string | undefined;
  readonly schema: string;
  readonly tls: TlsMode;
  /** Hosts, database and schema, for people and logs. It contains no secret. */
  readonly name: string;
}

const schemaDefault = 'pizarra';
const portDefault = 5432;

/** PostgreSQL cuts names of more than 63 bytes, and some begin with that of the schema. */
const nameBytesMax = 50;

const parametersKnown = [
  'host',
  'schema',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'target_session_attrs',
];

/** Whether a setting names a PostgreSQL database rather than a directory. */
export function isPostgresUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(text);
}

/**
 * Parses `postgres://USER[:PASSWORD]@HOST[:PORT][,HOST[:PORT]…]/DATABASE[?PARAMETER=VALUE&…]`. The parameters
 * are those of libpq, and `schema`. A parameter that would be ignored is an error.
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
  const user = decoded(userText, 'user');
  const database = decoded(path, 'database');
  if (user === '') throw mistake('it names no user, as in postgres://USER@HOST/DATABASE');
  if (database === '') throw mistake('it names no database, as in postgres://USER@HOST/DATABASE');
  const password =
    passwordText.length === 0 ? undefined : decoded(passwordText.join(':'), 'password');
  const schema = parameters.get('schema') ?? schemaDefault;
  if (schema === '' || Buffer.byteLength(schema) > nameBytesMax || schema.includes('\0')) {
    throw mistake('the name of its schema must have 1 to 50 bytes');
  }
  if (schema.startsWith('pg_')) throw mistake('names of schemas that begin with pg_ are reserved');
  const hosts = hostsIn(parameters.get('host') ?? hostList);
  const name = `${hosts.map(hostText).join(',')}/${database}, schema ${schema}`;
  return {
    hosts,
    isAnyHost: isAnyHost(parameters.get('target_session_attrs')),
    user,
    database,
    ...(password === undefined ? {} : { password }),
    schema,
    tls: tlsOf(hosts, parameters),
    name: `PostgreSQL at ${name}`,
  };
}

function parametersIn(query: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (!parametersKnown.includes(name)) {
      // It may be a part of a password that was not percent-encoded.
      const shown = /^[a-z_]+$/.test(name) ? ` ${name}` : '';
      throw mistake(`unknown parameter${shown}; the parameters are ${parametersKnown.join(', ')}`);
    }
    if (found.has(name)) throw mistake(`the parameter ${name} is given twice`);
    found.set(name, value);
  }
  return found;
}

function hostsIn(list: string): readonly PostgresHost[] {
  return list.split(',').map((text) => {
    const parts = /^(?:\[([^\]@]+)\]|([^:@[\]]*))(?::(\d{1,5}))?$/.exec(text);
    if (parts === null) throw mistake('a host has not the form HOST or HOST:PORT');
    const [, address, name = '', portText] = parts;
    const port = portText === undefined ? portDefault : Number(portText);
    if (port < 1 || port > 65_535) throw mistake('a port must be from 1 to 65535');
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

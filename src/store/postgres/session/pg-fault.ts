import { DatabaseError } from 'pg';

import { reportedFault, StoreFault, type StoreFaultCode } from '../../contract/store-fault.ts';

/**
 * Codes of PostgreSQL and classes of them, which are their first two characters
 * (https://www.postgresql.org/docs/15/errcodes-appendix.html), and their fault codes.
 */
const codes: ReadonlyMap<string, StoreFaultCode> = new Map([
  ['23505', 'conflict'], // unique_violation
  ['40001', 'busy'], // serialization_failure
  ['40P01', 'busy'], // deadlock_detected
  ['55P03', 'busy'], // lock_not_available
  ['57014', 'busy'], // query_canceled: the statement's time limit
  ['PZ001', 'busy'], // changed_meanwhile, see schema/schema.ts
  ['3F000', 'corrupt'], // invalid_schema_name: it was dropped
  ['42P01', 'corrupt'], // undefined_table
  ['42703', 'corrupt'], // undefined_column
  ['3D000', 'absent'], // invalid_catalog_name: no such database
  ['42501', 'unavailable'], // insufficient_privilege
  ['08', 'unavailable'], // connection exception
  ['25', 'unavailable'], // invalid transaction state: a standby, or a session that was idle for too long
  ['28', 'unavailable'], // invalid authorization
  ['53', 'unavailable'], // insufficient resources: disk, memory, connections
  ['57', 'unavailable'], // operator intervention: shutdown
  ['58', 'unavailable'], // system error: I/O
  ['XX', 'corrupt'], // internal error, damaged data
]);

const advice: Readonly<Record<string, string>> = {
  '28P01': 'Set the password with PGPASSWORD or in a passfile (PGPASSFILE, ~/.pgpass)',
  '28000': 'Check pg_hba.conf of the server, the user and sslmode',
  '3D000': 'Create the database, for example with createdb',
  '42501':
    'Grant the user its rights (docs/scaling.md). To write, it must own the schema, or have CREATE on the database',
  '53100': 'The disk of the server is full',
  '53300': 'Raise max_connections of the server',
};

/**
 * Converts an error of the driver, of the network or of TLS to a fault. Any other error is a defect of this
 * program, and is returned unchanged.
 *
 * @param where the place, for people.
 */
export function toPgFault(error: unknown, where: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreFault) return error;
  if (error instanceof DatabaseError) return ofServer(error, where);
  if (!isOfConnection(error)) return error;
  return reportedFault('unavailable', where, reasonOf(error), { cause: error });
}

/** Whether an error says that the connection cannot be used any more, or serves no writes any more. */
export function endsSession(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return error instanceof Error && isOfConnection(error);
  const { code = '' } = error;
  return code === '25006' || code === '0A000' || code.startsWith('57P') || code.startsWith('08');
}

/** Whether the outcome of a statement is not known, so that it may be sent again on another connection. */
export function isLostConnection(error: unknown): boolean {
  if (error instanceof DatabaseError) return error.code?.startsWith('57P') === true;
  return error instanceof Error && isOfConnection(error);
}

function ofServer(error: DatabaseError, where: string): unknown {
  const { code = '', message } = error;
  // A statement that was prepared before the tables were replaced, as by a restore.
  const isStale = code === '0A000' && message.startsWith('cached plan');
  const fault = isStale ? 'unavailable' : (codes.get(code) ?? codes.get(code.slice(0, 2)));
  if (fault === undefined) return error;
  return reportedFault(fault, where, message, { cause: error, todo: advice[code] });
}

/**
 * Errors of sockets and TLS have a code in capitals, such as ECONNRESET. Those that the driver creates have only
 * a text. The code of a fault of this program, which the work of a transaction may throw, is in small letters.
 */
function isOfConnection(error: Error): boolean {
  if ('code' in error && typeof error.code === 'string') return /^[A-Z][A-Z\d_]+$/.test(error.code);
  return /^(?:Connection terminated|timeout expired|Client (?:was closed|has encountered)|The server does not support SSL|There was an error establishing|SASL|no response)/.test(
    error.message,
  );
}

function reasonOf(error: Error): string {
  if (error.message.startsWith('The server does not support SSL')) {
    return 'the server does not support TLS. Enable ssl in postgresql.conf, or set sslmode=disable for a network that nobody else can read';
  }
  if (error.message.startsWith('SASL')) {
    return `the server requires a password. ${advice['28P01'] ?? ''}`;
  }
  if (error.message === 'timeout expired') return 'the server did not respond in time';
  if (error instanceof AggregateError) {
    return error.errors.map((one) => (one instanceof Error ? one.message : '')).join('; ');
  }
  return error.message;
}

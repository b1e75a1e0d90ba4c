import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { StoreFault } from '../../contract/store-fault.ts';
import type { PostgresHost, PostgresTarget } from './postgres-url.ts';

/** The environment variables that a connection depends on. */
export interface PostgresEnvironment {
  readonly PGPASSWORD?: string | undefined;
  readonly PGPASSFILE?: string | undefined;
  readonly HOME?: string | undefined;
}

/**
 * The password for a host: that of the URL, else `PGPASSWORD`, else the first line that matches in the
 * passfile (`PGPASSFILE`, by default `~/.pgpass`), which has the format of libpq:
 * `HOST:PORT:DATABASE:USER:PASSWORD`, with `*` for any value. Undefined when there is none.
 *
 * @throws StoreFault `unavailable` when others may read the passfile, or it cannot be read.
 */
export function passwordFor(
  { user, database, password }: PostgresTarget,
  { host, port }: PostgresHost,
  { PGPASSWORD, PGPASSFILE, HOME }: PostgresEnvironment,
): string | undefined {
  if (password !== undefined) return password;
  if (PGPASSWORD !== undefined && PGPASSWORD !== '') return PGPASSWORD;
  const file = PGPASSFILE ?? (HOME === undefined ? undefined : join(HOME, '.pgpass'));
  const text = file === undefined ? undefined : contentOf(file, PGPASSFILE !== undefined);
  // As libpq does, the line of a socket in any directory is that of localhost.
  const wanted = [host.startsWith('/') ? 'localhost' : host, String(port), database, user];
  for (const line of text?.split(/\r?\n/) ?? []) {
    if (line.startsWith('#')) continue;
    const fields = fieldsOf(line);
    const isMatch = wanted.every((value, at) => fields[at] === '*' || fields[at] === value);
    if (fields.length > wanted.length && isMatch) return fields[wanted.length];
  }
  return undefined;
}

/** The fields of a line. A backslash escapes a colon or a backslash. */
function fieldsOf(line: string): readonly string[] {
  return [...line.matchAll(/((?:\\.|[^:\\])*)(?::|$)/g)]
    .slice(0, 5)
    .map(([, field = '']) => field.replaceAll(/\\(.)/g, '$1'));
}

function contentOf(file: string, isNamed: boolean): string | undefined {
  try {
    const { mode } = statSync(file);
    if ((mode & 0o077) !== 0) {
      const advice = `Run: chmod 600 ${file}`;
      throw new StoreFault('unavailable', `other users may read the passfile ${file}. ${advice}`);
    }
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    if (isMissing && !isNamed) return undefined;
    if (cause instanceof StoreFault) throw cause;
    const reason = cause instanceof Error ? cause.message : '';
    throw new StoreFault('unavailable', `cannot read the passfile ${file}: ${reason}`, { cause });
  }
}

import { hostname, userInfo } from 'node:os';

/** The actor in the audit log for changes by the service. */
export const serviceActor = 'serve';

/** The actor in the audit log for changes by a program that embeds the service (docs/embedding.md). */
export const embedderActor = 'embedder';

/** The form of a person's name in the audit log. Without white space, so that no name looks like two. */
export const personForm = '1 to 64 letters, digits and the characters . _ @ + -';

const personPattern = /^[\p{L}\d][\p{L}\d._@+-]{0,63}$/u;

/** Whether a text may name a person in the audit log. */
export function isPersonName(text: string): boolean {
  return personPattern.test(text);
}

/**
 * The actor in the audit log for changes by a command: the person, where one is known, and the user,
 * machine and process. Several people may run commands as one user, usually with sudo, which then names
 * the person in `SUDO_USER`.
 *
 * @param person the name that the operator gave. It is a statement, which nothing proves.
 */
export function commandLineActor(
  person?: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const user = userName();
  const sudoUser = safeName(environment['SUDO_USER']);
  const people = [person, sudoUser === user ? undefined : sudoUser].filter(
    (name, at, all) => name !== undefined && all.indexOf(name) === at,
  );
  return [...people, `${user}@${hostname()} cli[${process.pid}]`].join(' via ');
}

/** A name of the environment, with a replacement for each character that a name cannot have. */
function safeName(name: string | undefined): string | undefined {
  if (name === undefined || name === '') return undefined;
  return name.slice(0, 64).replaceAll(/[^\p{L}\d._@+$\\-]/gu, '_');
}

/** The name of the user. In a container a user may have an id without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? '?'}`;
  }
}

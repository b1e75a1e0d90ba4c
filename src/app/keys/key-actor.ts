import { hostname, userInfo } from 'node:os';

/** The actor in the audit log for changes by the service. */
export const serviceActor = 'serve';

/** The actor in the audit log for changes by a program that embeds the service (docs/embedding.md). */
export const embedderActor = 'embedder';

/** The actor in the audit log for changes by a command: user, machine and process. */
export function commandLineActor(): string {
  return `${userName()}@${hostname()} cli[${process.pid}]`;
}

/** The name of the user. In a container a user may have an id without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? '?'}`;
  }
}

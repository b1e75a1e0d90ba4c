import { hostname, userInfo } from 'node:os';

/** How the audit log names changes that the service makes by itself. */
export const serviceActor = 'serve';

/** How the audit log names whoever runs this command: the user, the machine, the process. */
export function commandLineActor(): string {
  return `${userName()}@${hostname()} cli[${process.pid}]`;
}

/** In a container the user may have a number and no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? '?'}`;
  }
}

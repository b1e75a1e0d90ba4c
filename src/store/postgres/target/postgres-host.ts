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

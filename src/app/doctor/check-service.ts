import { urlHost } from '../../lib/url-host.ts';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { isServed } from '../../store/sqlite/claim-directory.ts';
import type { Settings } from '../settings.ts';
import { fine, wrong } from './finding.ts';
import type { Finding } from './finding.ts';

/** A service that takes longer to say that it is well is not. */
const answerWithinMs = 3_000;

/** Checks the service that runs on the data directory, or that one could be started. */
export async function checkService(
  settings: Settings,
  { hasData }: { readonly hasData: boolean },
): Promise<readonly Finding[]> {
  const { host, port, privateHost, privatePort } = settings;
  if (hasData && isServed(settings.data)) {
    return [
      fine('service', `It runs on ${settings.data}.`),
      ...(await answersAt('healthz', {
        host,
        port,
        path: `${settings.basePath}/healthz`,
        todo: 'Look at its log; is it run with another port, host or base path than is told here?',
      })),
      ...(await answersAt('readyz', {
        host: privateHost,
        port: privatePort,
        path: '/readyz',
        todo: 'See the reasons: feeds that are late, or a store that cannot be written.',
      })),
    ];
  }
  return [
    fine('service', 'None runs here.'),
    ...(await isFree('port', { host, port })),
    ...(await isFree('private port', { host: privateHost, port: privatePort })),
  ];
}

interface Place {
  readonly host: string;
  readonly port: number;
}

async function answersAt(
  check: string,
  { host, port, path, todo }: Place & { readonly path: string; readonly todo: string },
): Promise<readonly Finding[]> {
  // Any free port was asked for, and only the service's own log says which it got.
  if (port === 0) return [];
  const url = `http://${reachable(host)}:${port}${path}`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(answerWithinMs) });
    const body = await response.text();
    if (response.ok) return [fine(check, `${url} says that all is well.`)];
    const cases = reasonsIn(body);
    return [wrong(check, `${url} answers ${response.status}.`, { todo, cases })];
  } catch {
    return [wrong(check, `${url} does not answer within ${answerWithinMs} ms.`, { todo })];
  }
}

/** The checks of `/readyz` that fail. */
function reasonsIn(body: string): readonly string[] {
  try {
    const { checks } = JSON.parse(body) as {
      readonly checks: Readonly<Record<string, { readonly ok: boolean; readonly reason: string }>>;
    };
    return Object.entries(checks)
      .filter(([, { ok }]) => !ok)
      .map(([name, { reason }]) => `${name}: ${reason}`);
  } catch {
    return [];
  }
}

async function isFree(check: string, { host, port }: Place): Promise<readonly Finding[]> {
  if (port === 0) return [];
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return [fine(check, `${host}:${port} is free.`)];
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const todo = 'Stop what listens there, or choose another address or port.';
    return [wrong(check, `Nothing can listen on ${host}:${port} (${code}).`, { todo })];
  } finally {
    server.close();
  }
}

/** An address to reach what listens on all. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return urlHost(host === '::' ? '::1' : host);
}

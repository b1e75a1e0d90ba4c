import { once } from 'node:events';
import { createServer } from 'node:net';
import { reachableUrl } from '../../lib/url-host.ts';
import { isServed } from '../../store/sqlite/guard/claim-directory.ts';
import { StoreFault } from '../../store/store-fault.ts';
import { readServiceRecord } from '../service/service-record.ts';
import type { RunningService } from '../service/service-record.ts';
import type { Settings } from '../settings/settings.ts';
import { answerWithinMs, ask, fieldOf } from './ask.ts';
import type { Answer } from './ask.ts';
import { checkCertificate } from './check-certificate.ts';
import { fine, warning, wrong } from './finding.ts';
import type { Finding } from './finding.ts';

/**
 * Checks the service that runs on the data directory, at the addresses on which it listens. If none
 * runs, checks that a service could listen on the configured ports.
 */
export async function checkService(settings: Settings, now: number): Promise<readonly Finding[]> {
  const { data, host, port, privateHost, privatePort } = settings;
  try {
    if (isServed(data)) return await checkRunning(data, now);
  } catch (fault) {
    if (!(fault instanceof StoreFault)) throw fault;
    return [
      warning('service', `Cannot determine whether a service runs on ${data}: ${fault.message}.`, {
        todo: 'Run the doctor as the user of the service.',
      }),
    ];
  }
  return [
    fine('service', `No service runs on ${data}.`),
    ...(await isFree('port', { host, port })),
    ...(await isFree('private port', { host: privateHost, port: privatePort })),
  ];
}

async function checkRunning(directory: string, now: number): Promise<readonly Finding[]> {
  const service = readServiceRecord(directory);
  if (service === undefined) {
    return [
      warning('service', `A service runs on ${directory}, but has not published its addresses.`, {
        todo: 'If the service is starting or stopping, try again in a moment. Otherwise it is of an older version: restart it.',
      }),
    ];
  }
  const { pid, version } = service;
  const [ofPublic, ofPrivate] = await Promise.all([
    checkPublic(service, now),
    checkPrivate(service),
  ]);
  return [
    fine('service', `Version ${version} runs on ${directory}, process ${pid}.`),
    ...ofPublic,
    ofPrivate,
  ];
}

async function checkPublic(service: RunningService, now: number): Promise<readonly Finding[]> {
  const at = `${reachableUrl(service.url)}/healthz`;
  const answer = await answerOf('healthz', at, service, 'instancia');
  if (!('status' in answer)) return [answer];
  const health = fine('healthz', `${at} reports no fault.`);
  const { certificate: served } = answer;
  if (served === undefined) return [health];
  return [health, await checkCertificate({ served, at, file: service.tlsCert, now })];
}

async function checkPrivate(service: RunningService): Promise<Finding> {
  const origin = reachableUrl(service.privateUrl);
  const health = await answerOf('readyz', `${origin}/healthz`, service, 'instance');
  if (!('status' in health)) return health;
  const at = `${origin}/readyz`;
  try {
    const { status, body } = await ask(at);
    if (status === 200) return fine('readyz', `${at} reports no fault.`);
    return wrong('readyz', `${at} responds with status ${status}.`, {
      todo: 'The cases below give the reasons, such as a stale feed or a store that cannot be written.',
      cases: reasonsIn(body),
    });
  } catch {
    return noAnswer('readyz', at);
  }
}

/** The response of exactly this service, or the finding that says why there is none. */
async function answerOf(
  check: string,
  at: string,
  { instance, pid }: RunningService,
  field: string,
): Promise<Answer | Finding> {
  let answer: Answer;
  try {
    answer = await ask(at);
  } catch {
    return noAnswer(check, at);
  }
  const { status, body } = answer;
  if (status === 200 && fieldOf(body, field) === instance) return answer;
  if (status === 200) {
    return wrong(check, `${at} is served by another program than process ${pid}.`, {
      todo: 'Find the other program (ss -ltnp), and stop it or choose another port.',
    });
  }
  return wrong(check, `${at} responds with status ${status}.`, {
    todo: 'Check the log of the service.',
  });
}

function noAnswer(check: string, at: string): Finding {
  return wrong(check, `${at} does not respond within ${answerWithinMs} ms.`, {
    todo: 'Check the log of the service, and whether its process is busy or suspended.',
  });
}

/** The failed checks of `/readyz`. */
function reasonsIn(body: string): readonly string[] {
  const checks = (fieldOf(body, 'checks') ?? {}) as Readonly<
    Record<string, { readonly ok: boolean; readonly reason: string }>
  >;
  return Object.entries(checks)
    .filter(([, { ok }]) => !ok)
    .map(([name, { reason }]) => `${name}: ${reason}`);
}

async function isFree(
  check: string,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<readonly Finding[]> {
  if (port === 0) return [];
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return [fine(check, `${host}:${port} is free.`)];
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const todo = 'Stop the program that uses the port, or choose another address or port.';
    return [wrong(check, `The service could not listen on ${host}:${port} (${code}).`, { todo })];
  } finally {
    server.close();
  }
}

import { once } from 'node:events';
import { createServer } from 'node:net';
import { hostname } from 'node:os';

import { isLoopbackHost, reachableUrl } from '../../lib/network/url-host.ts';
import type { StorePlace } from '../../store/contract/place.ts';
import type { LiveNode, NodeRecord } from '../../store/contract/nodes.ts';
import { StoreFault, type ClaimHolder } from '../../store/contract/store-fault.ts';
import type { Settings } from '../../config/settings/settings.ts';
import {
  answerWithinMs,
  ask,
  fieldOf,
  isBehind,
  type ListenerResponse,
} from '../../lib/network/ask.ts';
import { checkCertificate } from './check-certificate.ts';
import { checkPrices, checkSources, checkTakeOver } from './check-responses.ts';
import { fine, warning, wrong, type Finding } from '../../lib/reports/finding.ts';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Checks the nodes of a place that run on this machine, at the addresses on which they listen. If none
 * runs here, checks that a service could listen on the configured ports.
 */
export async function checkService(
  place: StorePlace,
  settings: Settings,
  now: number,
): Promise<readonly Finding[]> {
  const { host, port, privateHost, privatePort } = settings;
  const { name } = place;
  let nodes: readonly LiveNode[];
  let holder: ClaimHolder | undefined;
  try {
    nodes = await place.nodes.live();
    holder = await place.holder();
    if (nodes.length === 0 && holder !== undefined) return [notPublished(name)];
  } catch (fault) {
    if (!(fault instanceof StoreFault)) throw fault;
    return [
      warning('service', `Cannot determine whether a service runs on ${name}: ${fault.message}.`, {
        todo:
          place.kind === 'sqlite'
            ? 'Run the doctor as the user of the service.'
            : 'Solve the problem of the database, and run the doctor again.',
      }),
    ];
  }
  const here = nodes.filter((node) => node.host === hostname());
  const checks = await Promise.all(here.map((node) => checkRunning(name, node, now)));
  const elsewhere = nodes
    .filter((node) => !here.includes(node))
    .map((node) => fine('service', `Version ${node.version} runs on ${name}, on ${node.host}.`));
  const about =
    nodes.length === 0
      ? [checkInstalled(place)]
      : [
          ...checks.flat(),
          ...elsewhere,
          ...aboutWriter(place, nodes, holder),
          ...aboutAddresses(nodes),
        ];
  if (here.length > 0) return about;
  return [
    ...about,
    ...(await isFree('port', { host, port })),
    ...(await isFree('private port', { host: privateHost, port: privatePort })),
  ];
}

/** Which of several nodes writes. */
function aboutWriter(
  { kind }: StorePlace,
  nodes: readonly LiveNode[],
  holder: ClaimHolder | undefined,
): readonly Finding[] {
  if (kind === 'sqlite') return [];
  if (holder === undefined) {
    return [
      warning('claim', `None of ${nodes.length} nodes writes.`, {
        todo: 'Start a node with the role all or write. If one runs, search its log for "could not write, standing by".',
      }),
    ];
  }
  const { id = 'unknown', name = 'unknown', privateUrl } = holder;
  const at =
    privateUrl === undefined ? '' : ` It sends programs that push updates to ${privateUrl}.`;
  return [fine('claim', `Node ${id} on ${name} writes, of ${nodes.length} nodes.${at}`)];
}

/** Nodes on several machines whose public listener the others cannot reach, so that they cannot compare their health. */
function aboutAddresses(nodes: readonly LiveNode[]): readonly Finding[] {
  if (new Set(nodes.map(({ host }) => host)).size < 2) return [];
  const unreachable = nodes.filter(
    ({ advertisedUrl: url }) => url !== '' && isLoopbackHost(new URL(url).hostname),
  );
  if (unreachable.length === 0) return [];
  return [
    warning('addresses', 'Some nodes advertise an address that other machines cannot reach.', {
      todo: 'Set host, or advertise, to an address that the other nodes reach. They ask there whether the node reads the database.',
      cases: unreachable.map(({ host, advertisedUrl }) => `${host}: ${advertisedUrl}`),
    }),
  ];
}

function notPublished(name: string): Finding {
  return warning('service', `A service runs on ${name}, but has not published its addresses.`, {
    todo: 'If the service is starting or stopping, try again in a moment. Otherwise it is of an older version: restart it.',
  });
}

async function checkRunning(
  name: string,
  service: NodeRecord,
  now: number,
): Promise<readonly Finding[]> {
  const { pid, version } = service;
  const [ofPublic, ofPrivate] = await Promise.all([
    service.url === '' ? [] : checkPublic(service, now),
    checkPrivate(service, now),
  ]);
  return [
    fine('service', `Version ${version} runs on ${name}, process ${pid}.`),
    ...ofPublic,
    ...ofPrivate,
  ];
}

async function checkPublic(service: NodeRecord, now: number): Promise<readonly Finding[]> {
  const at = `${reachableUrl(service.url)}/healthz`;
  const answer = await answerOf('healthz', at, service, 'instancia');
  if (!('status' in answer)) return [answer];
  const health = isBehind(answer)
    ? wrong(
        'healthz',
        `${at} reports that this node is behind: it cannot read the database, and another node can.`,
        { todo: 'Check the network between this machine and the database.' },
      )
    : fine('healthz', `${at} reports no fault.`);
  const { certificate: served } = answer;
  const known = [health, checkPrices(answer.body)];
  if (served === undefined) return known;
  const { advertisedUrl, tlsCert } = service;
  return [...known, await checkCertificate({ served, at: advertisedUrl, file: tlsCert, now })];
}

async function checkPrivate(service: NodeRecord, now: number): Promise<readonly Finding[]> {
  const origin = reachableUrl(service.privateUrl);
  const health = await answerOf('readyz', `${origin}/healthz`, service, 'instance');
  if (!('status' in health)) return [health];
  const readiness = await checkReadiness(`${origin}/readyz`);
  const { certificate: served } = health;
  if (served === undefined) return readiness;
  const { advertisedPrivateUrl: at, privateTlsCert: file } = service;
  return [...readiness, await checkCertificate({ served, at, isFollowed: true, file, now })];
}

async function checkReadiness(at: string): Promise<readonly Finding[]> {
  try {
    const { status, body } = await ask(at);
    const ready =
      status === 200
        ? fine('readyz', `${at} reports no fault.`)
        : wrong('readyz', `${at} responds with status ${status}.`, {
            todo: 'The cases below give the reasons, such as a stale feed or a store that cannot be written.',
            cases: reasonsIn(body),
          });
    return [ready, ...checkSources(body), ...checkTakeOver(body)];
  } catch {
    return [noResponse('readyz', at)];
  }
}

/** The response of exactly this service, or the finding that says why there is none. */
async function answerOf(
  check: string,
  at: string,
  { instance, pid }: NodeRecord,
  field: string,
): Promise<ListenerResponse | Finding> {
  let answer: ListenerResponse;
  try {
    answer = await ask(at);
  } catch {
    return noResponse(check, at);
  }
  const { status, body } = answer;
  const isAlive = status === 200 || isBehind(answer);
  if (isAlive && fieldOf(body, field) === instance) return answer;
  if (isAlive) {
    return wrong(check, `${at} is served by another program than process ${pid}.`, {
      todo: 'Find the other program (ss -ltnp), and stop it or choose another port.',
    });
  }
  return wrong(check, `${at} responds with status ${status}.`, {
    todo: 'Check the log of the service.',
  });
}

function noResponse(check: string, at: string): Finding {
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

/** Where systemd searches units of the system, first those of the administrator. */
const systemUnits = [
  '/etc/systemd/system',
  '/run/systemd/system',
  '/usr/local/lib/systemd/system',
  '/usr/lib/systemd/system',
  '/lib/systemd/system',
];

/** The unit that `deploy/systemd` installs. */
const unitName = 'pizarra.service';

/**
 * Says that no service runs on a place. That is a warning where one is installed: systemd has a unit of it, or the
 * directory of the place has data.
 */
export function checkInstalled(
  { name, directory }: Pick<StorePlace, 'name' | 'directory'>,
  unitFolders: readonly string[] = systemUnits,
): Finding {
  const unit = unitFolders.map((folder) => join(folder, unitName)).find((path) => existsSync(path));
  if (unit !== undefined) {
    return warning('service', `No service runs on ${name}, and ${unit} is installed.`, {
      todo: 'Start it with "systemctl start pizarra". "systemctl status pizarra" and "journalctl -u pizarra" say why it ended.',
    });
  }
  if (directory !== undefined && hasFiles(directory)) {
    return warning('service', `No service runs on ${name}, which has data.`, {
      todo: 'Start it with "pizarra serve", unless it is stopped on purpose.',
    });
  }
  return fine('service', `No service runs on ${name}.`);
}

function hasFiles(directory: string): boolean {
  try {
    return readdirSync(directory).length > 0;
  } catch {
    // A directory that cannot be read is the subject of another check.
    return false;
  }
}

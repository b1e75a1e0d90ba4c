import { spawn, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { temporaryDirectory } from '../support/program/program.ts';
import { replaced } from '../support/program/proxy-programs.ts';
import { once, until } from '../support/wait.ts';
import { unusedPorts } from '../support/program/unused-ports.ts';

const examples = resolve(import.meta.dirname, '../../deploy/proxy');

/** The balancers for which `deploy/proxy` has a configuration. */
export type BalancerName = 'caddy' | 'nginx';

export const balancerNames: readonly BalancerName[] = ['caddy', 'nginx'];

/** A balancer in front of nodes. */
export interface Balancer extends AsyncDisposable {
  readonly url: string;
  /** Where programs push updates. Empty without private listeners behind the balancer. */
  readonly updatesUrl: string;
}

export function lacksBalancer(name: BalancerName): boolean {
  const [program, flag] = name === 'caddy' ? ['caddy', 'version'] : ['nginx', '-v'];
  return spawnSync(program, [flag], { env: programEnvironment() }).error !== undefined;
}

/** Starts a balancer with the project's own configuration, in front of other addresses and without TLS. */
export async function startBalancer(
  name: BalancerName,
  urls: readonly string[],
  /** The URLs of the private listeners. Only Caddy forwards updates. */
  privateUrls: readonly string[] = [],
): Promise<Balancer> {
  await using cleanUp = new AsyncDisposableStack();
  const { path: directory } = cleanUp.use(await temporaryDirectory());
  const [port = 0, updatesPort = 0] = await unusedPorts(2);
  const hosts = urls.map((url) => new URL(url).host);
  const privateHosts = privateUrls.map((url) => new URL(url).host);
  const configure = name === 'caddy' ? caddyCommand : nginxCommand;
  const [program = '', ...args] = await configure({
    directory,
    port,
    hosts,
    updatesPort,
    privateHosts,
  });
  const env = { ...programEnvironment(), HOME: directory };
  const child = spawn(program, args, { env, stdio: 'ignore' });
  cleanUp.defer(async () => {
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  await until('the balancer responds', async () => {
    try {
      await (await fetch(`${url}/healthz`)).arrayBuffer();
      return true;
    } catch {
      return false;
    }
  });
  const running = cleanUp.move();
  const updatesUrl = privateUrls.length === 0 ? '' : `http://127.0.0.1:${updatesPort}`;
  return { url, updatesUrl, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

interface BalancerPlaces {
  readonly directory: string;
  readonly port: number;
  /** Address and port of each node. */
  readonly hosts: readonly string[];
  readonly updatesPort: number;
  readonly privateHosts: readonly string[];
}

async function caddyCommand({
  directory,
  port,
  hosts,
  updatesPort,
  privateHosts,
}: BalancerPlaces): Promise<readonly string[]> {
  const [first = '', ...others] = hosts;
  // The addresses of the site for updates are no addresses of nodes if there are none.
  const [firstPrivate = '127.0.0.1:1', ...otherPrivate] = privateHosts;
  const [tls = ''] = (await example('Caddyfile.cluster')).split('\nhttp://');
  const config = replaced(tls, [
    ['{$PIZARRA_DOMAIN:localhost} {', `http://127.0.0.1:${port} {`],
    ['{$PIZARRA_DOMAIN:localhost}:8443 {', `http://127.0.0.1:${updatesPort} {`],
    ['node1:8081', firstPrivate],
    ['node2:8081', otherPrivate.join(' ')],
    ['node1:8080', first],
    // More nodes are named beside the second one.
    ['node2:8080', others.join(' ')],
    [/^\{$/gm, '{\n\tadmin off\n\tauto_https off'],
  ]);
  const file = join(directory, 'Caddyfile');
  await writeFile(file, config);
  return ['caddy', 'run', '--adapter', 'caddyfile', '--config', file];
}

async function nginxCommand({
  directory,
  port,
  hosts,
}: BalancerPlaces): Promise<readonly string[]> {
  const [first = '', ...others] = hosts;
  const [tls = ''] = (await example('nginx.cluster.conf')).split('\nserver {\n  listen 80;');
  const config = replaced(tls, [
    ['node1:8080', first],
    [/^ *server node2:8080(.*)$/gm, others.map((host) => `  server ${host}$1`).join('\n')],
    [/^ *listen \[::\].*$/gm, ''],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port};`],
    [/^ *ssl_certificate.*;$/gm, ''],
  ]);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(directory, name)};`,
  );
  const file = join(directory, 'nginx.conf');
  // Several worker processes, as an installation has.
  await writeFile(
    file,
    `daemon off; pid ${join(directory, 'pid')}; error_log stderr; worker_processes 2; events {}
http { access_log off; ${paths.join(' ')}
${config} }`,
  );
  return ['nginx', '-e', 'stderr', '-p', directory, '-c', file];
}

function example(name: string): Promise<string> {
  return readFile(join(examples, name), 'utf8');
}

function programEnvironment(): NodeJS.ProcessEnv {
  return { PATH: `${process.env['PATH']}:/usr/sbin` };
}

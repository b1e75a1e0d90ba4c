import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { makeCertificate } from './make-certificate.ts';
import { temporaryDirectory } from './program.ts';
import { unusedPort } from './unused-ports.ts';
import { once } from '../wait.ts';

const examples = resolve(import.meta.dirname, '../../../deploy/proxy');

/** How often a program that starts is tried, and for how long at most. */
const tryPauseMs = 20;
const startMsMax = 180_000;

/** A real proxy with the configuration of `deploy/proxy`, in front of a local port. */
export interface RunningProxy extends AsyncDisposable {
  readonly httpsPort: number;
  readonly httpPort: number;
  /** What the proxy has logged so far: its responses and its errors. */
  readonly logs: () => Promise<{ readonly responses: string; readonly errors: string }>;
}

/** The proxies for which `deploy/proxy` has a configuration. */
export type ProxyName = 'nginx' | 'nginx.cluster' | 'caddy';

/** The ports and files of a proxy under test. */
export interface ProxyPlaces {
  readonly directory: string;
  readonly upstreamPort: number;
  readonly httpsPort: number;
  readonly httpPort: number;
  /** Where nginx logs its responses. By default it does not. */
  readonly accessLog?: string;
}

/** Replaces texts of an example configuration. Fails when one of them is missing. */
export function replaced(
  text: string,
  pairs: readonly (readonly [string | RegExp, string])[],
): string {
  let result = text;
  for (const [from, to] of pairs) {
    const next = result.replaceAll(from, to);
    if (next === result) throw new Error(`the example has no ${String(from)}`);
    result = next;
  }
  return result;
}

function ifNoKey(accessLog: string): string {
  return `access_log ${accessLog} combined if=$pizarra_logged;`;
}

/**
 * The command of nginx with the project's own configuration, and the files that it reads.
 *
 * @param example the configuration. In that of a cluster, all nodes are the same upstream.
 */
export async function nginxCommand(
  places: ProxyPlaces,
  example: 'nginx' | 'nginx.cluster' = 'nginx',
): Promise<readonly string[]> {
  const { directory, upstreamPort, httpsPort, httpPort, accessLog = 'off' } = places;
  const text = await readFile(join(examples, `${example}.conf`), 'utf8');
  const adapted = replaced(text, [
    [/^ *listen \[::\].*$/gm, ''],
    ['listen 443 ', `listen 127.0.0.1:${httpsPort} `],
    ['listen 80;', `listen 127.0.0.1:${httpPort};`],
    [/server (?:127\.0\.0\.1|node\d):8080/g, `server 127.0.0.1:${upstreamPort}`],
    [/ssl_certificate .*;/g, `ssl_certificate ${join(directory, 'cert.pem')};`],
    [/ssl_certificate_key .*;/g, `ssl_certificate_key ${join(directory, 'key.pem')};`],
    // As the example says for keys in URLs, with the log of the test.
    [/# access_log \S+ combined if=.*;/g, accessLog === 'off' ? '' : ifNoKey(accessLog)],
  ]);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(directory, name)};`,
  );
  const main = join(directory, 'nginx.conf');
  await writeFile(
    main,
    `daemon off; master_process off; pid ${join(directory, 'pid')}; error_log stderr; events {}
http { access_log ${accessLog}; ${paths.join(' ')}
${adapted} }`,
  );
  return ['nginx', '-e', 'stderr', '-p', directory, '-c', main];
}

async function caddyCommand(places: ProxyPlaces): Promise<readonly string[]> {
  const { directory, upstreamPort, httpsPort, httpPort } = places;
  const text = await readFile(join(examples, 'Caddyfile'), 'utf8');
  const pair = `${join(directory, 'cert.pem')} ${join(directory, 'key.pem')}`;
  const example = replaced(text, [
    [/^cotizaciones\.example\.com \{/gm, `https://localhost:${httpsPort} {\n\ttls ${pair}`],
    [/^http:\/\/cotizaciones\.example\.com \{/gm, `http://localhost:${httpPort} {`],
    ['127.0.0.1:8080', `127.0.0.1:${upstreamPort}`],
    [/^\{$/gm, '{\n\tadmin off\n\tauto_https off\n\tdefault_bind 127.0.0.1'],
    // As an operator who wants a log adds it.
    [/^\theader Strict.*$/gm, `$&\n\tlog {\n\t\toutput file ${places.accessLog}\n\t}`],
  ]);
  const file = join(directory, 'Caddyfile');
  await writeFile(file, example);
  return ['caddy', 'run', '--adapter', 'caddyfile', '--config', file];
}

/**
 * Starts a proxy. Undefined when the proxy or OpenSSL is not installed.
 *
 * @throws when it does not listen in time.
 */
export async function startProxy(
  name: ProxyName,
  upstreamPort: number,
): Promise<RunningProxy | undefined> {
  const pair = makeCertificate();
  if (pair === undefined) return undefined;
  await using cleanUp = new AsyncDisposableStack();
  const { path: directory } = cleanUp.use(await temporaryDirectory());
  await writeFile(join(directory, 'cert.pem'), pair.cert);
  await writeFile(join(directory, 'key.pem'), pair.key);
  const [httpsPort, httpPort] = [await unusedPort(), await unusedPort()];
  const accessLog = join(directory, 'access.log');
  const places = { directory, upstreamPort, httpsPort, httpPort, accessLog };
  const [program = '', ...args] = await (name === 'caddy'
    ? caddyCommand(places)
    : nginxCommand(places, name));
  const env = { PATH: `${process.env['PATH']}:/usr/sbin`, HOME: directory };
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const output: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  if (!(await isStarted(child))) return undefined;
  cleanUp.defer(() => end(child));
  for (const port of [httpsPort, httpPort]) await listens(port, child, output);
  const running = cleanUp.move();
  const logs = async () => ({
    // Caddy creates it with the first line.
    responses: existsSync(accessLog) ? await readFile(accessLog, 'utf8') : '',
    errors: output.join(''),
  });
  return { httpsPort, httpPort, logs, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Whether the program exists. `once` rejects on 'error', which is how a missing program is reported. */
async function isStarted(child: ChildProcess): Promise<boolean> {
  try {
    await once(child, 'spawn');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'close');
}

/** Waits until a program listens on a port. A proxy gives no event to wait for. */
async function listens(
  port: number,
  child: ChildProcess,
  output: readonly string[],
): Promise<void> {
  for (const begun = performance.now(); performance.now() - begun < startMsMax;) {
    if (child.exitCode !== null) break;
    const socket = connect({ port, host: '127.0.0.1' });
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isOpen) return;
    await delay(tryPauseMs);
  }
  throw new Error(`the proxy does not listen: ${output.join('')}`);
}

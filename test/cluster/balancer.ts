import { spawn, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { temporaryDirectory } from '../support/program.ts';
import { once, until } from '../support/wait.ts';
import { unusedPorts } from './unused-ports.ts';

const example = resolve(import.meta.dirname, '../../deploy/proxy/Caddyfile.cluster');

/** A balancer in front of nodes. */
export interface Balancer extends AsyncDisposable {
  readonly url: string;
}

export function lacksCaddy(): boolean {
  return spawnSync('caddy', ['version']).error !== undefined;
}

/** Starts Caddy with the project's own configuration, in front of other addresses and without TLS. */
export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  await using cleanUp = new AsyncDisposableStack();
  const { path: directory } = cleanUp.use(await temporaryDirectory());
  const [port] = await unusedPorts(1);
  const text = await readFile(example, 'utf8');
  const [tls = ''] = text.split('\nhttp://');
  const hosts = urls.map((url) => new URL(url).host).join(' ');
  const config = tls
    .replace('{$PIZARRA_DOMAIN:localhost} {', `http://127.0.0.1:${port} {`)
    .replace('node1:8080 node2:8080', hosts);
  if (!config.includes(hosts) || !config.includes(`:${port} {`)) {
    throw new Error('the example has another form');
  }
  const file = join(directory, 'Caddyfile');
  await writeFile(file, `{\n\tadmin off\n\tauto_https off\n}\n${config}`);
  const args = ['run', '--adapter', 'caddyfile', '--config', file];
  const env = { PATH: process.env['PATH'], HOME: directory };
  const child = spawn('caddy', args, { env, stdio: 'ignore' });
  cleanUp.defer(async () => {
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  await until('the balancer responds', async () => {
    try {
      return (await fetch(`${url}/healthz`)).ok;
    } catch {
      return false;
    }
  });
  const running = cleanUp.move();
  return { url, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

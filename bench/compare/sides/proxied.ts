import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { nginxCommand } from '../../../test/support/program/proxy-programs.ts';
import { cores, PinnedProcess } from '../../support/pinned-process.ts';
import { writeCertificate } from '../cases/certificate.ts';
import { unusedPort } from '../../../test/support/program/unused-ports.ts';
import type { RunningSide } from '../cases/side.ts';

/**
 * Starts nginx in front of a side, with the configuration of `deploy/proxy/nginx.conf`: it terminates TLS and
 * keeps 64 connections to the side open. It runs on the core of the load, and its processor time is not
 * counted. Disposing it also stops the side.
 */
export async function behindNginx<T extends RunningSide>(side: T, scratch: string): Promise<T> {
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.use(side);
  const directory = await mkdtemp(join(scratch, 'proxy-'));
  await writeCertificate(directory);
  const [httpsPort, httpPort] = [await unusedPort(), await unusedPort()];
  const upstreamPort = Number(new URL(side.origin).port);
  const places = { directory, upstreamPort, httpsPort, httpPort };
  const [command = '', ...args] = await nginxCommand(places);
  const env = { PATH: `${process.env['PATH']}:/usr/sbin` };
  const proxy = cleanUp.use(new PinnedProcess({ core: cores.load, command, args, env }));
  await proxy.listens(httpsPort);
  const running = cleanUp.move();
  return {
    ...side,
    origin: `https://127.0.0.1:${httpsPort}`,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join, resolve } from 'node:path';
import { unusedPort } from '../../../test/support/program/unused-ports.ts';
import { cores, PinnedProcess } from '../../support/pinned-process.ts';
import { ask } from '../cases/ask.ts';
import { contractTarget } from '../cases/cases.ts';
import { sameBytes, type RunningSide, type Setup } from '../cases/side.ts';
import type { Http2Answer } from './servers/http2-answer.ts';

const program = resolve(import.meta.dirname, 'servers/bare-http2-server.ts');

/** The name and the title of this side in tables. */
export const bareHttp2 = { name: 'http2', title: 'node:http2, twenty lines' } as const;

/**
 * The limit of the runtime over HTTP/2: a server of twenty lines on `node:http2` that looks up the target and
 * sends the heads and bodies of Pizarra. Our time beyond it is that of our own code.
 *
 * @param own Pizarra over TLS, which is asked for its heads.
 */
export async function startBareHttp2(
  own: RunningSide,
  { answers, scratch, certificate }: Setup,
): Promise<RunningSide> {
  if (certificate === undefined) throw new Error('openssl is not installed. The bench needs it.');
  const directory = join(scratch, 'bare-http2');
  await mkdir(directory);
  await copyFile(certificate.cert, join(directory, 'cert.pem'));
  await copyFile(certificate.key, join(directory, 'key.pem'));
  const targets = new Set([...answers.values()].map(({ target }) => target));
  const index: Http2Answer[] = [];
  for (const target of targets) {
    const authorization = `Bearer ${own.key}`;
    const whole = await ask(own.origin + target, { authorization });
    const etag = whole.headers.etag ?? '';
    const unchanged = await ask(own.origin + target, { authorization, 'if-none-match': etag });
    index.push({
      target,
      head: headOf(whole.status, whole.headers),
      unchangedHead: headOf(unchanged.status, unchanged.headers),
      body: whole.body.toString('base64'),
    });
  }
  await writeFile(join(directory, 'index.json'), JSON.stringify(index));
  const port = await unusedPort();
  const child = new PinnedProcess({
    core: cores.server,
    command: process.execPath,
    args: [program, directory, String(port)],
    env: { BENCH_KEY: own.key },
  });
  await child.listens(port);
  return {
    origin: `https://127.0.0.1:${port}`,
    key: own.key,
    pids: [child.pid],
    version: `Node ${process.versions.node}`,
    target: contractTarget,
    agrees: sameBytes,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

/** The fields of a head over HTTP/1.1 as those of HTTP/2 (RFC 9113 8.2.2). */
function headOf(status: number, headers: IncomingHttpHeaders): Record<string, string | number> {
  const { connection: _c, 'keep-alive': _k, date: _d, ...fields } = headers;
  return { ':status': status, ...(fields as Record<string, string>) };
}

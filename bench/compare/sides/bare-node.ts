import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { cores, PinnedProcess } from '../../support/pinned-process.ts';
import { contractTarget } from '../cases/cases.ts';
import { unusedPort } from '../../../test/support/program/unused-ports.ts';
import { sameBytes, type RunningSide, type Setup, type Side } from '../cases/side.ts';

const program = resolve(import.meta.dirname, 'servers/bare-node-server.ts');

/**
 * The limit of the runtime: a handler on `node:http` that looks up the request line and sends fixed bytes. Our
 * time beyond it is that of our own code. Its time beyond nginx is that of Node.
 */
export const bareNodeSide: Side = {
  name: 'node',
  title: 'node:http, fixed answers',
  missing: async () => undefined,
  start: startBareNode,
};

async function startBareNode({ answers, key, scratch }: Setup): Promise<RunningSide> {
  const directory = join(scratch, 'bare-node');
  await mkdir(directory);
  const index: Record<string, string> = {};
  for (const [name, { target, body }] of answers) {
    await writeFile(join(directory, `${name}.json`), body);
    await writeFile(join(directory, `${name}.json.gz`), gzipSync(body));
    index[target] = `${name}.json`;
  }
  await writeFile(join(directory, 'index.json'), JSON.stringify(index));
  const port = await unusedPort();
  const child = new PinnedProcess({
    core: cores.server,
    command: process.execPath,
    args: [program, directory, String(port)],
    env: { BENCH_KEY: key },
  });
  await child.listens(port);
  return {
    origin: `http://127.0.0.1:${port}`,
    key,
    pids: [child.pid],
    version: `Node ${process.versions.node}`,
    target: contractTarget,
    agrees: sameBytes,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

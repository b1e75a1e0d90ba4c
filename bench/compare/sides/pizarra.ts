import { join, resolve } from 'node:path';

import { createKey } from '../../../src/node/keys/keys.ts';
import { cores, PinnedProcess } from '../../support/pinned-process.ts';
import { contractTarget } from '../cases/cases.ts';
import { copyDataset, type Dataset } from '../cases/dataset.ts';
import { unusedPort } from '../../../test/support/program/unused-ports.ts';
import { sameBytes, type RunningSide, type UpdateTarget } from '../cases/side.ts';
import type { CertificateFiles } from '../../../src/node/listeners/open-transport.ts';

const launcher = resolve(import.meta.dirname, '../../../bin/pizarra');

/** Pizarra, started as an operator does, on a copy of the dataset. */
export interface OwnSide extends RunningSide {
  readonly updates: UpdateTarget;
  /** Seconds from starting the program until the first response of its listener. */
  readonly secondsToReady: number;
}

/** Options of a start. */
interface StartOptions {
  readonly nodeOptions?: readonly string[];
  /** With a certificate, the public listener uses TLS. */
  readonly certificate?: CertificateFiles;
  readonly isBehindProxy?: boolean;
}

/** Starts `pizarra serve` on the server's core. Like the rivals, it logs no requests. */
export async function startPizarra(
  dataset: Dataset,
  dataDirectory: string,
  { nodeOptions = [], certificate, isBehindProxy = false }: StartOptions = {},
): Promise<OwnSide> {
  await copyDataset(dataset, dataDirectory);
  const { key } = await createKey(dataDirectory, { name: 'bench', scope: 'read' });
  const port = await unusedPort();
  const privatePort = await unusedPort();
  const transport = [
    ...(certificate === undefined
      ? []
      : ['--tls-cert', certificate.cert, '--tls-key', certificate.key]),
    ...(isBehindProxy ? ['--behind-proxy', '127.0.0.1'] : []),
  ];
  const started = performance.now();
  const child = new PinnedProcess({
    core: cores.server,
    command: launcher,
    env: { NODE_OPTIONS: nodeOptions.join(' ') },
    args: [
      'serve',
      '--store',
      dataDirectory,
      '--universe',
      dataset.universeDirectory,
      '--port',
      String(port),
      '--log-level',
      'warn',
      '--private-port',
      String(privatePort),
      ...transport,
    ],
  });
  await child.listens(port);
  const secondsToReady = (performance.now() - started) / 1e3;
  const updates = await ownUpdates(dataDirectory, `http://127.0.0.1:${privatePort}/updates`);
  return {
    key,
    secondsToReady,
    pids: [child.pid],
    origin: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    version: `Node ${process.versions.node}`,
    target: contractTarget,
    agrees: sameBytes,
    updates,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

/** The path of a data directory of a run. */
export function dataDirectoryIn(scratch: string, name: string): string {
  return join(scratch, `data-${name}`);
}

async function ownUpdates(dataDirectory: string, url: string): Promise<UpdateTarget> {
  const { key } = await createKey(dataDirectory, { name: 'bench feed', scope: 'ingest' });
  return { url, authorization: `Bearer ${key}`, format: 'ndjson' };
}

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { NodeRecord } from '../../contract/nodes.ts';

/**
 * The file `serve.json` of a data directory, in which the running service publishes itself. It is replaced
 * atomically, and removed when the service stops. A killed service leaves it behind, so it only counts
 * while the directory is claimed, and a reader must check that this instance responds.
 */
export function writeServiceRecord(directory: string, node: NodeRecord): void {
  const path = pathIn(directory);
  const unfinished = `${path}.unfinished`;
  writeFileSync(unfinished, `${JSON.stringify(node)}\n`, { mode: 0o600 });
  renameSync(unfinished, path);
}

/** Removes the file. A file that cannot be removed is harmless, because its instance no longer responds. */
export function removeServiceRecord(directory: string): void {
  try {
    rmSync(pathIn(directory), { force: true });
  } catch {
    // The store reports a failing disk.
  }
}

/** Reads the file. Gives undefined when it does not exist or is not valid. */
export function readServiceRecord(directory: string): NodeRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(pathIn(directory), 'utf8'));
    return isNodeRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isNodeRecord(value: unknown): value is NodeRecord {
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Record<string, unknown>;
  const { instance, role, host, version, pid, tlsCert, privateTlsCert } = record;
  const texts = [instance, role, host, version, tlsCert, privateTlsCert];
  const { url, privateUrl, advertisedUrl, advertisedPrivateUrl } = record;
  const urls = [url, privateUrl, advertisedUrl, advertisedPrivateUrl];
  return (
    typeof pid === 'number' &&
    texts.every((text) => typeof text === 'string') &&
    urls.every((one) => typeof one === 'string' && URL.canParse(one))
  );
}

function pathIn(directory: string): string {
  return join(directory, 'serve.json');
}

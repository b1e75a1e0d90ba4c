import { readFile } from 'node:fs/promises';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { isWellFormedKey } from '../auth/api-key.ts';
import { createAgentServer } from '../mcp/agent-server.ts';
import { ServiceClient } from '../mcp/service-client.ts';
import { UsageFault } from '../lib/reports/operator-fault.ts';

/** Where the service is, and where its key comes from. */
export interface AgentOptions {
  /** The root of the public listener, base path included. */
  readonly url: string;
  /** A file with the key. It has precedence over `key`. */
  readonly keyFile: string | undefined;
  readonly key: string | undefined;
  readonly version: string;
  /** Receives faults of the connection to the host. */
  readonly onFault: (fault: Error) => void;
}

/**
 * Serves the Model Context Protocol on standard input and output until the input ends. The service need
 * not run yet: a tool reports when it does not respond.
 *
 * @throws UsageFault when the URL would expose the key, or no well-formed key is given.
 */
export async function serveAgents({
  url,
  keyFile,
  key,
  version,
  onFault,
}: AgentOptions): Promise<void> {
  checkUrl(url);
  const client = new ServiceClient({ url, key: await readKey(keyFile, key) });
  serveStdio(() => createAgentServer(client, version), { onerror: onFault });
}

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** A key crosses a network only within TLS (contract 5.3). */
function checkUrl(text: string): void {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '') {
    throw new UsageFault(
      `--url cannot be ${JSON.stringify(text)}. Valid: the address of the public listener, such as https://quotes.example.com.`,
    );
  }
  if (url.protocol === 'https:' || loopback.test(url.hostname)) return;
  throw new UsageFault(
    `--url cannot be ${JSON.stringify(text)}: plain HTTP would expose the key on the network. Use https://.`,
  );
}

async function readKey(file: string | undefined, key: string | undefined): Promise<string> {
  const given = (file === undefined ? key : await readKeyFile(file))?.trim();
  const origin = file === undefined ? 'PIZARRA_KEY' : `The file ${file}`;
  if (given === undefined || given === '') {
    throw new UsageFault(
      `${origin} has no key. Create one with "pizarra keys create --name agent", and set PIZARRA_KEY or --key-file.`,
    );
  }
  if (isWellFormedKey(given, 'header')) return given;
  throw new UsageFault(`${origin} has no valid key. A key of the scope read begins with pz_.`);
}

async function readKeyFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (fault) {
    const reason = fault instanceof Error ? fault.message : String(fault);
    throw new UsageFault(`The key file cannot be read: ${reason}.`, { cause: fault });
  }
}

import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createAgentServer } from '../mcp/agent-server.ts';
import { openService } from '../mcp/service.ts';
import { checkServiceUrl, readClientKey } from './client-access.ts';

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
  checkServiceUrl(url, '--url');
  const own = await readClientKey({ keyFile, key, create: 'pizarra keys create --name agent' });
  const service = openService({ url, key: own });
  serveStdio(() => createAgentServer(service, version), { onerror: onFault });
}

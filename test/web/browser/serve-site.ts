import { createServer } from 'node:http';

import { once } from '../../support/wait.ts';

/** A file of a site: its media type, and its text. */
export type SiteFile = readonly [type: string, text: string];

/** A site of another origin than the service. */
export interface Site extends AsyncDisposable {
  readonly origin: string;
}

/** Serves files by their paths on a free port. */
export async function serveSite(files: ReadonlyMap<string, SiteFile>): Promise<Site> {
  const server = createServer(({ url = '' }, response) => {
    const [type, text] = files.get(url) ?? [];
    if (type === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

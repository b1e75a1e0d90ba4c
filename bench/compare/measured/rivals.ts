import { mkdir, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { unusedPort } from '../../../test/support/program/unused-ports.ts';
import { ask } from '../../support/ask.ts';
import { cores, PinnedProcess, whichProgram } from '../../support/pinned-process.ts';
import type { Carrier, Server, Setting } from './checkout.ts';

/** A response of the service, which the rivals serve as well. */
export interface FixedResponse {
  readonly target: string;
  readonly head: Readonly<Record<string, string | number>>;
  readonly unchangedHead: Readonly<Record<string, string | number>>;
  /** Name of the file with the body. Beside it is the same with gzip. */
  readonly file: string;
}

/** A server that serves the responses of the service from memory or from files. */
export interface Rival {
  readonly name: string;
  readonly carriers: readonly Carrier[];
  start(carrier: Carrier, fixed: FixedResponses, setting: Setting): Promise<Server>;
}

/** The responses, in a folder. */
export interface FixedResponses {
  readonly folder: string;
  readonly key: string;
  readonly all: readonly FixedResponse[];
}

/** Stores the responses of a service to some targets. */
export async function fixResponses(
  { url, key }: Server,
  targets: readonly string[],
  { scratch }: Setting,
): Promise<FixedResponses> {
  const folder = join(scratch, 'fixed');
  await mkdir(folder, { recursive: true });
  const all: FixedResponse[] = [];
  for (const [at, target] of targets.entries()) {
    const authorization = `Bearer ${key}`;
    const whole = await ask(url + target, { authorization });
    if (whole.status !== 200) throw new Error(`${target} got ${whole.status}`);
    const conditional = { authorization, 'if-none-match': whole.headers.etag ?? '' };
    const unchanged = await ask(url + target, conditional);
    const file = `${at}.json`;
    await writeFile(join(folder, file), whole.body);
    await writeFile(join(folder, `${file}.gz`), gzipSync(whole.body));
    const [head, unchangedHead] = [fieldsOf(whole.headers), fieldsOf(unchanged.headers)];
    all.push({ target, head, unchangedHead, file });
  }
  return { folder, key, all };
}

/** The fields of a head that belong to the response, and not to its connection. */
function fieldsOf(headers: IncomingHttpHeaders): Record<string, string> {
  const { connection: _c, 'keep-alive': _k, date: _d, ...fields } = headers;
  return fields as Record<string, string>;
}

/**
 * nginx with one worker serves the bodies as files, after comparing the Authorization header. Open files are cached,
 * the gzip form is precompressed, and nothing is logged.
 */
const nginx: Rival = {
  name: 'nginx',
  carriers: ['http', 'tls'],
  start: async (carrier, fixed, setting) => {
    const command = await whichProgram('nginx');
    if (command === undefined) throw new Error('nginx is not installed (Debian: nginx-light)');
    const port = await unusedPort();
    const folder = join(setting.scratch, `nginx-${carrier}`);
    await mkdir(folder);
    const configuration = join(folder, 'nginx.conf');
    const tls = carrier === 'tls' ? setting.certificate : undefined;
    await writeFile(configuration, nginxText({ folder, port, fixed, tls }));
    const program = new PinnedProcess({
      core: cores.server,
      command,
      args: ['-c', configuration, '-p', folder, '-e', join(folder, 'error.log')],
      stopSignal: 'SIGQUIT',
    });
    return listening(program, { carrier, port, fixed });
  },
};

/** A server of twenty lines on the same Node: what it takes less is our own code. Over TLS it speaks HTTP/2 alone. */
const bareNode: Rival = {
  name: 'node',
  carriers: ['http', 'tls'],
  start: async (carrier, fixed, { certificate }) => {
    const port = await unusedPort();
    await writeFile(join(fixed.folder, 'index.json'), JSON.stringify(fixed.all));
    const tls = carrier === 'tls' ? [certificate.cert, certificate.key] : [];
    const program = new PinnedProcess({
      core: cores.server,
      command: process.execPath,
      args: [join(import.meta.dirname, 'bare-server.ts'), fixed.folder, String(port), ...tls],
      env: { BENCH_KEY: fixed.key },
    });
    return listening(program, { carrier, port, fixed });
  },
};

export const rivals: readonly Rival[] = [nginx, bareNode];

async function listening(
  program: PinnedProcess,
  of: { readonly carrier: Carrier; readonly port: number; readonly fixed: FixedResponses },
): Promise<Server> {
  await program.listens(of.port);
  return {
    pid: program.pid,
    url: `${of.carrier === 'tls' ? 'https' : 'http'}://127.0.0.1:${of.port}`,
    key: of.fixed.key,
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

function nginxText({
  folder,
  port,
  fixed,
  tls,
}: {
  readonly folder: string;
  readonly port: number;
  readonly fixed: FixedResponses;
  readonly tls: Setting['certificate'] | undefined;
}): string {
  const entries = fixed.all.map(({ target, file }) => `    "${target}" "${file}";`);
  const paths = new Set(fixed.all.map(({ target }) => target.split('?')[0] ?? ''));
  const locations = Array.from(
    paths,
    (path) => `    location = ${path} { alias ${fixed.folder}/$file; }`,
  );
  const certificate =
    tls === undefined ? '' : `ssl_certificate ${tls.cert}; ssl_certificate_key ${tls.key};`;
  // For root, nginx would run its worker as nobody, who cannot read the files.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  return `${user}
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  default_type "application/json; charset=utf-8";
  types { }
  sendfile on;
  tcp_nopush on;
  tcp_nodelay on;
  keepalive_requests 1000000000;
  keepalive_timeout 600s;
  open_file_cache max=1000 inactive=600s;
  open_file_cache_valid 600s;
  gzip_static on;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  map_hash_bucket_size 256;
  map $request_uri $file {
    default "none";
${entries.join('\n')}
  }
  server {
    listen 127.0.0.1:${port} ${tls === undefined ? '' : 'ssl http2'};
    ${certificate}
    if ($http_authorization != "Bearer ${fixed.key}") { return 401; }
    add_header Cache-Control "private, no-cache";
${locations.join('\n')}
    location / { return 404; }
  }
}
`;
}

import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

import { cores, PinnedProcess, whichProgram } from '../../support/pinned-process.ts';
import { contractTarget, streamTarget } from '../cases/cases.ts';
import { unusedPort } from '../../../test/support/program/unused-ports.ts';
import {
  sameBytes,
  type OwnAnswer,
  type RunningSide,
  type Setup,
  type Side,
} from '../cases/side.ts';
import type { CertificateFiles } from '../../../src/node/listeners/open-transport.ts';

const run = promisify(execFile);

/** The file for the target of streams. It only has the first event. */
const streamFile = 'stream.json';

/**
 * The limit: nginx with one worker serves Pizarra's responses as files, for the same request lines, after
 * comparing the Authorization header. Open files are cached, the gzip form is precompressed, and nothing is
 * logged.
 */
export const nginxSide: Side = {
  name: 'nginx',
  title: 'nginx, static files',
  missing: async () =>
    (await whichProgram('nginx')) === undefined ? 'nginx (Debian: nginx-light)' : undefined,
  start: startNginx,
};

/** Starts nginx. With a certificate, it also has a listener with TLS and HTTP/2. */
async function startNginx({ answers, key, scratch, certificate }: Setup): Promise<RunningSide> {
  const command = (await whichProgram('nginx')) ?? 'nginx';
  const directory = await mkdtemp(join(scratch, 'nginx-'));
  // The worker may run as another user.
  await chmod(directory, 0o755);
  const files = join(directory, 'files');
  await mkdir(files);
  const byTarget = new Map<string, string>();
  for (const [index, answer] of uniqueAnswers(answers).entries()) {
    const name = `${index}.json`;
    await writeFile(join(files, name), answer.body);
    await writeFile(join(files, `${name}.gz`), gzipSync(answer.body));
    byTarget.set(answer.target, name);
  }
  await writeFile(join(files, streamFile), 'event: cotizaciones\ndata: []\n\n');
  byTarget.set(streamTarget, streamFile);
  const port = await unusedPort();
  const tls = certificate === undefined ? undefined : { certificate, port: await unusedPort() };
  const configuration = join(directory, 'nginx.conf');
  await writeFile(configuration, configurationText({ directory, files, port, tls, key, byTarget }));
  const child = new PinnedProcess({
    core: cores.server,
    command,
    args: ['-c', configuration, '-p', directory, '-e', join(directory, 'error.log')],
    stopSignal: 'SIGQUIT',
  });
  await child.listens(port);
  const { stderr } = await run(command, ['-v']);
  return {
    origin: `http://127.0.0.1:${port}`,
    ...(tls === undefined ? {} : { secureOrigin: `https://127.0.0.1:${tls.port}` }),
    key,
    pids: [child.pid],
    version: stderr.trim().replace('nginx version: ', ''),
    target: contractTarget,
    agrees: sameBytes,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

function uniqueAnswers(answers: ReadonlyMap<string, OwnAnswer>): readonly OwnAnswer[] {
  return [...new Map([...answers.values()].map((one) => [one.target, one])).values()];
}

function configurationText({
  directory,
  files,
  port,
  tls,
  key,
  byTarget,
}: {
  readonly directory: string;
  readonly files: string;
  readonly port: number;
  readonly key: string;
  readonly tls: { readonly certificate: CertificateFiles; readonly port: number } | undefined;
  readonly byTarget: ReadonlyMap<string, string>;
}): string {
  const entries = [...byTarget].map(([target, name]) => `    "${target}" "${name}";`).join('\n');
  const paths = new Set([...byTarget.keys()].map((target) => target.split('?')[0] ?? ''));
  const locations = [...paths]
    .map((path) => `    location = ${path} { alias ${files}/$file; }`)
    .join('\n');
  const listenTls =
    tls === undefined
      ? ''
      : `listen 127.0.0.1:${tls.port} ssl http2;
    ssl_certificate ${tls.certificate.cert};
    ssl_certificate_key ${tls.certificate.key};
    ssl_protocols TLSv1.2 TLSv1.3;`;
  // For root, nginx would run its worker as nobody, who cannot read the files.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  return `${user}
daemon off;
worker_processes 1;
pid ${directory}/nginx.pid;
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
  client_body_temp_path ${directory}/body;
  proxy_temp_path ${directory}/proxy;
  fastcgi_temp_path ${directory}/fastcgi;
  uwsgi_temp_path ${directory}/uwsgi;
  scgi_temp_path ${directory}/scgi;
  map_hash_bucket_size 256;
  map $request_uri $file {
    default "none";
${entries}
  }
  server {
    listen 127.0.0.1:${port};
    ${listenTls}
    if ($http_authorization != "Bearer ${key}") { return 401; }
    add_header Cache-Control "private, no-cache";
${locations}
    location / { return 404; }
  }
}
`;
}

import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { cores, PinnedProcess, whichProgram } from '../../support/pinned-process.ts';
import { contractTarget } from '../cases.ts';
import { freePort } from '../free-port.ts';
import { sameBytes } from '../side.ts';
import type { OwnAnswer, RunningSide, Setup, Side } from '../side.ts';

const run = promisify(execFile);

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

async function startNginx({ answers, key, scratch }: Setup): Promise<RunningSide> {
  const command = (await whichProgram('nginx')) ?? 'nginx';
  const directory = join(scratch, 'nginx');
  const files = join(directory, 'files');
  await mkdir(files, { recursive: true });
  const byArguments = new Map<string, string>();
  for (const [index, answer] of uniqueAnswers(answers).entries()) {
    const name = `${index}.json`;
    await writeFile(join(files, name), answer.body);
    await writeFile(join(files, `${name}.gz`), gzipSync(answer.body));
    byArguments.set(answer.target.slice(answer.target.indexOf('?') + 1), name);
  }
  const port = await freePort();
  const configuration = join(directory, 'nginx.conf');
  await writeFile(configuration, configurationText({ directory, files, port, key, byArguments }));
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
  key,
  byArguments,
}: {
  readonly directory: string;
  readonly files: string;
  readonly port: number;
  readonly key: string;
  readonly byArguments: ReadonlyMap<string, string>;
}): string {
  const entries = [...byArguments].map(([query, name]) => `    "${query}" "${name}";`).join('\n');
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
  map $args $file {
    default "none";
${entries}
  }
  server {
    listen 127.0.0.1:${port};
    if ($http_authorization != "Bearer ${key}") { return 401; }
    add_header Cache-Control "private, no-cache";
    location = /cotizaciones { alias ${files}/$file; }
    location = /historicos { alias ${files}/$file; }
  }
}
`;
}

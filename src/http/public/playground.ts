import { createHash } from 'node:crypto';

import { contentDraft } from '../content/content.ts';
import type { PlaygroundFile } from '../content/playground-file.ts';
import { Fields } from '../handler/response.ts';
import type { Route } from '../handler/request.ts';

/**
 * A page of the playground may run its own scripts, use its own styles and connect to its own service.
 * It may not load from elsewhere, or be framed. Of inline scripts it may run those that the build wrote into it,
 * by their digests.
 */
function contentSecurityPolicy(page: PlaygroundFile): string {
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...inlineScripts(page).map(digestSource)].join(' ')}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The texts of the scripts in a page. */
function inlineScripts({ bytes }: PlaygroundFile): readonly string[] {
  return Array.from(
    bytes.toString().matchAll(/<script>(.*?)<\/script>/gs),
    ([, script = '']) => script,
  );
}

/** A source of a Content-Security-Policy that allows one inline script. */
function digestSource(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}

function pageHeaders(page: PlaygroundFile): Readonly<Record<string, string>> {
  return {
    'content-security-policy': contentSecurityPolicy(page),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    'x-frame-options': 'DENY',
  };
}

/** Opens the page without a network. It may only request files of its own service. */
const serviceWorkerName = 'service-worker.js';
const serviceWorkerHeaders = {
  'content-security-policy': "default-src 'none'; connect-src 'self'",
} as const;

/** The names of these files contain a hash of their content, so a browser need not revalidate them. */
const hashedFolder = 'assets/';

/**
 * The playground: one open route for each of its files, `index.html` at the root. The bytes, their
 * compressed forms and their entity tags are in memory before the first request.
 */
export function playground({
  files,
  basePath,
}: {
  readonly files: readonly PlaygroundFile[];
  readonly basePath: string;
}): readonly Route[] {
  const routes = files.map(fileRoute);
  return files.length === 0 || basePath === '' ? routes : [...routes, slashRoute(basePath)];
}

function fileRoute(file: PlaygroundFile): Route {
  const { name, body } = file;
  const content = { body, fields: Fields.none, vary: 'Accept-Encoding' };
  return {
    method: 'GET',
    path: name === 'index.html' ? '/' : `/${name}`,
    scope: undefined,
    standing: {
      ...(name.endsWith('.html') ? pageHeaders(file) : {}),
      ...(name === serviceWorkerName ? serviceWorkerHeaders : {}),
      'cache-control': name.startsWith(hashedFolder)
        ? 'public, max-age=31536000, immutable'
        : 'no-cache',
    },
    respond: (context) => contentDraft(content, context),
  };
}

/** The page finds its service at a relative address, which needs the slash at the end of its own. */
function slashRoute(basePath: string): Route {
  const fields = [Fields.of({ location: `${basePath}/`, 'content-length': '0' })];
  return {
    method: 'GET',
    path: '',
    scope: undefined,
    respond: () => ({ status: 308, fields, body: [] }),
  };
}

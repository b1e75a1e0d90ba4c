import { isPageOf, isWholePage } from './page-files.ts';

/**
 * Opens the playground without a network, from the files of the build. It answers for the page and its own
 * files only: no response of the API passes through it or is stored.
 *
 * The page comes from the service, so a new version is seen at once. The stored page is for a service that
 * cannot be reached. Each version has a cache of its own with all of its files, so no page gets a file of
 * another version. The names of the files contain a hash of their content, so a stored one is never out of
 * date.
 */

/** The files of the build. The build replaces these names. */
declare const offlineFiles: readonly string[];
declare const offlineVersion: string;

/** An event that the worker lives for until a promise is settled. */
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface RequestEvent extends WorkerEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

interface Worker extends EventTarget {
  readonly skipWaiting: () => Promise<void>;
}

const worker = globalThis as unknown as Worker;
/** The address of the page, which is the folder of this file. */
const root = new URL('./', location.href);
const assets = new URL('assets/', root).pathname;
/** Several services may share a host, each below a path. */
const prefix = `pizarra ${root.pathname} `;
const cacheName = prefix + offlineVersion;

/** Time for the service to send its page. Then the stored one is shown. In milliseconds. */
const pageMsMax = 5_000;
/** The versions whose files are kept: this one, and the one before it, which open tabs may be of. */
const versionsMax = 2;

worker.addEventListener('install', (event) => {
  (event as WorkerEvent).waitUntil(store());
});

worker.addEventListener('activate', (event) => {
  (event as WorkerEvent).waitUntil(removeOldVersions());
});

worker.addEventListener('fetch', (event) => {
  const { request } = event as RequestEvent;
  if (request.method !== 'GET') return;
  const { origin, pathname } = new URL(request.url);
  if (origin !== root.origin) return;
  if (request.mode === 'navigate' && isPageOf(root.pathname, pathname)) {
    (event as RequestEvent).respondWith(readPage(request));
  } else if (pathname.startsWith(assets)) {
    (event as RequestEvent).respondWith(readAsset(request));
  }
});

/** Stores all files of this version. It fails if the service has another version by now. */
async function store(): Promise<void> {
  const page = await fetch(root, { cache: 'reload' });
  if (!page.ok || !isWholePage(await page.clone().text(), offlineFiles)) {
    throw new Error('the page is not of the version of this worker');
  }
  const cache = await caches.open(cacheName);
  await cache.addAll(offlineFiles.map((name) => new URL(name, root).href));
  await cache.put(root, page);
  await worker.skipWaiting();
}

/** The names of caches are in the order in which they were created. */
async function removeOldVersions(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix));
  const others = names.filter((name) => name !== cacheName);
  await Promise.all(others.slice(0, 1 - versionsMax).map((name) => caches.delete(name)));
}

async function readPage(request: Request): Promise<Response> {
  const late = new Promise<undefined>((resolve) => {
    setTimeout(resolve, pageMsMax, undefined);
  });
  const response = await Promise.race([fetch(request).catch(() => undefined), late]);
  if (response !== undefined && response.status < 500) return response;
  const stored = await caches.open(cacheName).then((cache) => cache.match(root));
  return stored ?? response ?? Response.error();
}

async function readAsset(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

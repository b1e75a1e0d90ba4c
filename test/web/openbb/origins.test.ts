import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';

import { startTestServer, testNow, type TestServer } from '../../support/http/start-test-server.ts';
import { until } from '../../support/wait.ts';
import { serveSite, type Site } from '../browser/serve-site.ts';
import { options, setStage } from '../browser/stage.ts';
import { openPage } from '../browser/visitor.ts';

/** What a page of another origin may read, as OpenBB Workspace and a chart with a key in its URL do. */
const stage = setStage();

const page = '<!doctype html><title>Página</title><link rel="icon" href="data:,">';

function serveBlank(): Promise<Site> {
  return serveSite(new Map([['/', ['text/html', page]]]));
}

/** Requests an address in a page. Without a response that the page may read, it is the name of the error. */
function read(
  tab: Page,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly body: unknown } | string> {
  return tab.evaluate(
    async ([to, sent]) => {
      try {
        const response = await fetch(to, { headers: sent });
        return { status: response.status, body: (await response.json()) as unknown };
      } catch (error) {
        return error instanceof Error ? error.name : 'unknown';
      }
    },
    [url, headers] as const,
  );
}

/** Fails unless the requests of a path have these methods. A request is logged after its response was sent. */
async function assertMethods(
  { logged }: TestServer,
  path: string,
  methods: readonly string[],
): Promise<void> {
  const sent = () => logged.filter((line) => line['path'] === path).map(({ method }) => method);
  await until(`the log has ${path}`, async () => sent().length >= methods.length);
  assert.deepEqual(sent(), methods);
}

test(
  'a page of an allowed origin reads /widgets.json with a key and a content type, and a URL with a key without a preflight; a page of another origin reads nothing',
  options,
  async () => {
    await using allowed = await serveBlank();
    await using other = await serveBlank();
    await using server = await startTestServer({
      corsOrigins: [allowed.origin],
      urlKeys: true,
      accessLog: 'all',
    });
    const urlKey = await server.issue({ scope: 'url', expiresAt: testNow + 86_400_000 });
    const base = `http://127.0.0.1:${server.port}`;
    const headers = {
      Authorization: `Bearer ${server.key}`,
      'Content-Type': 'application/json',
    };
    await using visitor = await openPage(stage);
    const { page: tab } = visitor;

    await tab.goto(`${allowed.origin}/`);
    const widgets = (await server.get('/widgets.json')).json();
    const apps = (await server.get('/apps.json')).json();
    assert.deepEqual(await read(tab, `${base}/widgets.json`, headers), {
      status: 200,
      body: widgets,
    });
    assert.deepEqual(await read(tab, `${base}/apps.json`, headers), { status: 200, body: apps });
    await assertMethods(server, '/widgets.json', ['GET', 'OPTIONS', 'GET']);
    const config = await read(tab, `${base}/clave/${urlKey}/udf/config`);
    assert.equal(typeof config === 'string' ? config : config.status, 200);
    await assertMethods(server, '/udf/config', ['GET']);
    // The URL with a key opens the data, and not the description of the widgets.
    const refused = await read(tab, `${base}/clave/${urlKey}/widgets.json`);
    assert.equal(typeof refused === 'string' ? refused : refused.status, 404);

    await tab.goto(`${other.origin}/`);
    for (const [path, sent] of [
      ['/widgets.json', headers],
      ['/apps.json', headers],
      [`/clave/${urlKey}/udf/config`, {}],
      ['/healthz', {}],
    ] as const) {
      assert.equal(await read(tab, base + path, sent), 'TypeError', path);
    }
    assert.ok(
      visitor.faults.every((fault) => fault.includes('CORS')),
      String(visitor.faults),
    );
  },
);

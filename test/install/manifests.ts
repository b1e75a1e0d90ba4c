/**
 * The manifests of `deploy/kubernetes` against the published schemas: the OpenAPI of Kubernetes and the custom
 * resources of the Prometheus Operator. Their packages have them in two forms: a function that validates, and
 * types, with which the compiler refuses a field that does not exist.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';

import { project } from '../docs/blocks.ts';
import { installTools } from '../support/program/install-tools.ts';
import {
  manifestFiles,
  manifestsOf,
  type Manifest,
} from '../support/project/kubernetes-manifests.ts';

const tools = join(project, 'node_modules/.cache/install-tools');
const manifests = manifestFiles.flatMap((file) => manifestsOf(file));

/** The keys of maps of any keys: an unknown one is no fault. */
const freeMaps = new Set(['labels', 'matchLabels', 'data', 'requests', 'limits', 'annotations']);

/** The selector of a Service is such a map. Others have known keys. */
function isFree({ kind }: Manifest, place: Place): boolean {
  const key = String(place.at(-1));
  return freeMaps.has(key) || (kind === 'Service' && key === 'selector');
}

describe('the manifests for Kubernetes', { concurrency: 1 }, () => {
  let isInstalled = false;
  before(() => {
    isInstalled = installTools(join(import.meta.dirname, 'tools'), tools);
  });

  test('agree with the published schemas, which refuse a wrong type', async (t) => {
    if (!isInstalled) return t.skip('the schemas could not be installed');
    for (const manifest of manifests) await validate(manifest);
    const wrong = structuredClone(manifests.find(({ kind }) => kind === 'StatefulSet'));
    assert.ok(wrong !== undefined);
    (wrong['spec'] as { replicas: unknown }).replicas = 'three';
    await assert.rejects(validate(wrong), /replicas must be integer/);
  });

  test('have no field that Kubernetes does not know, at any place', (t) => {
    if (!isInstalled) return t.skip('the schemas could not be installed');
    const changed = manifests.flatMap(withStrangeField);
    assert.ok(changed.length > 80, `${changed.length} places`);
    const refused = refusedBy([...manifests, ...changed.map(({ manifest }) => manifest)]);
    assert.deepEqual(
      manifests.flatMap(({ kind }, index) => (refused.has(index) ? [kind] : [])),
      [],
      'the manifests themselves',
    );
    assert.deepEqual(
      changed.flatMap(({ path }, at) => (refused.has(manifests.length + at) ? [] : [path])),
      [],
      'the places at which an unknown field would not be noticed',
    );
  });
});

/** The module of the schema of an object, relative to the folder of packages. */
function moduleOf({ apiVersion }: Manifest): string {
  const isMonitoring = apiVersion.startsWith('monitoring.');
  return `${isMonitoring ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models'}/${apiVersion}`;
}

/** @throws the faults that the schema finds. */
async function validate(manifest: Manifest): Promise<void> {
  const path = join(tools, 'node_modules', moduleOf(manifest), 'index.js');
  const models = (await import(path)) as Record<
    string,
    new (data: Manifest) => { readonly validate: () => void }
  >;
  const Model = models[manifest.kind] ?? assert.fail(manifest.kind);
  new Model(manifest).validate();
}

/** Copies of an object, each with one unknown field at one of its places. */
function withStrangeField(
  manifest: Manifest,
): readonly { readonly path: string; readonly manifest: Manifest }[] {
  return placesIn(manifest, [])
    .filter((place) => !isFree(manifest, place))
    .map((place) => {
      const copy = structuredClone(manifest);
      let at: unknown = copy;
      for (const step of place) at = (at as Record<string | number, unknown>)[step];
      (at as Record<string, unknown>)['strangeField'] = 'x';
      return { path: `${manifest.kind} ${place.join('.')}`, manifest: copy };
    });
}

type Place = readonly (string | number)[];

/** The places of all maps. */
function placesIn(value: unknown, place: Place): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one, index) => placesIn(one, [...place, index]));
  return [place, ...Object.entries(value).flatMap(([key, one]) => placesIn(one, [...place, key]))];
}

/** The indexes of the objects that the types of their schema refuse. */
function refusedBy(all: readonly Manifest[]): ReadonlySet<number> {
  const lines = all.map(
    (manifest, index) =>
      `export const m${index}: import('${moduleOf(manifest)}').I${manifest.kind} = ${JSON.stringify(manifest)};`,
  );
  writeFileSync(join(tools, 'manifests.ts'), `${lines.join('\n')}\n`);
  const tsc = join(project, 'node_modules/.bin/tsc');
  const flags = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--target',
    'esnext',
    '--module',
    'nodenext',
  ];
  const { status, stdout } = spawnSync(
    process.execPath,
    [tsc, ...flags, '--types', '', '--skipLibCheck', 'manifests.ts'],
    { cwd: tools, encoding: 'utf8' },
  );
  const faults = Array.from(stdout.matchAll(/^manifests\.ts\((\d+),/gm), ([, line]) => line);
  assert.ok(status === 0 || faults.length > 0, stdout);
  return new Set(faults.map((line) => Number(line) - 1));
}

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';

import { Agent, request } from 'undici';

import { createKey } from '../../src/node/keys/keys.ts';
import { readConfig } from '../../src/config/settings/read-config.ts';
import { resolveSettings } from '../../src/config/settings/resolve-settings.ts';
import {
  environmentName,
  settingNames,
  type Settings,
} from '../../src/config/settings/settings.ts';
import {
  manifestFiles,
  manifestsOf,
  type Manifest,
} from '../support/project/kubernetes-manifests.ts';
import { makeCertificate } from '../support/program/make-certificate.ts';
import { lacksPostgres } from '../support/postgres/postgres-programs.ts';
import { startPostgres } from '../support/postgres/postgres-server.ts';
import {
  startPizarra,
  temporaryDirectory,
  type RunningService,
} from '../support/program/program.ts';
import { until } from '../support/wait.ts';

const project = resolve(import.meta.dirname, '../..');

/** The fields of a pod that these tests read. */
interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly env: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: unknown;
  }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly resources: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string; readonly scheme: string };
}

interface PodSpec {
  readonly containers: readonly Container[];
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly volumes: readonly { readonly name: string }[];
}

interface StatefulSet {
  readonly serviceName: string;
  readonly selector: { readonly matchLabels: Labels };
  readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
  readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
}

type Labels = Readonly<Record<string, string>>;

/** The object of a kind in a file, by its name where there are several. */
function find(file: string, kind: string, name?: string): Manifest {
  const found = manifestsOf(file).find(
    (one) => one.kind === kind && (name === undefined || one.metadata.name === name),
  );
  return found ?? assert.fail(`${file} has no ${kind} ${name ?? ''}`);
}

function statefulSetOf(file: string): StatefulSet {
  return find(file, 'StatefulSet')['spec'] as StatefulSet;
}

function containerOf(file: string): Container {
  return statefulSetOf(file).template.spec.containers[0] ?? assert.fail(file);
}

/** The values of what Kubernetes and the operator fill in. */
type Filled = Readonly<Record<string, string>>;

/** The environment of a container: `$(NAME)` is replaced as Kubernetes does, and folders as the test says. */
function environmentOf({ env, volumeMounts }: Container, filled: Filled, root: string): Labels {
  const values: Record<string, string> = {};
  for (const { name, value } of env) {
    const text = filled[name] ?? value ?? assert.fail(name);
    const expanded = text.replaceAll(/\$\((\w+)\)/g, (_, other: string) => values[other] ?? other);
    const mount = volumeMounts.find(({ mountPath }) => expanded.startsWith(`${mountPath}/`));
    values[name] = mount === undefined ? expanded : join(root, expanded);
  }
  return values;
}

/** Creates what the volumes of a pod contain: the settings, a certificate, and empty folders. */
async function makeVolumes(t: TestContext, file: string, root: string): Promise<boolean> {
  const certificate = makeCertificate();
  if (certificate === undefined) {
    t.skip('openssl is not installed');
    return false;
  }
  for (const { mountPath } of containerOf(file).volumeMounts) {
    await mkdir(join(root, mountPath), { recursive: true });
  }
  const config = find(file, 'ConfigMap')['data'] as Labels;
  for (const [name, text] of Object.entries(config)) {
    await writeFile(join(root, 'etc/pizarra', name), text);
  }
  await writeFile(join(root, 'tls/tls.crt'), certificate.cert);
  await writeFile(join(root, 'tls/tls.key'), certificate.key);
  return true;
}

/** The settings that the program reads in the container of a file. */
async function settingsOf(file: string, root: string, filled: Filled): Promise<Settings> {
  const environment = environmentOf(containerOf(file), filled, root);
  const { PIZARRA_CONFIG: path, ...rest } = environment;
  const config = await readConfig(path);
  return resolveSettings({
    flags: {},
    environment: rest,
    ...(config === undefined ? {} : { file: config }),
  });
}

// The address of a pod is not loopback, so the private listener has TLS.
const ofPod = { POD_IP: '0.0.0.0', POD_NAME: 'localhost', POD_NAMESPACE: 'x', PGPASSWORD: 'x' };

const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });

async function get(url: string, headers: Labels = {}): Promise<number> {
  const { statusCode, body } = await request(url, { headers, dispatcher });
  await body.dump();
  return statusCode;
}

/** Asks a service what the probes of a file ask, at the scheme and the listener that they name. */
async function assertProbes(file: string, service: RunningService): Promise<void> {
  const { startupProbe, livenessProbe, readinessProbe } = containerOf(file);
  const listeners: Labels = { public: service.url, private: service.privateUrl };
  for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
    const url = new URL(httpGet.path, listeners[httpGet.port] ?? assert.fail(httpGet.port));
    assert.equal(url.protocol, `${httpGet.scheme.toLowerCase()}:`, httpGet.port);
    url.hostname = '127.0.0.1';
    await until(`${url.href} responds`, async () => (await get(url.href)) === 200);
  }
}

/** Starts the program with the arguments and the environment of a container, at free ports. */
async function start(file: string, root: string, filled: Filled): Promise<RunningService> {
  const [command, ...flags] = containerOf(file).args;
  assert.equal(command, 'serve');
  const env = { ...environmentOf(containerOf(file), filled, root), TMPDIR: join(root, 'tmp') };
  // The format of the log is that of the image.
  return await startPizarra(flags, undefined, { cwd: root, env });
}

test('a pod with its volume starts, and its probes and the scraping get 200', async (t) => {
  await using directory = await temporaryDirectory();
  const root = directory.path;
  if (!(await makeVolumes(t, 'single.yaml', root))) return;
  await using service = await start('single.yaml', root, ofPod);
  await assertProbes('single.yaml', service);
  const store = join(root, 'data/store');
  const { key } = await createKey(store, { name: 'prometheus', scope: 'metrics' });
  const monitor = find('monitoring.yaml', 'PodMonitor')['spec'] as {
    readonly podMetricsEndpoints: readonly {
      readonly port: string;
      readonly path: string;
      readonly scheme: string;
    }[];
  };
  const [endpoint = assert.fail()] = monitor.podMetricsEndpoints;
  assert.deepEqual([endpoint.port, endpoint.scheme], ['private', 'https']);
  const metrics = new URL(endpoint.path, service.privateUrl.replace('0.0.0.0', '127.0.0.1')).href;
  const headers = { authorization: `Bearer ${key}` };
  await until('the key is known', async () => (await get(metrics, headers)) === 200);
  assert.equal(await get(metrics), 401);
});

test('a pod of several nodes starts over PostgreSQL, and its probes get 200', async (t) => {
  const lacks = lacksPostgres();
  if (lacks !== false) return t.skip(lacks);
  await using directory = await temporaryDirectory();
  const root = directory.path;
  if (!(await makeVolumes(t, 'cluster.yaml', root))) return;
  await using server = await startPostgres();
  const filled = { ...ofPod, PIZARRA_STORE: server.url(server.unusedSchema()) };
  await using service = await start('cluster.yaml', root, filled);
  await assertProbes('cluster.yaml', service);
});

for (const file of ['single.yaml', 'cluster.yaml']) {
  test(`${file}: settings, ports, volumes and rights are those of the program and the image`, async (t) => {
    await using directory = await temporaryDirectory();
    const root = directory.path;
    if (!(await makeVolumes(t, file, root))) return;
    const settings = await settingsOf(file, root, ofPod);
    const container = containerOf(file);
    const set = statefulSetOf(file);
    const { spec } = set.template;

    // A variable that is no setting would stop the program, so each of them is one or is named here.
    const settable = new Set(settingNames.map(environmentName));
    const others = container.env.map(({ name }) => name).filter((name) => !settable.has(name));
    const isKnown = /^(?:POD_IP|POD_NAME|POD_NAMESPACE|PIZARRA_CONFIG|PGPASSWORD)$/;
    assert.deepEqual(
      others.filter((name) => !isKnown.test(name)),
      [],
    );
    assert.deepEqual(
      container.ports.map(({ name, containerPort }) => [name, containerPort]),
      [
        ['public', settings.port],
        ['private', settings.privatePort],
      ],
    );
    // A secret comes from a Secret, never from the manifest.
    assert.equal(container.env.find(({ name }) => name === 'PGPASSWORD')?.value, undefined);

    // The folders are those of the environment, and everything else is read-only.
    const mounted = container.volumeMounts.map(({ name }) => name).toSorted();
    const claimed = set.volumeClaimTemplates ?? [];
    const provided = [...spec.volumes, ...claimed.map(({ metadata }) => metadata)];
    assert.deepEqual(mounted, provided.map(({ name }) => name).toSorted());
    assert.equal(container.securityContext['readOnlyRootFilesystem'], true);

    // The user is that of the image, and the volume belongs to its group.
    const dockerfile = await readFile(join(project, 'deploy/docker/Dockerfile'), 'utf8');
    const uid = Number(/useradd .*--uid (\d+)/.exec(dockerfile)?.[1]);
    const gid = Number(/groupadd .*--gid (\d+)/.exec(dockerfile)?.[1]);
    const { runAsUser, runAsGroup, fsGroup, runAsNonRoot } = spec.securityContext;
    assert.deepEqual([runAsUser, runAsGroup, fsGroup, runAsNonRoot], [uid, gid, gid, true]);

    // Kubernetes waits longer than the service needs to stop, and knows what it may use.
    const stopMs = 2 * settings.drainIdleMs + settings.drainMs;
    assert.ok(spec.terminationGracePeriodSeconds * 1_000 > stopMs);
    for (const kind of ['requests', 'limits']) {
      assert.deepEqual(Object.keys(container.resources[kind] ?? {}).toSorted(), ['cpu', 'memory']);
    }
  });

  test(`${file}: services, policy and budget select the pods, and name ports that exist`, () => {
    const set = statefulSetOf(file);
    const { labels } = set.template.metadata;
    const ports = new Set(containerOf(file).ports.map(({ name }) => name));
    const selects = (selector: Labels): void => {
      for (const [name, value] of Object.entries(selector)) assert.equal(labels[name], value);
      assert.ok(Object.keys(selector).length > 0);
    };
    selects(set.selector.matchLabels);
    const services = manifestsOf(file).filter(({ kind }) => kind === 'Service');
    assert.ok(services.some(({ metadata }) => metadata.name === set.serviceName));
    for (const { spec } of services) {
      const service = spec as {
        readonly selector: Labels;
        readonly ports: readonly { readonly targetPort: string }[];
      };
      selects(service.selector);
      for (const { targetPort } of service.ports) assert.ok(ports.has(targetPort), targetPort);
    }
    const policy = find(file, 'NetworkPolicy')['spec'] as {
      readonly podSelector: { readonly matchLabels: Labels };
      readonly ingress: readonly {
        readonly ports: readonly { readonly port: string }[];
        readonly from?: readonly unknown[];
      }[];
    };
    selects(policy.podSelector.matchLabels);
    const open = policy.ingress.filter(({ from }) => from === undefined);
    assert.deepEqual(
      open.flatMap((rule) => rule.ports.map(({ port }) => port)),
      ['public'],
      'only the public listener is open to everybody',
    );
    assert.deepEqual(
      policy.ingress.flatMap((rule) => rule.ports.map(({ port }) => port)),
      [...ports],
    );
    for (const { kind, spec } of manifestsOf(file)) {
      if (kind !== 'PodDisruptionBudget') continue;
      selects(
        (spec as { readonly selector: { readonly matchLabels: Labels } }).selector.matchLabels,
      );
    }
  });
}

test('a node of the cluster advertises the name that its Service gives it, with the ports of its listeners', async (t) => {
  await using directory = await temporaryDirectory();
  if (!(await makeVolumes(t, 'cluster.yaml', directory.path))) return;
  const filled = { ...ofPod, POD_NAME: 'pizarra-2', POD_NAMESPACE: 'quotes' };
  const settings = await settingsOf('cluster.yaml', directory.path, filled);
  const { serviceName } = statefulSetOf('cluster.yaml');
  const service = find('cluster.yaml', 'Service', serviceName)['spec'] as {
    readonly clusterIP: string;
  };
  assert.equal(service.clusterIP, 'None', 'only such a Service gives names to pods');
  const name = `pizarra-2.${serviceName}.quotes.svc`;
  assert.equal(settings.advertise, `https://${name}:${settings.port}`);
  assert.equal(settings.privateAdvertise, `https://${name}:${settings.privatePort}`);
});

test('the cluster has a disruption budget, and its monitor selects the pods of both manifests', () => {
  assert.deepEqual(manifestFiles, ['cluster.yaml', 'monitoring.yaml', 'single.yaml']);
  find('cluster.yaml', 'PodDisruptionBudget');
  const { selector } = find('monitoring.yaml', 'PodMonitor')['spec'] as {
    readonly selector: { readonly matchLabels: Labels };
  };
  for (const file of ['single.yaml', 'cluster.yaml']) {
    const { labels } = statefulSetOf(file).template.metadata;
    for (const [name, value] of Object.entries(selector.matchLabels)) {
      assert.equal(labels[name], value);
    }
  }
});

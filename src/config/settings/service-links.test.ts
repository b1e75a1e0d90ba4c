import assert from 'node:assert/strict';
import { test } from 'node:test';

import { resolveSettings, withoutServiceLinks } from './resolve-settings.ts';
import { environmentName, settingNames } from './settings.ts';

/** What Kubernetes adds for a Service with the ports 80 (`http`) and 9090 (`private-http`). */
function linksOf(service: string, host: string): Readonly<Record<string, string>> {
  const shown = host.includes(':') ? `[${host}]` : host;
  return {
    [`${service}_SERVICE_HOST`]: host,
    [`${service}_SERVICE_PORT`]: '80',
    [`${service}_SERVICE_PORT_HTTP`]: '80',
    [`${service}_SERVICE_PORT_PRIVATE_HTTP`]: '9090',
    [`${service}_PORT`]: `tcp://${shown}:80`,
    [`${service}_PORT_80_TCP`]: `tcp://${shown}:80`,
    [`${service}_PORT_80_TCP_PROTO`]: 'tcp',
    [`${service}_PORT_80_TCP_PORT`]: '80',
    [`${service}_PORT_80_TCP_ADDR`]: host,
    [`${service}_PORT_9090_UDP`]: `udp://${shown}:9090`,
    [`${service}_PORT_9090_UDP_PROTO`]: 'udp',
    [`${service}_PORT_9090_UDP_PORT`]: '9090',
    [`${service}_PORT_9090_UDP_ADDR`]: host,
  };
}

test('what Kubernetes adds for Services named pizarra and pizarra-… sets nothing and is no fault', () => {
  const environment = {
    ...linksOf('PIZARRA', '10.0.0.11'),
    ...linksOf('PIZARRA_PRIVATE', 'fd00::b'),
    ...linksOf('PIZARRA_NODE_1', '10.0.0.13'),
  };
  const plain = resolveSettings({ flags: {}, environment: {} });
  assert.deepEqual(resolveSettings({ flags: {}, environment }), plain);
  assert.deepEqual(withoutServiceLinks(environment), {});
  const file = { name: 'pizarra.yaml', values: { port: 81, privatePort: 82 } };
  const { port, privatePort } = resolveSettings({ flags: {}, environment, file });
  assert.deepEqual([port, privatePort], [81, 82]);
});

test('a setting beside the variables of Kubernetes applies', () => {
  const environment = {
    ...linksOf('PIZARRA', '10.0.0.11'),
    PIZARRA_PORT: '8081',
    PIZARRA_HOST: '0.0.0.0',
  };
  const { port, host } = resolveSettings({ flags: {}, environment });
  assert.deepEqual([port, host], [8081, '0.0.0.0']);
});

test('a value in another shape than that of Kubernetes is refused by its name', () => {
  const service = { PIZARRA_SERVICE_HOST: '10.0.0.11', PIZARRA_SERVICE_PORT: '80' };
  const cases: readonly Readonly<Record<string, string>>[] = [
    { PIZARRA_PORT: 'tcp://10.0.0.11:80' },
    { ...service, PIZARRA_PORT: 'tcp://10.0.0.12:80' },
    { ...service, PIZARRA_PORT: 'tcp://10.0.0.11:99999' },
    { ...service, PIZARRA_PORT: 'tcp://10.0.0.11' },
    { ...service, PIZARRA_PORT: 'http://10.0.0.11:80' },
    { ...service, PIZARRA_PORT: 'eighty' },
    { ...service, PIZARRA_PRIVATE_PORT: 'tcp://10.0.0.11:80' },
    { ...service, PIZARRA_SERVICE_PORT_HTTP: 'x' },
    { ...service, PIZARRA_PORT_80_TCP: 'tcp://10.0.0.11:81' },
    { ...service, PIZARRA_PORT_80_TCP_PROTO: 'udp' },
    { ...service, PIZARRA_PORT_80_TCP_ADDR: '10.0.0.12' },
    { ...service, PIZARRA_PORT_80_TCP_HOST: '10.0.0.11' },
    { ...service, PIZARRA_PROT: '80' },
    { PIZARRA_SERVICE_HOST: 'pizarra.example' },
    { PIZARRA_SERVICE_PORT: '80' },
  ];
  for (const environment of cases) {
    const wrong = Object.keys(environment).at(-1) ?? '';
    assert.throws(
      () => resolveSettings({ flags: {}, environment }),
      (fault: Error) => fault.message.split('\n').every((line) => line.startsWith(`${wrong} `)),
      JSON.stringify(environment),
    );
  }
});

test('no setting has a name under which Kubernetes gives a plain value', () => {
  const names = settingNames.map(environmentName);
  assert.deepEqual(
    names.filter((name) => /_SERVICE_(?:HOST|PORT)|_PORT_\d/.test(name)),
    [],
  );
});

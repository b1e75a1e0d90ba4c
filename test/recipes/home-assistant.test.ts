/**
 * docs/integraciones/home-assistant.md, and the sensors in pizarra-sensores.yaml beside it: the YAML is read,
 * the requests are made, and the templates are rendered.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';

import jsonpath from 'jsonpath';
import { parse } from 'yaml';

import { textOf } from '../docs/blocks.ts';
import { readRecipe } from './support/recipe-page.ts';
import { startRecipeService } from './support/recipe-service.ts';
import { needs, runTool } from './support/run-tool.ts';

const recipe = readRecipe('home-assistant.md');
const [secrets = ''] = recipe.take('yaml', 'La clave');
const [configuration = ''] = recipe.take('yaml', 'Los sensores');
const files = {
  'pizarra-sensores.yaml': textOf('docs/integraciones/pizarra-sensores.yaml'),
};
const [logger = ''] = recipe.take('yaml', 'Qué se ve cuando algo falla');
const [shown = ''] = recipe.take('text', 'Qué se obtiene');

const python = needs(
  ['python3', '-c', 'import jinja2, yaml'],
  'python3 python3-jinja2 python3-yaml',
);
const program = join(import.meta.dirname, 'support/render-home-assistant.py');

interface Sensor {
  readonly name: string;
  readonly unique_id: string;
  readonly unit_of_measurement?: string;
  readonly device_class?: string;
  readonly availability: string;
  readonly value_template: string;
  readonly json_attributes_path?: string;
  readonly json_attributes?: readonly string[];
}

interface Rest {
  readonly resource: string;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly scan_interval: number;
  readonly sensor: readonly Sensor[];
}

/** The states of a sensor as Home Assistant computes them from a body. */
interface Rendered {
  readonly name: string;
  readonly available: string;
  readonly value: string;
}

interface Answer {
  readonly configuration: { readonly rest: readonly Rest[] };
  /** The sensors of the page, under the name of a body. */
  readonly rendered: Readonly<Record<string, readonly Rendered[]>>;
}

const cleanUp = new AsyncDisposableStack();
after(() => cleanUp.disposeAsync());
const service = cleanUp.use(await startRecipeService());

async function render(bodies: Readonly<Record<string, string>>): Promise<Answer> {
  const input = JSON.stringify({ configuration, files, secrets, bodies });
  const { code, stdout, stderr } = await runTool(['python3', program], { input });
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as Answer;
}

/** Makes a request that the page describes. Home Assistant encodes the parameters in the same way. */
async function request(
  { resource, params, headers }: Pick<Rest, 'resource' | 'params' | 'headers'>,
  key = service.key,
): Promise<Response> {
  const url = resource.replace('https://cotizaciones.example.com', service.url);
  return fetch(`${url}?${new URLSearchParams(params).toString()}`, {
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('pz_…', key)]),
    ),
  });
}

async function bodyOf(response: Promise<Response>): Promise<string> {
  return (await response).text();
}

test('the log of the integration is the one that the page turns on', () => {
  assert.deepEqual(parse(logger), {
    logger: { logs: { 'homeassistant.components.rest': 'debug' } },
  });
});

interface Read {
  readonly rests: readonly Rest[];
  readonly sensors: readonly Sensor[];
  readonly rendered: Answer['rendered'];
  /** The sensors, each rendered from the response to its own request. */
  readonly fed: readonly Rendered[];
}

let asked: Promise<Read> | undefined;

/** What Python reads and renders. The first test that needs it asks. */
async function read(): Promise<Read> {
  asked ??= ask();
  return asked;
}

async function ask(): Promise<Read> {
  const parsed = await render({});
  const rests = parsed.configuration.rest;
  const [one = assert.fail(), several = assert.fail()] = rests;
  const { rendered } = await render({
    one: await bodyOf(request(one)),
    several: await bodyOf(request(several)),
    unknown: await bodyOf(request({ ...one, params: { especie: 'NADA' } })),
    error: await bodyOf(request(one, 'pz_otra')),
    page: '<html>502 Bad Gateway</html>',
    empty: '',
  });
  const fed = [
    ...(rendered['one']?.slice(0, one.sensor.length) ?? []),
    ...(rendered['several']?.slice(one.sensor.length) ?? []),
  ];
  return { rests, sensors: rests.flatMap(({ sensor }) => sensor), rendered, fed };
}

test('each request gets JSON, and each sensor has an identity of its own', python, async () => {
  const { rests, sensors } = await read();
  for (const rest of rests) {
    const response = await request(rest);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(rest.headers['Authorization'], 'Bearer pz_…');
  }
  assert.equal(new Set(sensors.map(({ unique_id: id }) => id)).size, sensors.length);
});

test('a quote renders its price, and the page shows the states', python, async () => {
  const { sensors, fed } = await read();
  assert.equal(fed.length, sensors.length);
  for (const [at, { available, value }] of fed.entries()) {
    assert.equal(available, 'True');
    const { unit_of_measurement: unit, device_class: kind } = sensors[at] ?? assert.fail();
    assert.equal(Number.isFinite(Number(value)), unit !== undefined, value);
    if (kind === 'timestamp') assert.match(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-03:00$/);
  }
  const lines = shown.trim().split('\n');
  assert.deepEqual(
    lines.map((line) => line.split(/ {2,}/)),
    fed.map(({ name, value }) => [name, value]),
  );
});

test('the unit of each sensor is that of its instrument', python, async () => {
  const { sensors } = await read();
  const tickers = ['GGAL', 'AL30', 'DOLAR MEP', 'MEP-CCL'];
  const headers = { authorization: `Bearer ${service.key}` };
  const response = await fetch(`${service.url}/especies.json`, { headers });
  const instruments = (await response.json()) as { especie: string; moneda: string }[];
  assert.deepEqual(
    sensors.flatMap(({ unit_of_measurement: unit }) => unit ?? []),
    tickers.map((ticker) => instruments.find(({ especie }) => especie === ticker)?.moneda),
  );
});

for (const body of ['unknown', 'error', 'page', 'empty']) {
  test(
    `${body}: every sensor is unavailable, and its template renders an empty text`,
    python,
    async () => {
      const { sensors, rendered } = await read();
      assert.equal(rendered[body]?.length, sensors.length);
      for (const { name, available, value } of rendered[body] ?? []) {
        assert.deepEqual({ available, value }, { available: 'False', value: '' }, name);
      }
    },
  );
}

test('a quote of another instrument makes no sensor available', python, async () => {
  const { rendered } = await read();
  for (const { name, available, value } of rendered['one']?.slice(1) ?? []) {
    assert.deepEqual({ available, value }, { available: 'False', value: '' }, name);
  }
});

test('the path of the attributes finds a quote that has each of them', python, async () => {
  const { rests } = await read();
  const [rest = assert.fail()] = rests;
  const { json_attributes_path: path = '', json_attributes: names = [] } =
    rest.sensor[0] ?? assert.fail();
  const [quote] = jsonpath.query(await (await request(rest)).json(), path) as object[];
  assert.ok(names.length > 0);
  assert.deepEqual(
    names.filter((name) => !Object.hasOwn(quote ?? {}, name)),
    [],
  );
});

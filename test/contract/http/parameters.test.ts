import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { contractPaths } from '../../support/http/contract-paths.ts';
import { startTestServer } from '../../support/http/start-test-server.ts';

/**
 * What every declared parameter of every path refuses. The suite of a path shows what its values do, and the texts that
 * only it has.
 */

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());

/** The requests in which a parameter has an effect, where the required parameters alone do not give it one. */
const contexts: Readonly<Record<string, string>> = {
  '/cotizaciones dolar': '/cotizaciones?panel=LID&moneda=USD',
  '/historicos panel': '/historicos?especie=AL30&desde=2024-01-01&hasta=2024-12-31&forma=larga',
  '/historicos campo': '/historicos?especie=AL30&desde=2024-01-01&hasta=2024-12-31&forma=ancha',
  '/historicos dolar': '/historicos?especie=AL30&desde=2024-01-01&hasta=2024-12-31&moneda=USD',
  '/indices desde': '/indices?indice=CER',
  '/indices hasta': '/indices?indice=CER',
  '/cambios indice': '/cambios',
};

/** Each parameter of each path, with a request of it that has a value. */
const parameters = contractPaths.flatMap(({ path, target, schemas }) =>
  Object.entries(schemas).map(([name, schema]) => {
    const [, query = ''] = (contexts[`${path} ${name}`] ?? target).split('?');
    const others = query.split('&').filter((one) => one !== '' && !one.startsWith(`${name}=`));
    const sent = (...values: readonly string[]): string =>
      `${path}?${[...others, ...values.map((value) => `${name}=${value}`)].join('&')}`;
    return { path, name, schema, sent };
  }),
);

/** The parameters with values of a kind, or of a name. */
function ofKind(is: (schema: (typeof parameters)[number]['schema'], name: string) => boolean) {
  const found = parameters.filter(({ schema, name }) => is(schema, name));
  assert.ok(found.length > 2, 'the contract has no such parameter any more');
  return found;
}

const refusal = (target: string) => server.refusal(target);

test('contract 4.1 to 4.20: any value but those of a list gets 400, which names it and lists the valid ones', async () => {
  for (const { name, schema, sent } of ofKind(({ enum: values }) => values !== undefined)) {
    const values = schema.enum ?? [];
    const [first = ''] = values;
    const other = [first.toLowerCase(), first.toUpperCase()];
    for (const wrong of ['x', ...other, `${first} `, `${first},${first}`, '__proto__']) {
      if (values.includes(wrong)) continue;
      const text = await refusal(sent(encodeURIComponent(wrong)));
      assert.ok(text.includes(`«${wrong}»`), text);
      assert.ok(text.includes(name === 'panel' ? 'panel' : `«${name}»`), text);
      assert.ok(text.includes(`: ${values.join(', ')}.`), text);
    }
    const blank = await refusal(sent(''));
    assert.ok(blank.includes(name === 'panel' ? '«»' : `«${name}»`), blank);
  }
});

test('each value of a list is accepted', async () => {
  for (const { path, schema, sent } of ofKind(({ enum: values }) => values !== undefined)) {
    if (path === '/cotizaciones/stream') continue;
    for (const value of schema.enum ?? []) {
      assert.equal((await server.get(sent(value))).status, 200, sent(value));
    }
  }
});

test('contract 2.7, 4.1.7, 4.2.8, 4.4.4, 4.6.5: a field that does not exist gets 400, which names it and lists the valid ones', async () => {
  for (const { name, schema, sent } of ofKind(({ items }) => items?.enum !== undefined)) {
    const values = schema.items?.enum ?? [];
    const [first = ''] = values;
    for (const wrong of [
      '',
      'x',
      first.toUpperCase(),
      `${first},`,
      `,${first}`,
      `${first},toString`,
    ]) {
      const shown = wrong.split(',').find((one) => !values.includes(one));
      assert.equal(
        await refusal(sent(wrong)),
        `El campo «${shown}» no existe. Los valores válidos del parámetro «${name}» son: ${values.join(', ')}.`,
      );
    }
  }
});

test('a date that does not exist or has another format gets 400 with parameter and value', async () => {
  const values = ['2026-02-30', '2025-02-29', '2026-13-01', '0000-01-01', '-2026-01-01', 'ayer'];
  const formats = ['30/02/2024', '20260101', '2024-02-29T00:00:00', '2026-01-01 ', '2024-2-1'];
  for (const { name, sent } of ofKind(({ format }) => format === 'date')) {
    for (const value of [...values, ...formats, '２０２６-01-01']) {
      const text = await refusal(sent(encodeURIComponent(value)));
      assert.ok(text.includes(`«${value}» del parámetro «${name}»`), text);
    }
  }
});

test('a number beyond its limits, or that is none, gets 400 with parameter and limits', async () => {
  for (const { name, schema, sent } of ofKind(({ type }) => type === 'integer')) {
    const { minimum, maximum } = schema;
    const beyond = maximum === undefined ? ['8640000000001'] : ['0', String(maximum + 1)];
    for (const wrong of [...beyond, 'x', '', '1.0', '1.5']) {
      const text = await refusal(sent(wrong));
      assert.ok(text.includes(`«${name}»`), text);
      const limits = maximum === undefined ? '' : `de ${minimum} a ${maximum}.`;
      assert.ok(text.includes(limits), text);
    }
  }
});

test('a parameter that is required is named if it is missing or blank', async () => {
  for (const { name, path, sent } of ofKind(({ required }) => required === true)) {
    const text = await refusal(sent());
    assert.ok(text.includes(`«${name}», que es obligatorio en ${path}.`), text);
    for (const blank of ['', '+']) assert.match(await refusal(sent(blank)), /«/, sent(blank));
  }
});

test('a parameter with one value is refused by name if it is sent twice', async () => {
  for (const { name, sent } of ofKind(({ type }) => type !== 'array')) {
    const text = await refusal(sent('2026-01-01', '2026-01-01'));
    assert.ok(text.includes(`«${name}» se envió más de una vez`), `${sent('2026-01-01')}: ${text}`);
  }
});

test('a closed value or a date that is not well encoded gets 400, and is named', async () => {
  const isClosed = ofKind((one) => (one.enum ?? one.items?.enum ?? one.format) !== undefined);
  for (const { name, sent } of isClosed) {
    const text = await refusal(sent('%zz'));
    assert.ok(text.includes(name === 'panel' ? '«%zz»' : `«${name}»`), text);
    if (name !== 'panel') assert.match(text, /no está bien codificado/);
  }
});

test('a range whose first date is after the last one gets 400 with both dates', async () => {
  for (const { sent, path } of ofKind((_, name) => name === 'hasta')) {
    const target = `${sent('2026-02-01').replace(/desde=[^&]*&/, '')}&desde=2026-02-02`;
    const text = await refusal(target);
    assert.ok(
      text.includes('«desde» (2026-02-02) es posterior al parámetro «hasta» (2026-02-01)'),
      `${path}: ${text}`,
    );
  }
});

test('several tickers get 400 where a path takes one, and the text says so', async () => {
  for (const { path, sent } of ofKind(({ type }, name) => name === 'especie' && type !== 'array')) {
    for (const list of ['AL30,GD30', 'AL30,']) {
      const text = await refusal(sent(list));
      assert.ok(text.includes(`«${list}»`), `${path}: ${text}`);
      assert.ok(text.includes(`En ${path} se admite una sola especie por pedido`), text);
    }
  }
});

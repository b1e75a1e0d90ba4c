import { request as send, type Agent } from 'node:http';

import * as fc from 'fast-check';

import { request as fuzzed } from '../support/http/requests.ts';
import { receiveRaw } from '../support/http/raw-http.ts';
import { tickers } from './market-files.ts';

/** One request of the replay. */
export interface Replayed {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes of a request that no client sends. `KEY` stands for the key. */
  readonly raw?: string;
}

/** A response: the status, the headers in their order, and the bytes of the body. */
export interface Answered {
  readonly head: string;
  readonly body: Buffer;
}

interface Parameter {
  readonly $ref?: string;
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
  readonly schema?: {
    readonly enum?: readonly unknown[];
    readonly items?: { readonly enum?: readonly unknown[] };
  };
}

/** The parsed document at `/openapi.json`. */
export type OpenApi = Readonly<Record<string, unknown>>;

/** Values of the parameters that many paths share. Other parameters take the examples and choices of the document. */
const values: Readonly<Record<string, readonly string[]>> = {
  especie: [
    ...tickers,
    'ggal',
    'GGAL,AL30',
    'AL30,NADA,GGAL',
    'NADA',
    '',
    'DOLAR MEP',
    'TX28,AL30D',
    'GGAL,GGAL',
  ],
  symbol: ['GGAL', 'AL30D', 'NADA', 'BYMA:GGAL', 'DOLAR OFICIAL'],
  symbols: ['GGAL,AL30', 'NADA', 'GGAL,NADA'],
  panel: ['LID', 'BON', 'IND', 'CED', 'MON', 'CRI', 'lid', 'ETF', 'XXX', ''],
  desde: [
    '2026-01-01',
    '2026-11-02',
    '2026-11-20',
    '2025-06-02',
    '2026-02-30',
    'ayer',
    '2020-01-01',
    '',
  ],
  hasta: ['2026-11-20', '2026-11-13', '2026-12-31', '2026-01-01', 'x'],
  ajuste: ['ninguno', 'splits', 'total', 'otro'],
  campos: [
    'apertura,maximo,minimo',
    'compra,venta,instante',
    'fuente',
    'precioPor',
    'minimo',
    'nada',
    '',
  ],
  conocido: [
    '2026-11-19T13:00:00Z',
    '2026-11-20T17:00:00Z',
    '2026-11-20T13:30:00-03:00',
    '2026-11-19T10:00:00+03:00',
    'x',
  ],
  forma: ['larga', 'ancha', 'otra'],
  campo: ['ultimo', 'apertura', 'volumen', 'x'],
  intervalo: ['1m', '5m', '15m', '60m', '2m'],
  precio: ['60.5', '0', '-1', 'x', '60,5'],
  from: ['0', '1760000000', '1763640000', 'x'],
  to: ['1795000000', '1763640000', '1'],
  countback: ['1', '300', '-1'],
  indice: ['CER', 'UVA', 'NADA', 'cer'],
  dolar: ['mep', 'ccl', 'a3500', 'MEP', 'oficial', 'cripto', 'x'],
  base: ['AL30', 'GD30', 'x'],
  buscar: ['gal', 'galicia', 'bono', 'ñandú', ''],
  anio: ['2026', '2027', 'todos', '1999', 'x'],
  limite: ['3', '0', '1000', 'x'],
  limit: ['3', '0', 'x'],
  query: ['GGA', 'bono', ''],
  barras: ['1m', 'x'],
  otro: ['1'],
};

const forms: readonly (readonly [query: string, accept: string])[] = [
  ['', '*/*'],
  ['formato=csv', '*/*'],
  ['formato=csv&decimal=coma', '*/*'],
  ['', 'text/csv'],
  ['formato=ndjson', '*/*'],
  ['formato=xml', '*/*'],
];
const encodings = ['identity', 'gzip', 'br', 'gzip, br;q=0.5'];

function operations(document: OpenApi) {
  const at = (ref: string): unknown =>
    ref
      .split('/')
      .slice(1)
      .reduce<unknown>((found, step) => (found as OpenApi)[step], document);
  const paths = document['paths'] as Readonly<
    Record<string, { readonly get: { readonly parameters?: readonly Parameter[] } }>
  >;
  return Object.entries(paths)
    .filter(([path]) => !path.endsWith('/stream'))
    .map(([path, { get }]) => ({
      path,
      parameters: (get.parameters ?? [])
        .map((one) => (one.$ref === undefined ? one : (at(one.$ref) as Parameter)))
        .filter((one) => one.in === 'query' && !['formato', 'decimal'].includes(one.name)),
    }));
}

function valuesOf({ name, example, examples, schema }: Parameter): readonly string[] {
  const shown = [example, ...Object.values(examples ?? {}).map(({ value }) => value)];
  const choices = schema?.enum ?? schema?.items?.enum ?? [];
  const own = [...shown.filter((value) => value !== undefined), ...choices].map((value) =>
    [value].flat().join(','),
  );
  return [...new Set([...own, ...(values[name] ?? [])])];
}

const encoded = (pairs: readonly (readonly [string, string])[]): string =>
  pairs
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`)
    .join('&');

/** Every example and value of every parameter of the document, and random queries. */
function targets(document: OpenApi, seed: number, perPath: number): readonly string[] {
  return operations(document).flatMap(({ path, parameters }) => {
    const needed = parameters.filter((one) => one.required === true);
    const selecting = parameters.find(({ name }) => name === 'especie' || name === 'panel');
    const standing = (needed.length === 0 && selecting !== undefined ? [selecting] : needed).map(
      (one): readonly [string, string] => [one.name, valuesOf(one)[0] ?? ''],
    );
    const each = parameters.flatMap((one) =>
      valuesOf(one).map((value) => [
        ...standing.filter(([name]) => name !== one.name),
        [one.name, value] as const,
      ]),
    );
    const pair = fc
      .constantFrom(...parameters, { name: 'otro', in: 'query' })
      .chain((one) => fc.tuple(fc.constant(one.name), fc.constantFrom(...valuesOf(one), '')));
    const random = fc.sample(
      fc.array(pair, { maxLength: 4 }).map((more) => [...standing, ...more]),
      { seed, numRuns: parameters.length === 0 ? 1 : perPath },
    );
    return [
      ...new Set(
        [standing, ...each, ...random].map((pairs) =>
          `${path}?${encoded(pairs)}`.replace(/\?$/, ''),
        ),
      ),
    ];
  });
}

/** The requests, always in the same order for the same document and seed. */
export function requests(
  document: OpenApi,
  { seed, perPath }: { readonly seed: number; readonly perPath: number },
): readonly Replayed[] {
  const all = targets(document, seed, perPath);
  const inForms = all.flatMap((target, place) =>
    forms.flatMap(([query, accept], form) => {
      // Each target in JSON and one other form, in turns; the first ones of each path come in all forms.
      if (form !== 0 && (place + form) % (forms.length - 1) !== 0) return [];
      const joint = target.includes('?') ? '&' : '?';
      return [
        {
          method: place % 29 === 7 ? 'HEAD' : 'GET',
          target: query === '' ? target : `${target}${joint}${query}`,
          headers: {
            accept,
            'accept-encoding': encodings[(place + form) % encodings.length] ?? '',
          },
        },
      ];
    }),
  );
  const inUrls = all
    .filter((_, place) => place % 17 === 0)
    .map((target) => ({ method: 'GET', target: `/clave/URLKEY${target}`, headers: {} }));
  const strange = fc
    .sample(fuzzed, { seed, numRuns: perPath * 10 })
    .map(({ method, path, query, version, key, headers }) => {
      const credentials =
        { right: 'Bearer KEY', wrong: 'Bearer pz_0', basic: 'Basic Og==', none: '' }[key] ?? '';
      const lines = headers.map((line) => `${line}\r\n`).join('');
      const authorization = credentials === '' ? '' : `Authorization: ${credentials}\r\n`;
      return {
        method,
        target: `${path}?${query}`,
        headers: {},
        raw: `${method} ${path}?${query}${version}\r\nHost: x\r\n${authorization}${lines}Connection: close\r\n\r\n`,
      };
    })
    .filter(({ raw }) => !raw.includes('/stream'));
  return [...inForms, ...inUrls, ...strange];
}

/** The keys of a build, which differ in both. */
export interface Keys {
  readonly read: string;
  readonly url: string;
}

/** Sends a request, and gives the response as it came. */
export async function exchange(
  { url, agent, keys }: { readonly url: string; readonly agent: Agent; readonly keys: Keys },
  one: Replayed,
): Promise<Answered> {
  if (one.raw !== undefined) {
    const port = Number(new URL(url).port);
    const answer = await receiveRaw(port, one.raw.replace('KEY', keys.read));
    const end = answer.indexOf('\r\n\r\n');
    const head = end === -1 ? answer : answer.subarray(0, end);
    return { head: String(head), body: end === -1 ? Buffer.alloc(0) : answer.subarray(end + 4) };
  }
  return new Promise((resolve, reject) => {
    const outgoing = send(
      `${url}${one.target.replace('URLKEY', keys.url)}`,
      {
        agent,
        method: one.method,
        headers: {
          ...(!one.target.startsWith('/clave') && { authorization: `Bearer ${keys.read}` }),
          ...one.headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const pairs = response.rawHeaders.map(
            (part, place) => part + (place % 2 === 0 ? ': ' : '\n'),
          );
          resolve({
            head: `${response.statusCode}\n${pairs.join('')}`,
            body: Buffer.concat(chunks),
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
}

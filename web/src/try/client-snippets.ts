import { variable, type SentParameter, type SnippetRequest } from './snippet-request.ts';

/** The methods of the clients that are named for paths. `table` requests every other table by its path. */
export const clientMethods: Readonly<Record<string, string>> = {
  '/cotizaciones': 'quotes',
  '/ranking': 'ranking',
  '/cotizaciones/stream': 'stream',
  '/historicos': 'history',
  '/eventos': 'events',
  '/cambios': 'changes',
  '/indices': 'indices',
  '/intradiarios': 'intraday',
  '/recorridos': 'paths',
  '/especies.txt': 'tickers',
  '/especies.json': 'instruments',
  '/mercados': 'markets',
  '/bonos': 'bonds',
  '/bonos/flujos': 'flows',
  '/dolares': 'dollars',
};

/** The method for a request that names an index. */
export const indexMethods: Readonly<Record<string, string>> = {
  '/indices': 'index',
  '/cambios': 'indexChanges',
};

/** A call of a client: its method, the arguments before the named ones, and the named ones. */
interface Call {
  readonly method: string;
  readonly positional: readonly string[];
  readonly named: readonly SentParameter[];
}

/** The request with the TypeScript client of the project. */
export function typescriptClient(request: SnippetRequest): string {
  const { method, positional, named } = callOf(request);
  const fields = named.map(({ name, ...value }) => `${name}: ${literalOf(value)}`);
  const record = fields.length === 0 ? [] : [`{ ${fields.join(', ')} }`];
  const args = [...positional, ...record].join(', ');
  const key =
    request.key === undefined ? `process.env.${variable} ?? ''` : JSON.stringify(request.key);
  return [
    `import { PizarraClient } from 'pizarra-client';`,
    '',
    'const client = new PizarraClient({',
    `  url: ${JSON.stringify(request.service)},`,
    `  key: ${key},`,
    '});',
    ...(request.isStream === true
      ? [
          `for await (const event of client.${method}(${args})) {`,
          '  console.log(event.data);',
          '}',
        ]
      : [
          `const { data } = await client.${method}(${args});`,
          `console.${request.fields.length > 0 ? 'table' : 'log'}(data);`,
        ]),
  ].join('\n');
}

/** The request with the Python client of the project. */
export function pythonClient(request: SnippetRequest): string {
  const { method, positional, named } = callOf(request);
  const name = pythonName(method);
  const keywords = named.map(({ name: keyword, ...value }) => `${keyword}=${literalOf(value)}`);
  const args = [...positional, ...keywords].join(', ');
  const key = request.key === undefined ? `os.environ["${variable}"]` : JSON.stringify(request.key);
  return [
    ...(request.key === undefined ? ['import os', ''] : []),
    'from pizarra_client import Client',
    '',
    `with Client(${JSON.stringify(request.service)}, ${key}) as client:`,
    ...bodyOf(request, `client.${name}(${args})`),
  ].join('\n');
}

/** The name in Python of a method of the TypeScript client. */
export function pythonName(method: string): string {
  return method.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function bodyOf(request: SnippetRequest, call: string): readonly string[] {
  if (request.isStream === true) {
    return [
      `    with ${call} as stream:`,
      '        for event in stream:',
      '            print(event.data)',
    ];
  }
  if (request.csvSeparator !== undefined) return [`    print(${call})`];
  return [`    for row in ${call}:`, '        print(row)'];
}

function callOf({ path, parameters, csvSeparator }: SnippetRequest): Call {
  const named = parameters.filter(({ name }) => name !== 'formato' && name !== 'decimal');
  const search = named.find(({ name }) => name === 'buscar');
  if (csvSeparator !== undefined) {
    const decimal = { name: 'decimal', value: 'coma', isList: false };
    const all = csvSeparator === ';' ? [...named, decimal] : named;
    return { method: 'csv', positional: [JSON.stringify(path)], named: all };
  }
  if (search !== undefined) {
    const others = named.filter((one) => one !== search);
    return { method: 'search', positional: [JSON.stringify(search.value)], named: others };
  }
  const names = named.map(({ name }) => name);
  const method = names.includes('indice') ? indexMethods[path] : clientMethods[path];
  if (method === undefined) return { method: 'table', positional: [JSON.stringify(path)], named };
  return { method, positional: [], named };
}

/** A value in the notation that TypeScript and Python share. */
function literalOf({ value, isList }: Omit<SentParameter, 'name'>): string {
  if (!isList) return JSON.stringify(value);
  const entries = value.split(',').filter((one) => one.trim() !== '');
  return `[${entries.map((one) => JSON.stringify(one)).join(', ')}]`;
}

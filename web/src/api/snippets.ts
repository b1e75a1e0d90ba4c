import { listOf } from './parameter-values.ts';

/** A parameter of a request that has a value. */
interface SentParameter {
  readonly name: string;
  readonly value: string;
  readonly isList: boolean;
}

/** The data of a snippet. */
export interface SnippetRequest {
  readonly url: string;
  /** The URL of the service, without a slash at its end. */
  readonly service: string;
  /** The path of the operation in the contract. */
  readonly path: string;
  readonly parameters: readonly SentParameter[];
  /** The key to include. Without it, the snippets read the key from the environment. */
  readonly key: string | undefined;
  /** The fields of the rows of the response. Empty if the response is text. */
  readonly fields: readonly string[];
  /** Whether the response can be CSV. */
  readonly isTable: boolean;
  /** The separator of the fields, if the response is CSV. */
  readonly csvSeparator?: ',' | ';' | undefined;
  /** Whether the response is a stream of events, which the code reads as it comes. */
  readonly isStream?: boolean;
}

/** The environment variable from which snippets without a key read it. */
const variable = 'PIZARRA_KEY';

/** One request as code for another program. */
export interface Snippet {
  readonly id: 'curl' | 'typescript' | 'python' | 'google' | 'excel' | 'libreoffice';
  readonly title: string;
  readonly text: string;
  /** A note for the user of the snippet. */
  readonly hint: string;
}

/** The same request for a shell, the clients of the project and the spreadsheets. */
export function snippetsOf(sent: SnippetRequest): readonly Snippet[] {
  const request = sent.csvSeparator === undefined ? sent : { ...sent, fields: [] };
  const { key, isTable, isStream = false } = request;
  const hint =
    key === undefined
      ? `Lee la clave de la variable de entorno ${variable}.`
      : 'Incluye la clave: no compartir este texto.';
  const all: readonly (Omit<Snippet, 'text'> & { readonly text: string | undefined })[] = [
    {
      id: 'curl',
      title: 'curl',
      text: isStream ? curl(request).replace('curl -sS', 'curl -sSN') : curl(request),
      hint: isStream ? `${hint} Ctrl+C la termina.` : hint,
    },
    {
      id: 'typescript',
      title: 'TypeScript',
      text: typescriptClient(request),
      hint: `${hint} Usa el cliente del proyecto, pizarra-client.`,
    },
    {
      id: 'python',
      title: 'Python',
      text: pythonClient(request),
      hint: `${hint} Usa el cliente del proyecto, pizarra_client.`,
    },
    {
      id: 'google',
      title: 'Google Sheets',
      text: sheetFormula(request),
      hint: 'Necesita las funciones de docs/pizarra.gs, que se instalan como dice docs/spreadsheets.md. Leen la clave de las propiedades de la planilla.',
    },
    {
      id: 'excel',
      title: 'Excel',
      // A spreadsheet cannot read a stream.
      text: isStream ? undefined : powerQuery(request),
      hint: `Datos › Obtener datos › De otras fuentes › Consulta en blanco. ${
        key === undefined
          ? `Antes, crear el parámetro ${variable} con la clave.`
          : 'La clave queda en el libro.'
      }`,
    },
    {
      id: 'libreoffice',
      title: 'LibreOffice',
      text: isTable
        ? `${curl({ ...request, url: csvUrl(request.url) })} --fail -o pizarra.csv`
        : undefined,
      hint: `${hint} Después: Hoja › Enlaces externos, y el archivo pizarra.csv.`,
    },
  ];
  return all.flatMap(({ text, ...rest }) => (text === undefined ? [] : { ...rest, text }));
}

/** A request as a line of a shell. */
export function curl({ url, key }: Pick<SnippetRequest, 'url' | 'key'>): string {
  const header =
    key === undefined
      ? `"Authorization: Bearer $${variable}"`
      : shellQuote(`Authorization: Bearer ${key}`);
  return `curl -sS -H ${header} ${shellQuote(url)}`;
}

/**
 * The formula language of Power Query in Excel. The formulas of a spreadsheet cannot send a header.
 */
function powerQuery({ url, key, fields, csvSeparator }: SnippetRequest): string {
  const bearer = key === undefined ? `"Bearer " & ${variable}` : quote(`Bearer ${key}`);
  const headers = `[Headers = [Authorization = ${bearer}]]`;
  const answer = `Web.Contents(${quote(url)}, ${headers})`;
  if (csvSeparator !== undefined) {
    const options = `[Delimiter = ${quote(csvSeparator)}, Encoding = 65001]`;
    return `= Table.PromoteHeaders(Csv.Document(${answer}, ${options}))`;
  }
  if (fields.length === 0) return `= Lines.FromBinary(${answer}, null, null, TextEncoding.Utf8)`;
  const columns = `{${fields.map(quote).join(', ')}}`;
  return `= Table.FromRecords(Json.Document(${answer}), ${columns}, MissingField.UseNull)`;
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A text of Power Query, or of a formula of a spreadsheet. */
function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

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
function typescriptClient(request: SnippetRequest): string {
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
function pythonClient(request: SnippetRequest): string {
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
  return `[${listOf(value)
    .map((one) => JSON.stringify(one))
    .join(', ')}]`;
}

/**
 * The request as a function of docs/pizarra.gs. They return quotes and closes. Undefined for another
 * request.
 */
function sheetFormula({ path, parameters }: SnippetRequest): string | undefined {
  const valueOf = (name: string) => parameters.find((one) => one.name === name)?.value ?? '';
  const tickers = listOf(valueOf('especie'));
  if (path === '/cotizaciones') {
    const fields = ['ultimo', 'variacion', 'fecha', 'hora', ...listOf(valueOf('campos'))];
    if (tickers.length > 0) {
      return callInSheet('PIZARRA', [`{${tickers.map(quote).join(';')}}`, quote(fields.join(';'))]);
    }
    if (valueOf('panel') === '') return undefined;
    const names = quote(['especie', ...fields].join(';'));
    return callInSheet('PIZARRA_PANEL', [quote(valueOf('panel')), names]);
  }
  if (path !== '/historicos' || tickers.length === 0) return undefined;
  const args = [...tickers.slice(0, 1), valueOf('desde'), valueOf('hasta'), valueOf('ajuste')];
  const given = args.at(-1) === '' ? args.slice(0, -1) : args;
  return callInSheet('PIZARRA_HISTORICO', given.map(quote));
}

/** A URL whose response is CSV as a spreadsheet in Spanish reads it. */
function csvUrl(url: string): string {
  const [path = '', query = ''] = url.split('?');
  const pairs = query.split('&').filter((pair) => !/^(formato|decimal)=|^$/.test(pair));
  return `${path}?${[...pairs, 'formato=csv', 'decimal=coma'].join('&')}`;
}

/** A spreadsheet in Spanish separates arguments by semicolons. */
function callInSheet(name: string, args: readonly string[]): string {
  return `=${name}(${args.join('; ')})`;
}

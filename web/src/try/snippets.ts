/** One request as code for another program. */
export interface Snippet {
  readonly id: 'curl' | 'javascript' | 'python' | 'sheet';
  readonly title: string;
  readonly text: string;
  /** A note for the user of the snippet. */
  readonly hint: string;
}

/** The data of a snippet. */
export interface SnippetRequest {
  readonly url: string;
  /** The key to include. Without it, the snippets read the key from the environment. */
  readonly key: string | undefined;
  /** The fields of the rows of the response. Empty if the response is text. */
  readonly fields: readonly string[];
  /** The separator of the fields, if the response is CSV. */
  readonly csvSeparator?: ',' | ';' | undefined;
  /** Whether the response is a stream of events, which the code reads as it comes. */
  readonly isStream?: boolean;
}

/** The environment variable from which snippets without a key read it. */
const variable = 'PIZARRA_KEY';

/** The same request for a shell, two languages and a spreadsheet. */
export function snippetsOf(sent: SnippetRequest): readonly Snippet[] {
  const request = sent.csvSeparator === undefined ? sent : { ...sent, fields: [] };
  const fromEnvironment = `Lee la clave de la variable de entorno ${variable}.`;
  const hint = request.key === undefined ? fromEnvironment : 'Incluye la clave.';
  if (request.isStream === true) return streamSnippets(request, hint);
  return [
    { id: 'curl', title: 'curl', text: curl(request), hint },
    {
      id: 'javascript',
      title: 'JavaScript',
      text: javascript(request),
      hint: `${hint} Para Node. No usar en una página web: cualquiera podría leer la clave.`,
    },
    { id: 'python', title: 'Python', text: python(request), hint },
    {
      id: 'sheet',
      title: 'Planilla',
      text: powerQuery(request),
      hint: 'Excel: Datos › Obtener datos › De otras fuentes › Consulta en blanco. Pegar en la barra de fórmulas.',
    },
  ];
}

/** A spreadsheet cannot read a stream. */
function streamSnippets(request: SnippetRequest, hint: string): readonly Snippet[] {
  return [
    {
      id: 'curl',
      title: 'curl',
      text: curl(request).replace('curl -sS', 'curl -sSN'),
      hint: `${hint} Ctrl+C la termina.`,
    },
    {
      id: 'javascript',
      title: 'JavaScript',
      text: streamingJavascript(request),
      hint: `${hint} EventSource no puede enviar la clave. Un programa que debe durar se reconecta con Last-Event-ID.`,
    },
    {
      id: 'python',
      title: 'Python',
      text: streamingPython(request),
      hint: `${hint} Un programa que debe durar se reconecta con Last-Event-ID.`,
    },
  ];
}

function streamingJavascript(request: SnippetRequest): string {
  const [call] = javascript(request).split('console.');
  return [
    `${call}for await (const text of response.body.pipeThrough(new TextDecoderStream())) {`,
    '  process.stdout.write(text);',
    '}',
  ].join('\n');
}

function streamingPython(request: SnippetRequest): string {
  const [call] = python({ ...request, fields: [] }).split('    text =');
  return [
    `${call}    for line in response:`,
    '        print(line.decode(), end="", flush=True)',
  ].join('\n');
}

function curl({ url, key }: SnippetRequest): string {
  const header =
    key === undefined
      ? `"Authorization: Bearer $${variable}"`
      : shellQuote(`Authorization: Bearer ${key}`);
  return `curl -sS -H ${header} ${shellQuote(url)}`;
}

function javascript({ url, key, fields }: SnippetRequest): string {
  const token = key === undefined ? `\${process.env.${variable}}` : key;
  const quote = key === undefined ? '`' : "'";
  return [
    `const response = await fetch(${jsQuote(url)}, {`,
    `  headers: { authorization: ${quote}Bearer ${token}${quote} },`,
    '});',
    'if (!response.ok) throw new Error((await response.json()).error);',
    fields.length > 0
      ? 'console.table(await response.json());'
      : 'console.log(await response.text());',
  ].join('\n');
}

function python({ url, key, fields }: SnippetRequest): string {
  const token = key === undefined ? `f"Bearer {os.environ['${variable}']}"` : `"Bearer ${key}"`;
  return [
    ...(key === undefined ? ['import os'] : []),
    ...(fields.length > 0 ? ['import json'] : []),
    'from urllib.request import Request, urlopen',
    '',
    `request = Request(${jsQuote(url)}, headers={"Authorization": ${token}})`,
    'with urlopen(request) as response:',
    fields.length > 0 ? '    rows = json.load(response)' : '    text = response.read().decode()',
    fields.length > 0 ? 'print(rows)' : 'print(text)',
  ].join('\n');
}

/**
 * The formula language of Power Query in Excel. The formulas of a spreadsheet cannot send a header.
 */
function powerQuery({ url, key, fields, csvSeparator }: SnippetRequest): string {
  const token = key ?? `(${variable})`;
  const headers = `[Headers = [Authorization = ${mQuote(`Bearer ${token}`)}]]`;
  const answer = `Web.Contents(${mQuote(url)}, ${headers})`;
  if (csvSeparator !== undefined) {
    const options = `[Delimiter = ${mQuote(csvSeparator)}, Encoding = 65001]`;
    return `= Table.PromoteHeaders(Csv.Document(${answer}, ${options}))`;
  }
  if (fields.length === 0) return `= Lines.FromBinary(${answer}, null, null, TextEncoding.Utf8)`;
  const columns = `{${fields.map(mQuote).join(', ')}}`;
  return `= Table.FromRecords(Json.Document(${answer}), ${columns}, MissingField.UseNull)`;
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function jsQuote(text: string): string {
  return JSON.stringify(text);
}

function mQuote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

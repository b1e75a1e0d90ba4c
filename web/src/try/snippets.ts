import { pythonClient, typescriptClient } from './client-snippets.ts';
import { variable, type SnippetRequest } from './snippet-request.ts';
import { csvUrl, sheetFormula } from './sheet-snippets.ts';

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
  const hint =
    request.key === undefined
      ? `Lee la clave de la variable de entorno ${variable}.`
      : 'Incluye la clave: no compartir este texto.';
  const isStream = request.isStream === true;
  return [
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
    // A spreadsheet cannot read a stream.
    ...(isStream ? [] : sheets(request, hint)),
  ];
}

function sheets(request: SnippetRequest, hint: string): readonly Snippet[] {
  const formula = sheetFormula(request);
  return [
    ...(formula === undefined
      ? []
      : [
          {
            id: 'google',
            title: 'Google Sheets',
            text: formula,
            hint: 'Necesita las funciones de docs/spreadsheets.md. Leen la clave de las propiedades de la planilla.',
          } as const,
        ]),
    {
      id: 'excel',
      title: 'Excel',
      text: powerQuery(request),
      hint:
        request.key === undefined
          ? `Datos › Obtener datos › De otras fuentes › Consulta en blanco. Antes, crear el parámetro ${variable} con la clave.`
          : 'Datos › Obtener datos › De otras fuentes › Consulta en blanco. La clave queda en el libro.',
    },
    ...(request.isTable
      ? [
          {
            id: 'libreoffice',
            title: 'LibreOffice',
            text: `${curl({ ...request, url: csvUrl(request.url) })} --fail -o pizarra.csv`,
            hint: `${hint} Después: Hoja › Enlaces externos, y el archivo pizarra.csv.`,
          } as const,
        ]
      : []),
  ];
}

function curl({ url, key }: SnippetRequest): string {
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
  const bearer = key === undefined ? `"Bearer " & ${variable}` : mQuote(`Bearer ${key}`);
  const headers = `[Headers = [Authorization = ${bearer}]]`;
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

function mQuote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

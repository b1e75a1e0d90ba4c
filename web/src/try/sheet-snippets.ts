import type { SnippetRequest } from './snippet-request.ts';

/**
 * The request as a function of docs/spreadsheets.md. They return quotes and closes. Undefined for another
 * request.
 */
export function sheetFormula({ path, parameters }: SnippetRequest): string | undefined {
  const valueOf = (name: string) => parameters.find((one) => one.name === name)?.value ?? '';
  const tickers = splitList(valueOf('especie'));
  if (path === '/cotizaciones') {
    const fields = ['ultimo', 'variacion', 'fecha', 'hora', ...splitList(valueOf('campos'))];
    if (tickers.length > 0) {
      return formula('PIZARRA', [`{${tickers.map(quote).join(';')}}`, quote(fields.join(';'))]);
    }
    if (valueOf('panel') === '') return undefined;
    const names = quote(['especie', ...fields].join(';'));
    return formula('PIZARRA_PANEL', [quote(valueOf('panel')), names]);
  }
  if (path !== '/historicos' || tickers.length === 0) return undefined;
  const args = [...tickers.slice(0, 1), valueOf('desde'), valueOf('hasta'), valueOf('ajuste')];
  const given = args.at(-1) === '' ? args.slice(0, -1) : args;
  return formula('PIZARRA_HISTORICO', given.map(quote));
}

/** A URL whose response is CSV as a spreadsheet in Spanish reads it. */
export function csvUrl(url: string): string {
  const [path = '', query = ''] = url.split('?');
  const pairs = query.split('&').filter((pair) => !/^(formato|decimal)=|^$/.test(pair));
  return `${path}?${[...pairs, 'formato=csv', 'decimal=coma'].join('&')}`;
}

/** A spreadsheet in Spanish separates arguments by semicolons. */
function formula(name: string, args: readonly string[]): string {
  return `=${name}(${args.join('; ')})`;
}

function splitList(value: string): readonly string[] {
  return value.split(',').filter((one) => one.trim() !== '');
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

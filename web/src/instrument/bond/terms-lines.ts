import type { InstrumentInfo } from '../../market/api/quote.ts';
import { formatDay } from '../../market/format/numbers.ts';

/** The fields of `/especies.json` with the terms of a bond. */
export const termsFields =
  'isin,emisor,ley,monedaPagos,opcion,terminos,terminosRevisados,terminosFuentes';

const laws = { AR: 'Argentina', NY: 'Nueva York' } as const;

/** The known terms of a bond, each with its name. */
export function termsLines(info: InstrumentInfo): readonly (readonly [string, string])[] {
  const { isin, emisor, ley, monedaPagos, opcion, terminosRevisados, terminosFuentes } = info;
  const lines: readonly (readonly [string, string | undefined])[] = [
    ['Emisor', emisor],
    ['ISIN', isin],
    ['Ley', ley === undefined ? undefined : laws[ley]],
    ['Moneda de los pagos', monedaPagos],
    ['Opción', opcion === undefined ? undefined : `${opcion} (no se valúa)`],
    ['Condiciones', certaintyOf(info)],
    ['Revisadas', terminosRevisados === undefined ? undefined : formatDay(terminosRevisados)],
    ['Fuentes', terminosFuentes],
  ];
  return lines.flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const]));
}

/** How certain the terms are. */
function certaintyOf({ terminos }: InstrumentInfo): string {
  if (terminos === 'verificado') return 'verificadas: al menos dos fuentes coinciden';
  if (terminos === undefined) return 'en duda: nadie las verificó';
  return `en duda: ${terminos.replace(/-?en-duda$/, '').replaceAll('-', ' ')}`;
}

import type { AnyOperation } from '../../src/contract/operation.ts';
import { formatInputs } from '../../src/contract/table-format.ts';
import { chartsSection } from './charts.ts';
import { historySection } from './history.ts';
import { instrumentsSection } from './instruments.ts';
import { openbbSection } from './openbb.ts';
import { inWords, isTable, operationOf, parameterOf, rowSchemas, type Section } from './path.ts';
import { quotesSection } from './quotes.ts';
import { headerComponents, responseComponents } from './responses.ts';
import { prose, text, type Schema } from './schema.ts';
import { serviceSection } from './service.ts';

const sections: readonly Section[] = [
  quotesSection,
  historySection,
  instrumentsSection,
  chartsSection,
  openbbSection,
  serviceSection,
];

/** The paths of the contract, in the order of the document. */
export const operations: readonly AnyOperation[] = sections.flatMap(({ paths }) =>
  paths.map(({ of }) => of),
);

/** The paths whose response is rows, in the order of the document. */
const tables = sections.flatMap(({ paths }) =>
  paths.flatMap((one) => (isTable(one) ? [`\`${one.of.path}\``] : [])),
);

/** The paths with an entity tag that are neither tables nor below `/udf`. */
const tagged = sections.flatMap(({ paths }) =>
  paths.flatMap((one) => (isTable(one) || one.kind !== undefined ? [] : [`\`${one.of.path}\``])),
);

/** The text of the whole service. The name of a limit in braces is replaced by its value: "500", "5 s", "16384 bytes". */
const description = [
  'Servicio de solo lectura con las últimas cotizaciones y la serie histórica de precios de cierre de acciones, bonos, índices, tipos de cambio, CEDEARs, ADRs, ETFs y criptomonedas, del mercado argentino y de los mercados internacionales.',
  '**Acceso.** Todo pedido lleva la clave de acceso en el encabezado `Authorization: Bearer <API_KEY>`. La clave no debe figurar en código que se ejecuta en el navegador ni en una URL. Se recomienda renovarla periódicamente. Sin una clave válida, la respuesta es siempre 401, también en rutas que no existen. Solo este documento (`/openapi.json`), el control de estado (`/healthz`) y las páginas del sitio de prueba no requieren clave.',
  '**Especies.** Cada instrumento se identifica con su especie. Las acciones y los bonos locales usan su código simple (`GGAL`, `AL30`). Las acciones de Estados Unidos llevan el sufijo `_US` (`AAPL_US`). Las criptomonedas no llevan sufijo (`BTC`). Una especie puede contener espacios (`DOLAR MEP`), que en la URL se escriben `%20` o `+`. No se distinguen mayúsculas de minúsculas y se ignoran los espacios sobrantes. La respuesta contiene siempre la especie en su forma canónica.',
  '**Números.** Los precios tienen la menor cantidad de decimales que representa el valor, sin exponentes. Las variaciones se redondean a dos decimales; los empates se redondean alejándose de cero. Un campo desconocido está ausente o es `null`, nunca cero.',
  '**Errores.** El cuerpo es siempre `{"error": "…"}`, con un texto para personas; bajo `/udf` lleva además `s` y `errmsg`. Una ruta que no existe responde 404. `HEAD` responde como `GET`, sin cuerpo. Los demás métodos responden 405.',
  `**Formatos.** Las tablas (${inWords(tables)}) responden JSON. Con \`formato=csv\`, o con \`Accept: text/csv\`, responden las mismas filas como CSV (RFC 4180): una línea de encabezado con los nombres de los campos, líneas terminadas en CRLF, y una celda vacía si el campo está ausente o es \`null\`. Con \`decimal=coma\`, los números del CSV llevan coma decimal y los campos se separan con punto y coma, como los leen las planillas de cálculo en español. \`formato\` tiene prioridad sobre \`Accept\`, cuyos valores de calidad (\`q\`) se respetan. Sin \`formato\` ni \`Accept\`, con \`*/*\`, o si ningún formato es aceptable, la respuesta es JSON. A un texto que una planilla ejecutaría como fórmula se le antepone un apóstrofo. Con \`formato=ndjson\`, o con \`Accept: application/x-ndjson\`, la respuesta tiene los mismos objetos que el JSON, uno por línea. En este documento, los parámetros \`formato\` y \`decimal\` y las respuestas CSV y NDJSON están en las extensiones \`x-csv\`.`,
  `**Pedidos condicionales.** Las respuestas de ${[...tables, ...tagged].join(', ')} y las rutas bajo \`/udf\`, y este documento, llevan un \`ETag\` fuerte. Si el cliente lo envía en \`If-None-Match\` y nada cambió, la respuesta es 304, sin cuerpo. Se recomienda a los clientes que consultan con frecuencia. \`/historicos\` lleva además \`Last-Modified\` y admite \`If-Modified-Since\`.`,
  '**Compresión.** Según `Accept-Encoding`, esas mismas respuestas se comprimen con `br`, `zstd` o `gzip`. Las respuestas cortas, y las que todavía no se comprimieron, se envían sin comprimir.',
  '**Límites.** La línea del pedido admite hasta {requestLineBytesMax} (414). La línea y los encabezados juntos admiten hasta {requestHeadBytesMax} (431). Los encabezados deben llegar en {headersTimeoutMs}, y el pedido completo en {requestTimeoutMs} (408).',
  '**Cantidad de pedidos.** Una clave puede tener un límite, según su plan. Una clave sin plan admite {defaultPlan}. Si hay un límite, todas las respuestas, también las de error, llevan los encabezados `RateLimit-Policy` y `RateLimit`, que indican el límite vigente: si varios nodos atienden los pedidos, puede ser la parte del nodo que respondió. Los pedidos que superan el límite reciben 429 con `Retry-After`. Los pedidos sin una clave válida se cuentan por dirección de red y no afectan a los que llevan una clave válida: cada dirección admite {failuresPerAddress}.',
  '**Claves en la URL.** {urlKeys}',
  '**Navegadores.** {corsOrigins} El `EventSource` de los navegadores no puede enviar la clave: leer `/cotizaciones/stream` con `fetch`, con el cliente `pizarra-client` o a través de un servidor propio.',
];

/**
 * What every table also answers. It stands apart, because it would give a generated client the type "rows or text" for
 * the response to every request.
 */
const formats = {
  parameters: Object.entries(formatInputs).map(([name, input]) => parameterOf(name, input)),
  content: {
    'application/x-ndjson': { schema: text(undefined, { pattern: '^(\\{[^\\r\\n]*\\}\\n)*$' }) },
  },
};

/** The OpenAPI document of the service. `contract/openapi.json` has it. */
export function makeDocument(): Schema {
  const paths = sections.flatMap(({ tag, paths: own }) => own.map((one) => operationOf(tag, one)));
  const schemas = sections.flatMap(({ paths: own, rows = {}, schemas: further }) => [
    ...Object.entries(further),
    ...own.flatMap((one) => Object.entries(rowSchemas(one.of, rows))),
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'API de cotizaciones',
      version: '5.0.0',
      summary: 'Cotizaciones en tiempo real y series históricas de precios de cierre.',
      description: prose(description),
      contact: { name: 'El operador de esta instalación' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'Esta instalación.' }],
    security: [{ bearerAuth: [] }],
    'x-csv': formats,
    tags: sections.map(({ tag, description: about }) => ({ name: tag, description: about })),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        bearerAuth: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'API key',
          description: 'Clave de acceso del cliente, `pz_…`.',
        },
      },
      headers: headerComponents(),
      responses: responseComponents(),
      schemas: Object.fromEntries(schemas),
    },
  };
}

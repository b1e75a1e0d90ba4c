import {
  appsJson,
  especiesTxt,
  listText,
  openapiJson,
  tickerOptions,
  widgetsJson,
} from '../../contract/paths/texts.ts';
import { wholeText } from '../../contract/table.ts';
import type { Operation } from '../../contract/operation.ts';
import type { RateLimit } from '../../domain/access/rate-limit.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { appsJson as appsBody } from '../../contract/openbb/apps.ts';
import { tickerOptions as optionsOf } from '../../contract/openbb/widget.ts';
import { widgetsOf } from '../../contract/openbb/widgets.ts';
import { answers, type Answering, type ResponseSource } from '../answers/answers.ts';
import type { Route } from '../handler/request.ts';

/** The paths whose bodies depend on the universe and the settings alone. */
export function textRoutes(
  {
    universe,
    openapi,
    basePath,
    figures,
  }: {
    readonly universe: Universe;
    /** Gives the OpenAPI document, parsed. Called when it is rendered. */
    readonly openapi: () => Readonly<Record<string, unknown>>;
    readonly basePath: string;
    /** The limits that the OpenAPI document names. */
    readonly figures: ContractFigures;
  },
  answering: Answering,
): readonly Route[] {
  function route<Query>(
    operation: Operation<Query>,
    render: (query: Query) => string,
    { type, ...further }: { readonly type?: string } & Parameters<typeof answers>[3] = {},
  ): Route {
    const open = (query: Query): ResponseSource => ({
      madeOf: () => [],
      answer: () => ({ rows: wholeText(() => render(query), type) }),
    });
    return answers(operation, open, answering, further);
  }
  return [
    route(especiesTxt, ({ panel }) => listText(universe.listOf(panel)), {
      type: 'text/plain; charset=utf-8',
      opensToUrlKeys: true,
    }),
    route(widgetsJson, () => JSON.stringify(widgetsOf(universe))),
    route(appsJson, () => appsBody(widgetsOf(universe))),
    route(tickerOptions, ({ panel }) => JSON.stringify(optionsOf(universe.listOf(panel)))),
    route(
      openapiJson,
      () => {
        const servers = [{ url: basePath === '' ? '/' : basePath }];
        return JSON.stringify({ ...fillFigures(openapi(), figures), servers });
      },
      { scope: undefined },
    ),
  ];
}

/** The limits that the OpenAPI document states, with their configured values. */
export interface ContractFigures {
  readonly tickersPerRequestMax: number;
  /** Maximum number of rows of `/historicos` with `forma`. */
  readonly historyRowsMax: number;
  readonly requestLineBytesMax: number;
  readonly requestHeadBytesMax: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly streamsPerKeyMax: number;
  readonly streamHeartbeatMs: number;
  readonly streamStallMs: number;
  /** Minimum number of sessions whose bars are kept. */
  readonly intradaySessions: number;
  /** The limit of a key without a plan; undefined for none. */
  readonly defaultPlan: RateLimit | undefined;
  /** The limit of requests without a valid key; undefined for none. */
  readonly failuresPerAddress: RateLimit | undefined;
  /** Whether scripts of other origins may read responses. The document does not name the origins. */
  readonly corsOrigins: boolean;
  /** Whether keys in URLs are accepted. */
  readonly urlKeys: boolean;
}

const placeholder = /\{([a-z]+[A-Z]\w*)\}/g;

/**
 * Fills the configured limits into the OpenAPI document: in every text, the name of a limit in
 * braces is replaced by its value. Times are shown in seconds, sizes in bytes, and rates in words.
 *
 * @throws when the document names an unknown limit.
 */
export function fillFigures<T>(document: T, figures: ContractFigures): T {
  const values = new Map(Object.entries(figures).map(([name, value]) => [name, text(name, value)]));
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return fillText(value, values);
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fill(one)]));
  };
  return fill(document) as T;
}

function fillText(template: string, figures: ReadonlyMap<string, string>): string {
  return template.replaceAll(placeholder, (_, name: string) => {
    const figure = figures.get(name);
    if (figure !== undefined) return figure;
    throw new Error(`the OpenAPI document names an unknown limit {${name}}`);
  });
}

function text(name: string, figure: ContractFigures[keyof ContractFigures]): string {
  if (typeof figure === 'boolean')
    return name === 'urlKeys' ? urlKeysText(figure) : corsText(figure);
  if (typeof figure !== 'number') return rateText(figure);
  if (name.endsWith('Ms')) return `${String(figure / 1_000).replace('.', ',')} s`;
  return name.endsWith('BytesMax') ? `${figure} bytes` : String(figure);
}

/** A rate in words: `60 pedidos por minuto, y hasta 20 seguidos`. */
function rateText(limit: RateLimit | undefined): string {
  if (limit === undefined) return 'una cantidad ilimitada de pedidos';
  const { requests, seconds, burst } = limit;
  const period = periods.get(seconds) ?? `cada ${seconds} s`;
  return `${count(requests)} ${period}, y hasta ${burst} ${burst === 1 ? 'seguido' : 'seguidos'}`;
}

const periods: ReadonlyMap<number, string> = new Map([
  [1, 'por segundo'],
  [60, 'por minuto'],
  [3_600, 'por hora'],
  [86_400, 'por día'],
]);

function count(requests: number): string {
  return requests === 1 ? '1 pedido' : `${requests} pedidos`;
}

function corsText(isAllowed: boolean): string {
  return isAllowed
    ? 'Solo los scripts de los orígenes que configuró el operador pueden leer las respuestas (CORS).'
    : 'Los scripts de otros orígenes no pueden leer las respuestas (CORS deshabilitado).';
}

function urlKeysText(areAccepted: boolean): string {
  return areAccepted
    ? 'Para las herramientas que solo admiten una URL, el operador entrega claves de consulta (`pzc_…`), que se escriben en la ruta: `/clave/CLAVE/cotizaciones?panel=LID`. Abren con GET y HEAD las tablas, salvo `/cambios`, y `/especies.txt`, nada más, y siempre vencen. Toda respuesta bajo `/clave/` lleva `Cache-Control: private, no-store`. Quien ve la URL puede usar la clave.'
    : 'Las claves en la URL están deshabilitadas.';
}

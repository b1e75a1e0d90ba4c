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
import type { Universe } from '../../domain/instruments/universe.ts';
import { appsJson as appsBody } from '../../contract/openbb/apps.ts';
import { tickerOptions as optionsOf } from '../../contract/openbb/widget.ts';
import { widgetsOf } from '../../contract/openbb/widgets.ts';
import { fillFigures, type ContractFigures } from '../../wire/texts/contract-figures.ts';
import { answers, type Answering } from '../answers/answers.ts';
import type { Route } from '../handler/visit.ts';
import { contentRoute } from './content-route.ts';

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
    { type, ...further }: { readonly type?: string } & Parameters<typeof contentRoute>[1] = {},
  ): Route {
    const open = (query: Query): ReturnType<Parameters<typeof answers<Query>>[1]> => ({
      madeOf: () => [],
      answer: () => ({ rows: wholeText(() => render(query), type) }),
    });
    return contentRoute(answers(operation, open, answering), further);
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

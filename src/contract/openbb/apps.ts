import { tickerParam, type Widget } from './widget.ts';

/** A place of a widget in a grid of 40 columns: left, top, width, height. */
type Place = readonly [widgetId: string, x: number, y: number, w: number, h: number];

/** A tab of the app: its name for people, and its widgets. */
interface AppTab {
  readonly name: string;
  readonly places: readonly Place[];
}

/** The tabs by their ids, in order. */
const tabs: Readonly<Record<string, AppTab>> = {
  mercado: {
    name: 'Mercado',
    places: [
      ['pizarra_panel', 0, 0, 20, 14],
      ['pizarra_historico', 20, 0, 20, 14],
      ['pizarra_ranking', 0, 14, 20, 14],
      ['pizarra_indicadores', 20, 14, 20, 14],
    ],
  },
  especie: {
    name: 'Especie',
    places: [
      ['pizarra_grafico', 0, 0, 40, 20],
      ['pizarra_intradia', 0, 20, 20, 14],
      ['pizarra_eventos', 20, 20, 20, 14],
      ['pizarra_historico_moneda', 0, 34, 40, 14],
    ],
  },
  dolar: {
    name: 'Dólar',
    places: [
      ['pizarra_dolares', 0, 0, 20, 20],
      ['pizarra_dolar', 20, 0, 20, 20],
    ],
  },
  bonos: {
    name: 'Bonos',
    places: [
      ['pizarra_bonos', 0, 0, 40, 16],
      ['pizarra_historia_bono', 0, 16, 40, 14],
      ['pizarra_flujos', 0, 30, 20, 14],
      ['pizarra_indices', 20, 30, 20, 14],
    ],
  },
};

/** Widgets that show the same ticker. A click on a ticker in one of them changes it in all of them. */
interface AppGroup {
  readonly name: string;
  /** `endpointParam` where the options of the parameter come from another path. */
  readonly type: 'endpointParam' | 'param';
  readonly widgetIds: readonly string[];
}

const groups: readonly AppGroup[] = [
  {
    name: 'Especie',
    type: 'endpointParam',
    widgetIds: [
      'pizarra_panel',
      'pizarra_ranking',
      'pizarra_indicadores',
      'pizarra_historico',
      'pizarra_historico_moneda',
      'pizarra_intradia',
      'pizarra_eventos',
    ],
  },
  {
    name: 'Bono',
    type: 'param',
    widgetIds: ['pizarra_bonos', 'pizarra_historia_bono', 'pizarra_flujos'],
  },
];

/**
 * The body of `/apps.json`: one app that shows the widgets in tabs (contract 4.17). A widget that does not exist
 * is left out, and so is a group or a tab without widgets.
 */
export function appsJson(widgets: Readonly<Record<string, Widget>>): string {
  const shownGroups = groups.flatMap((group) => {
    const members = group.widgetIds.flatMap((id) => {
      const widget = widgets[id];
      return widget === undefined ? [] : [{ id, tickers: tickersOf(widget) }];
    });
    const [defaultValue] = members.flatMap(({ tickers }) => tickers);
    const widgetIds = members.map(({ id }) => id);
    return defaultValue === undefined
      ? []
      : [{ ...group, paramName: tickerParam, defaultValue, widgetIds }];
  });
  const groupsOf = (id: string): readonly string[] =>
    shownGroups.filter(({ widgetIds }) => widgetIds.includes(id)).map(({ name }) => name);
  const shownTabs = Object.entries(tabs).flatMap(([id, { name, places }]) => {
    const layout = places
      .filter(([widgetId]) => widgetId in widgets)
      .map(([i, x, y, w, h]) => ({ i, x, y, w, h, groups: groupsOf(i) }));
    return layout.length === 0 ? [] : [[id, { id, name, layout }] as const];
  });
  const app = {
    name: 'Pizarra',
    img: '',
    img_dark: '',
    img_light: '',
    description: 'Cotizaciones, cierres, dólares, bonos y gráficos del mercado argentino',
    allowCustomization: true,
    tabs: Object.fromEntries(shownTabs),
    groups: shownGroups,
    prompts: [],
  };
  return JSON.stringify([app]);
}

/** The ticker that a widget shows at first, in a list. It is empty for a widget of no single ticker. */
function tickersOf(widget: Widget): readonly string[] {
  if (widget.type !== 'table') return [];
  return widget.params
    .filter(({ paramName }) => paramName === tickerParam)
    .map(({ value }) => value);
}

import { tickerParam } from './widget-columns.ts';
import type { WidgetOption, WidgetParam } from './widget.ts';

/** The path of the options of a ticker, relative to the address of the service (contract 4.17.5). */
export const tickerOptionsPath = 'widgets/especies.json';

/** A choice among all instruments. The list is long, so that it is not repeated in each widget. */
export function tickerParamOf(value: string): WidgetParam {
  return {
    paramName: tickerParam,
    type: 'endpoint',
    value,
    label: 'Especie',
    description: 'Especie cuyos datos se muestran',
    optionsEndpoint: tickerOptionsPath,
    style: { popupWidth: 450 },
  };
}

/** A choice among a few values. */
export function choiceParam(
  paramName: string,
  {
    value,
    label,
    description,
    options,
  }: Pick<WidgetParam, 'value' | 'label' | 'description'> & {
    readonly options: readonly WidgetOption[];
  },
): WidgetParam {
  return { paramName, type: 'text', value, label, description, options };
}

/** A choice among panels. */
export function panelParam(options: readonly WidgetOption[], value: string): WidgetParam {
  return choiceParam('panel', {
    value,
    label: 'Panel',
    description: 'Grupo de especies',
    options,
  });
}

/** A date that bounds the rows. */
export function dateParam(paramName: 'desde' | 'hasta', value: string): WidgetParam {
  const [label, description] =
    paramName === 'desde'
      ? ['Desde', 'Primera fecha, incluida']
      : ['Hasta', 'Última fecha, incluida'];
  return { paramName, type: 'date', value, label, description };
}

/** A parameter that a user does not see. */
export function fixedParam(paramName: string, value: string, label: string): WidgetParam {
  return {
    paramName,
    type: 'text',
    value,
    label,
    description: 'Se envía siempre con este valor',
    show: false,
  };
}

/** The options of values by their name for people, in order. */
export function optionsOf(names: Readonly<Record<string, string>>): readonly WidgetOption[] {
  return Object.entries(names).map(([value, label]) => ({ label, value }));
}

/** A value that most users want if it is among the options, else the first of them. */
export function preferred(options: readonly WidgetOption[], wanted: string): string | undefined {
  return (options.find(({ value }) => value === wanted) ?? options[0])?.value;
}

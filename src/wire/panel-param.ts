import { isPanelCode, panelCodes } from '../domain/panel.ts';
import type { PanelCode } from '../domain/panel.ts';
import type { Parsed } from '../domain/problem.ts';

/**
 * The panel that the values of the `panel` parameter name; undefined when it was not sent. An empty
 * value was sent, and is not one of the eleven.
 *
 * Sources: specification 4.1 rule 2; decisions rows 7 and 8.
 */
export function parsePanel(values: readonly string[]): Parsed<PanelCode | undefined> {
  const [value] = values;
  if (value === undefined) return { ok: true, value: undefined };
  if (values.length > 1) return { ok: false, problem: { type: 'panel-repeated' } };
  if (isPanelCode(value)) return { ok: true, value };
  return { ok: false, problem: { type: 'panel-unknown', value, valid: panelCodes } };
}

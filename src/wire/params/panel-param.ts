import { isPanelCode, panelCodes, type PanelCode } from '../../domain/instruments/panel.ts';
import type { Parsed } from '../../domain/values/problem.ts';

/**
 * Parses the values of the `panel` parameter (contract 4.1.2). The result is undefined when the
 * parameter was not sent. An empty value is not a panel code.
 */
export function parsePanel(values: readonly string[]): Parsed<PanelCode | undefined> {
  const [value] = values;
  if (value === undefined) return { ok: true, value: undefined };
  if (values.length > 1) return { ok: false, problem: { type: 'panel-repeated' } };
  if (isPanelCode(value)) return { ok: true, value };
  return { ok: false, problem: { type: 'panel-unknown', value, valid: panelCodes } };
}

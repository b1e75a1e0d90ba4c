import type { ActionRow } from '../../market/api/series-rows.ts';
import { formatDay, formatPrice } from '../../market/format/numbers.ts';
import type { Bar, ChartTime } from './bars.ts';

interface ActionName {
  /** The text of its mark on the chart. */
  readonly letter: string;
  readonly name: string;
}

/** The names of the types of corporate actions. */
export const actionNames: Readonly<Record<ActionRow['tipo'], ActionName>> = {
  split: { letter: 'S', name: 'Split' },
  'dividendo-acciones': { letter: 'A', name: 'Dividendo en acciones' },
  dividendo: { letter: 'D', name: 'Dividendo' },
  ratio: { letter: 'R', name: 'Cambio de ratio' },
  suscripcion: { letter: 'P', name: 'Derechos de suscripción' },
  escision: { letter: 'E', name: 'Escisión' },
  'cambio-ticker': { letter: 'T', name: 'Cambio de especie' },
};

/** The mark of the actions of one bar. */
export interface ActionMark {
  readonly time: ChartTime;
  readonly actions: readonly ActionRow[];
}

/**
 * The marks of corporate actions. An action is marked at the first bar of its ex date or, without
 * one, of the session that follows. Actions outside the bars have no mark.
 */
export function marksOf(
  actions: readonly ActionRow[],
  bars: readonly Bar[],
): readonly ActionMark[] {
  const firstDay = bars[0]?.day;
  if (firstDay === undefined) return [];
  const marked = new Map<ChartTime, ActionRow[]>();
  for (const action of actions) {
    const bar = action.fecha < firstDay ? undefined : bars.find(({ day }) => day >= action.fecha);
    if (bar === undefined) continue;
    const known = marked.get(bar.time);
    if (known === undefined) marked.set(bar.time, [action]);
    else known.push(action);
  }
  return [...marked].map(([time, own]) => ({ time, actions: own }));
}

/** The letters of a mark: `S D`. */
export function lettersOf({ actions }: ActionMark): string {
  return [...new Set(actions.map(({ tipo }) => actionNames[tipo].letter))].join(' ');
}

/** The value of an action: `10 por 1`, `1 por 10`, `+9 %`, `12,50 ARS`, `FB_US → META_US`. */
export function actionValue({
  especie,
  tipo,
  factor,
  importe,
  moneda,
  detalle,
}: ActionRow): string {
  if (tipo === 'cambio-ticker') return `${especie} → ${detalle ?? ''}`;
  if (tipo === 'dividendo') return `${formatPrice(importe)} ${moneda ?? ''}`.trim();
  if (factor === undefined) return '';
  if (tipo === 'suscripcion' || tipo === 'escision') return `factor ${formatFactor(factor)}`;
  if (tipo === 'dividendo-acciones') return `+${formatFactor((factor - 1) * 100)}\u00a0%`;
  return factor >= 1 ? `${formatFactor(factor)} por 1` : `1 por ${formatFactor(1 / factor)}`;
}

/** One action in a sentence: `Split 10 por 1 (24/08/2026)`. */
export function actionText(action: ActionRow): string {
  return `${actionNames[action.tipo].name} ${actionValue(action)} (${formatDay(action.fecha)})`;
}

/** The omitted dividends of a series as text: `24/08/2026, 25/11/2026 y 3 más`. */
export function omittedText(names: readonly string[]): string {
  const others = /^…\+(\d+)$/.exec(names.at(-1) ?? '')?.[1];
  const dates = (others === undefined ? names : names.slice(0, -1)).map(formatDay).join(', ');
  return others === undefined ? dates : `${dates} y ${others} más`;
}

const factorFormat = new Intl.NumberFormat('es-AR', { maximumFractionDigits: 6 });

function formatFactor(value: number): string {
  return factorFormat.format(value);
}

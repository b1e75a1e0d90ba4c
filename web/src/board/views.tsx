import type { FunctionComponent } from 'preact';

import type { RequestedField } from '../market/api/quote.ts';
import { requestedFields, type ColumnField } from '../market/columns.ts';
import { detailFields } from '../market/detail-fields.ts';
import type { BoardPlace, ViewCode } from '../places/route.ts';
import { lazy } from '../ui/lazy.tsx';
import { hasPane } from './pane/pane-layout.ts';
import { hasBonds } from './state/board-source.ts';
import { chosenFields } from './state/chosen-columns.ts';
import type { ViewProps } from './state/board-context.ts';
import { TableView } from './table/board-table.tsx';

/** A way in which a board shows its quotes. */
interface View {
  readonly name: string;
  /** Absent if all boards offer the view. */
  readonly isFor?: (place: BoardPlace) => boolean;
  /** The fields that the view requests in addition. */
  readonly fields?: (place: BoardPlace) => readonly RequestedField[];
  /** The columns that the view shows and the board exports. Absent for a view with an export of its own. */
  readonly columns?: () => readonly ColumnField[];
  readonly Content: FunctionComponent<ViewProps>;
}

const withAmounts = () => ['monto'] as const;

/** The views. Only the table is part of the first download, because most boards are opened as it. */
export const views: Readonly<Record<ViewCode, View>> = {
  tabla: {
    name: 'Tabla',
    fields: (place) => {
      const fields = requestedFields(chosenFields.value);
      return hasPane(place) ? [...new Set([...fields, ...detailFields])].toSorted() : fields;
    },
    columns: () => chosenFields.value,
    Content: TableView,
  },
  graficos: {
    name: 'Gráficos',
    columns: () => ['ultimo', 'variacion', 'volumen', 'hora'],
    Content: lazy(async () => (await import('./charts/chart-grid.tsx')).ChartGrid),
  },
  mapa: {
    name: 'Mapa',
    fields: withAmounts,
    columns: () => ['ultimo', 'variacion', 'monto', 'hora'],
    Content: lazy(async () => (await import('./heatmap/heat-map.tsx')).HeatMap),
  },
  ranking: {
    name: 'Ranking',
    fields: withAmounts,
    columns: () => ['ultimo', 'variacion', 'monto', 'hora'],
    Content: lazy(async () => (await import('./ranking/ranking-view.tsx')).RankingView),
  },
  curva: {
    name: 'Curva',
    isFor: hasBonds,
    columns: () => ['ultimo', 'vencimiento', 'tir', 'durationModificada', 'paridad', 'hora'],
    Content: lazy(async () => (await import('./curve/curve-view.tsx')).CurveView),
  },
  calendario: {
    name: 'Calendario',
    isFor: (place) => place.page === 'list' || hasBonds(place),
    Content: lazy(async () => (await import('./calendar/calendar-view.tsx')).CalendarView),
  },
  mural: {
    name: 'Mural',
    // A button offers it, because it fills the screen.
    isFor: () => false,
    Content: lazy(async () => (await import('./wall/wall-board.tsx')).WallBoard),
  },
};

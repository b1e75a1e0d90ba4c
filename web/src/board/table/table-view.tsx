import { useComputed } from '@preact/signals';

import { lazy } from '../../ui/lazy.tsx';
import { PaneDivider } from '../pane/pane-divider.tsx';
import { hasPane, paneWidth } from '../pane/pane-layout.ts';
import type { ViewProps } from '../state/view-props.ts';
import { BoardTable } from './board-table.tsx';

// The pane is part of boards on wide screens alone.
const InstrumentPane = lazy(
  async () => (await import('../pane/instrument-pane.tsx')).InstrumentPane,
);

/** The table of a board and, beside it, the instrument of the chosen row. */
export function TableView(view: ViewProps) {
  const { place, live, shown, chosen } = view;
  const isPaneOpen = hasPane(place);
  /** The instrument in the pane. A filter may hide its row. */
  const beside = useComputed(() => {
    const { value } = chosen;
    const isMember = value !== undefined && live.tickers.value.includes(value);
    return isMember ? value : shown.value[0];
  });
  return (
    <div class="board-split view filling" style={{ '--pane': `${paneWidth.value}px` }}>
      <BoardTable {...view} beside={isPaneOpen ? beside : undefined} />
      {isPaneOpen && (
        <>
          <PaneDivider />
          <div class="pane-frame">
            <InstrumentPane {...view} ticker={beside} />
          </div>
        </>
      )}
    </div>
  );
}

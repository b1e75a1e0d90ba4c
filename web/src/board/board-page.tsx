import { useComputed, useSignal } from '@preact/signals';
import type { Signal } from '@preact/signals';

import { usableKey } from '../key/api-key.ts';
import { KeyNeeded } from '../key/key-needed.tsx';
import { panels } from '../market/contract.ts';
import { useLiveQuotes } from '../market/use-live-quotes.ts';
import type { LiveQuotes } from '../market/live-quotes.ts';
import { book } from '../shell/preferences.ts';
import { usePageTitle } from '../shell/use-page-title.ts';
import { BoardTable } from './board-table.tsx';
import { BoardToolbar } from './board-toolbar.tsx';
import { BrokenLine } from './broken-line.tsx';
import { bookFields } from './columns.ts';
import { foldText, matches } from './match-text.ts';
import { PanelTabs } from './panel-tabs.tsx';
import { sortRows } from './sort-rows.ts';
import type { Sorting } from './sort-rows.ts';

/** The board of one panel, in real time. */
export function BoardPage({ panel }: { readonly panel: string }) {
  const key = usableKey.value;
  const name = panels.value.find(({ value }) => value === panel)?.name ?? panel;
  usePageTitle(name === panel ? panel : `${panel}: ${name}`);
  return (
    <div class="board-page">
      <h1 class="visually-hidden">{name}: cotizaciones</h1>
      <PanelTabs panel={panel} />
      {key === undefined ? <KeyNeeded /> : <Board key={panel} panel={panel} apiKey={key} />}
    </div>
  );
}

function Board({ panel, apiKey }: { readonly panel: string; readonly apiKey: string }) {
  const fields = book.value === 'shown' ? bookFields : [];
  const live = useLiveQuotes({ panel, fields }, apiKey);
  const filter = useSignal('');
  const sorting = useSignal<Sorting | undefined>(undefined);
  // With other columns the quotes are other ones, and filter and sorting stay.
  return live === undefined ? null : (
    <LiveBoard key={live} live={live} filter={filter} sorting={sorting} />
  );
}

function LiveBoard({
  live,
  filter,
  sorting,
}: {
  readonly live: LiveQuotes;
  readonly filter: Signal<string>;
  readonly sorting: Signal<Sorting | undefined>;
}) {
  /** The tickers on the board, in order. */
  const shown = useComputed(() => {
    // Rows are sorted again at most once a second, so that they do not move away from the pointer.
    if (sorting.value !== undefined) void live.moment.value;
    void live.tickers.value;
    const wanted = foldText(filter.value);
    const rows = sortRows(live.rows(), sorting.value);
    return rows.map(({ ticker }) => ticker).filter((ticker) => matches(ticker, wanted));
  });
  return (
    <>
      <BoardToolbar live={live} filter={filter} shown={shown} />
      <BrokenLine />
      <BoardTable live={live} filter={filter} sorting={sorting} shown={shown} />
    </>
  );
}

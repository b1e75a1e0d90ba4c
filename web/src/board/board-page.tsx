import { useSignal } from '@preact/signals';

import { usableKey } from '../key/api-key.ts';
import { KeyNeeded } from '../key/key-needed.tsx';
import { panels } from '../market/contract.ts';
import { useLiveQuotes } from '../market/use-live-quotes.ts';
import { BoardTable } from './board-table.tsx';
import { BoardToolbar } from './board-toolbar.tsx';
import { BrokenLine } from './broken-line.tsx';
import { PanelTabs } from './panel-tabs.tsx';

/** The live board of one panel. */
export function BoardPage({ panel }: { readonly panel: string }) {
  const key = usableKey.value;
  const name = panels.value.find(({ value }) => value === panel)?.name ?? panel;
  return (
    <div class="board-page">
      <h1 class="visually-hidden">{name}: cotizaciones en vivo</h1>
      <PanelTabs panel={panel} />
      {key === undefined ? <KeyNeeded /> : <Board key={panel} panel={panel} apiKey={key} />}
    </div>
  );
}

function Board({ panel, apiKey }: { readonly panel: string; readonly apiKey: string }) {
  const live = useLiveQuotes(`panel=${encodeURIComponent(panel)}`, apiKey);
  const filter = useSignal('');
  if (live === undefined) return null;
  return (
    <>
      <BoardToolbar live={live} filter={filter} />
      <BrokenLine />
      <BoardTable live={live} filter={filter} />
    </>
  );
}

import { tickerLists, updateList } from '../../market/lists/stored-lists.ts';
import { TickerEditor } from '../../market/lists/ticker-editor.tsx';
import { findList, tickersMax, type TickerList } from '../../market/lists/ticker-lists.ts';

/** The tickers of a list, to add, move and remove. */
export function ListMembers({
  list: { name, tickers },
  hasFocus = false,
}: {
  readonly list: TickerList;
  readonly hasFocus?: boolean;
}) {
  return (
    <TickerEditor
      tickers={tickers}
      max={tickersMax}
      owner="la lista"
      label={`Especies de «${name}»`}
      hasFocus={hasFocus}
      onChange={(change) => {
        const now = findList(tickerLists.value, name)?.tickers ?? [];
        updateList(name, { tickers: change(now) });
      }}
    />
  );
}

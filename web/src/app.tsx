import { alerts } from './market/alerts/stored-alerts.ts';
import { BoardPage } from './board/board-page.tsx';
import { LinkedKeyNotice } from './key/linked-key-notice.tsx';
import { AlertsPage, ApiPage, DollarsPage, InstrumentPage, NoticeList } from './pages.tsx';
import { SearchDialog } from './shell/search-dialog.tsx';
import { Dialogs } from './shell/dialogs.tsx';
import { StorageNotice } from './ui/problem.tsx';
import { PageTop } from './shell/page-top.tsx';
import { PrintLine } from './shell/print-line.tsx';
import { BottomBar } from './shell/bottom-bar.tsx';
import { silentSince } from './market/connection.ts';
import { isFirstLookOver } from './market/health-watch.ts';
import { route } from './places/location.ts';
import { UnknownPage } from './shell/unknown-page.tsx';

/** The playground: the top bar and the page of the current route. */
export function App() {
  const place = route.value;
  const states = [
    isFirstLookOver.value ? '' : 'is-waiting',
    silentSince.value === undefined ? '' : 'is-silent',
  ];
  const isWall = 'view' in place && place.view === 'mural';
  return (
    <>
      <a class="skip pop screen-only" href="#contenido" onClick={focusContent}>
        Ir al contenido
      </a>
      {!isWall && <PageTop page={place.page} />}
      <main id="contenido" tabIndex={-1} class={states.join(' ')}>
        <PrintLine />
        <LinkedKeyNotice />
        <StorageNotice />
        <Page />
      </main>
      {!isWall && <BottomBar page={place.page} />}
      {alerts.value.length > 0 && <NoticeList />}
      <SearchDialog />
      <Dialogs />
    </>
  );
}

function Page() {
  const place = route.value;
  switch (place.page) {
    case 'board':
    case 'list':
      return <BoardPage place={place} />;
    case 'alerts':
      return <AlertsPage place={place} />;
    case 'dollars':
      return <DollarsPage />;
    case 'instrument':
      return <InstrumentPage place={place} />;
    case 'api':
      return <ApiPage anchor={place.anchor} />;
    case 'unknown':
      return <UnknownPage />;
  }
}

/** The fragment contains the route, so this link must not change it. */
function focusContent(event: Event): void {
  event.preventDefault();
  document.getElementById('contenido')?.focus();
}

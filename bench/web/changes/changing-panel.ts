import { Board } from '../../../src/board/board.ts';
import type { PlainDate } from '../../../src/domain/calendar/plain-date.ts';
import { makeQuote } from '../../../src/domain/quotes/quote.ts';
import { readPlayground } from '../../../src/http/content/playground-file.ts';
import { startTestServer } from '../../../test/support/http/start-test-server.ts';
import { closeOn } from '../../../test/support/market/close-on.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';

const web = new URL('../../../web/dist', import.meta.url).pathname;
/** Changes come in batches, as from a source. */
const batchMs = 10;

/** A service whose panel CED has some rows that change all the time. */
export interface ChangingPanel extends AsyncDisposable {
  /** The address of the board. */
  readonly url: string;
  readonly key: string;
  /** Begins to change one row after another, so many times a second in all. Ends with the service. */
  start(changesPerSecond: number): void;
}

/** Starts the service. Every row has a quote. */
export async function startChangingPanel(rows: number): Promise<ChangingPanel> {
  const board = new Board(universeOf(rows));
  let version = 0;
  const move = (places: readonly number[]) => {
    board.adopt(
      places.flatMap((place) => {
        version += 1;
        const instrument = board.universe.instruments[place];
        return instrument === undefined ? [] : [quoteOf(instrument, version)];
      }),
    );
  };
  move(Array.from({ length: rows }, (_, at) => at));
  const server = await startTestServer({ board, playground: await readPlayground(web) });
  let timer: ReturnType<typeof setInterval> | undefined;
  let place = 0;
  return {
    url: `http://127.0.0.1:${server.port}/#/panel/CED`,
    key: server.key,
    start: (changesPerSecond) => {
      const batch = Math.max(1, Math.round((changesPerSecond * batchMs) / 1_000));
      timer = setInterval(
        () => {
          move(Array.from({ length: batch }, () => (place = (place + 7) % rows)));
        },
        (1_000 * batch) / changesPerSecond,
      );
    },
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await server[Symbol.asyncDispose]();
    },
  };
}

function universeOf(rows: number) {
  return makeUniverse(
    Array.from({ length: rows }, (_, at) => ({
      ticker: `CED${at}`,
      kind: 'cedear' as const,
      panels: ['CED' as const],
    })),
  );
}

function quoteOf(instrument: Board['universe']['instruments'][number], version: number) {
  const session = {
    sessionDate: '2026-11-20' as PlainDate,
    asOf: Date.parse('2026-11-20T14:00:00-03:00') + version * 20,
    last: 10_000 + ((version * 37) % 999) / 2,
    open: 10_000,
    low: 9_900,
    high: 10_600,
    volume: version,
  };
  const references = {
    previous: closeOn('2026-11-19', 10_100),
    monthBase: closeOn('2026-10-30', 9_000),
    yearBase: closeOn('2025-12-30', 8_000),
  };
  return makeQuote(instrument, { version, session, references });
}

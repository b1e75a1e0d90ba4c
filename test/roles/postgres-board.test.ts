import { describe } from 'node:test';

import { boardSuite } from '../board/board-suite.ts';
import { openFollowingBoard } from '../board/followed-store.ts';
import { postgresPlace } from '../support/postgres/postgres-place.ts';
import { sampleUniverse } from '../support/market/sample-market.ts';
import { lacksPostgres } from '../support/postgres/postgres-programs.ts';

describe('through PostgreSQL', { skip: lacksPostgres() }, () => {
  boardSuite('postgres', sampleUniverse, async (t) =>
    openFollowingBoard(t, { universe: sampleUniverse, place: await postgresPlace(t) }),
  );
});

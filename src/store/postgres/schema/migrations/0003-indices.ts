import { grantToReaders } from './grant-to-readers.ts';

/** The daily values of indices, and those that others have replaced, as in SQLite (migration 9). */
export const indices = `
  CREATE TABLE index_values (
    name text COLLATE "C" NOT NULL,
    day integer NOT NULL,
    value double precision NOT NULL,
    source text COLLATE "C" NOT NULL,
    stored_at bigint NOT NULL,
    PRIMARY KEY (name, day)
  );

  CREATE TABLE replaced_index_values (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    day integer NOT NULL,
    value double precision NOT NULL,
    source text COLLATE "C" NOT NULL,
    stored_at bigint NOT NULL,
    replaced_at bigint NOT NULL
  );

  INSERT INTO revisions (subject, value) VALUES ('indices', 0);

  ${grantToReaders('index_values, replaced_index_values')}
`;

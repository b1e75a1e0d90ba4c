import { grantToReaders } from './grant-to-readers.ts';

/** The terms of bonds, and those that others have replaced, as in SQLite (migration 11). */
export const terms = `
  CREATE TABLE bond_terms (
    ticker text COLLATE "C" PRIMARY KEY,
    series text COLLATE "C" NOT NULL,
    terms text COLLATE "C" NOT NULL,
    stored_at bigint NOT NULL,
    stored_by text COLLATE "C" NOT NULL
  );

  CREATE TABLE replaced_bond_terms (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    ticker text COLLATE "C" NOT NULL,
    series text COLLATE "C" NOT NULL,
    terms text COLLATE "C" NOT NULL,
    stored_at bigint NOT NULL,
    stored_by text COLLATE "C" NOT NULL,
    replaced_at bigint NOT NULL,
    replaced_by text COLLATE "C" NOT NULL
  );

  INSERT INTO revisions (subject, value) VALUES ('terms', 0);

  ${grantToReaders('bond_terms, replaced_bond_terms')}
`;

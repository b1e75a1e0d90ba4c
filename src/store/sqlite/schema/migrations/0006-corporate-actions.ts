/**
 * Corporate actions. An action names its instrument by the ticker, because it may precede the first
 * close. `factor` is null unless the type has one, and so are the other columns that only one type has.
 * The subject `actions` counts the committed changes.
 */
export const corporateActions = `
  CREATE TABLE corporate_actions (
    ticker TEXT NOT NULL,
    ex_day INTEGER NOT NULL,
    type TEXT NOT NULL,
    factor REAL,
    amount REAL,
    currency TEXT,
    new_ticker TEXT,
    source TEXT NOT NULL,
    PRIMARY KEY (ticker, ex_day, type)
  ) STRICT, WITHOUT ROWID;

  INSERT INTO revisions (subject, value) VALUES ('actions', 0);
`;

/** A test that does not run over PostgreSQL. */
interface ExcludedTest {
  readonly file: string;
  /** Its whole name. */
  readonly test: string;
  readonly reason: string;
}

/** A file none of whose tests runs over PostgreSQL. */
interface ExcludedFile {
  readonly file: string;
  readonly reason: string;
}

export const excludedFiles: readonly ExcludedFile[] = [];

export const excludedTests: readonly ExcludedTest[] = [];

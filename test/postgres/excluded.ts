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

/** Files that are not run, each with its reason. */
export const excludedFiles: readonly ExcludedFile[] = [
  {
    file: 'test/operation/backup.test.ts',
    reason: 'a backup is one file of SQLite; PostgreSQL has pg_dump, and both commands say so',
  },
  {
    file: 'test/operation/upgrade.test.ts',
    reason:
      'it changes the schema of SQLite; src/store/postgres refuses another schema of the other one',
  },
  {
    file: 'test/operation/config-show.test.ts',
    reason: 'it opens no store, and shows the place of the data that it names',
  },
  {
    file: 'test/operation/kubernetes.test.ts',
    reason: 'each manifest says where its data are; that of several nodes has PostgreSQL anyway',
  },
  ...['deploy', 'launcher', 'package-files', 'release'].map((name) => ({
    file: `test/operation/${name}.test.ts`,
    reason: 'it starts no service and opens no store',
  })),
];

/** Tests that are not run, each with its reason. */
export const excludedTests: readonly ExcludedTest[] = [
  {
    file: 'test/import/command/history-service.test.ts',
    test: 'a running service fills its history after the start, and the last day after the close of its session',
    reason:
      'it moves the clock of the service, and a node whose clock is not that of the database does not write',
  },
  {
    file: 'test/e2e/demonstration.test.ts',
    test: 'without imported data and feeds, a labelled demonstration runs until real data replaces it',
    reason: 'PostgreSQL has no demonstration',
  },
  {
    file: 'test/import/command/export.test.ts',
    test: 'the demonstration is exported when it is asked for, and its Parquet file says that it is made up',
    reason: 'PostgreSQL has no demonstration',
  },
  {
    file: 'test/workers/workers.test.ts',
    test: 'every process ends the demonstration when real data arrives',
    reason: 'PostgreSQL has no demonstration',
  },
  {
    file: 'test/e2e/operator.test.ts',
    test: 'only their owner can access the data directory and the files in it',
    reason: 'it checks the modes of files in the data directory',
  },
  {
    file: 'test/e2e/operator.test.ts',
    test: 'a start that fails prints one line on standard error and exits with 1',
    reason:
      'one of its cases is a data directory that cannot be created; the place of a schema can',
  },
  {
    file: 'test/e2e/operator.test.ts',
    test: 'a second service on one data directory is refused',
    reason: 'a second node over one database stands by instead (test/roles/cluster.test.ts)',
  },
  {
    file: 'test/operation/doctor.test.ts',
    test: 'doctor reports that a new data directory is ready for a start, and creates nothing in it',
    reason: 'it checks a directory; doctor over PostgreSQL is in src/store/postgres and test/roles',
  },
  {
    file: 'test/operation/doctor.test.ts',
    test: 'doctor finds the running service by its data directory, ignores other services, and shows no key',
    reason: 'it checks and rewrites the file in which a service publishes its addresses',
  },
  {
    file: 'test/operation/doctor.test.ts',
    test: 'doctor, run by another user, names the owner of the data and reports nothing that it cannot check',
    reason: 'it checks the owner of the data directory',
  },
  {
    file: 'test/operation/doctor.test.ts',
    test: 'doctor reports each fault with what to do, and exits with 1',
    reason: 'it damages and opens up the files of SQLite',
  },
  ...[
    'a service is found by its data directory, at whatever port and path it listens',
    'a service with TLS on both listeners is healthy too',
    'a dead service is not healthy, also when another program has its port',
  ].map((test) => ({
    file: 'test/operation/health.test.ts',
    test,
    reason:
      'with a database, a service is asked at its configured address; this file tests that too',
  })),
  {
    file: 'test/operation/least-rights.test.ts',
    test: 'with the least rights compiled code is cached in the data directory for the next start',
    reason: 'there is no data directory',
  },
];

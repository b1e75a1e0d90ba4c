import { systemClock } from '../lib/time/clock.ts';
import { checkStore, checkStores, type StoreComparison } from '../operator/store/compare-stores.ts';
import { backUp, copyStore } from '../operator/store/copy-store.ts';
import type { CopySummary } from '../store/contract/place.ts';
import { command, type Group } from './form/command.ts';
import { formatCounted, formatTable, type Report } from './form/report.ts';

/** Characters of a digest that are shown. `--json` has all. */
const digestShown = 16;

/** The exit code is 1 if the copy differs from the source. */
const copy = command({
  name: 'copy',
  summary: 'copy a whole installation to an empty place, and compare both row by row',
  flags: {
    from: { value: '<PLACE>', text: 'the source; stop its service first', isRequired: true },
    to: { value: '<PLACE>', text: 'the target; it must be empty', isRequired: true },
    json: { text: 'print the tables and the differences as one JSON object' },
  },
  examples: [
    'pizarra store copy --from /var/lib/pizarra --to postgres://pizarra@db.example/pizarra',
  ],
  async run({ flags: { from, to }, progress }) {
    const copied = await copyStore({ from, to, onProgress: (done) => progress(() => done) });
    return comparisonReport(`Copied ${copied.from} to ${copied.to}.`, copied);
  },
});

/** It changes nothing, and a service may be running. One that writes meanwhile makes two stores differ. */
const check = command({
  name: 'check',
  summary: 'check the store for damage and digest its rows, or compare it with another',
  flags: {
    with: { value: '<PLACE>', text: 'another place, to compare row by row' },
    json: { text: 'print the result as one JSON object' },
  },
  settings: ['store'],
  examples: ['pizarra store check', 'pizarra store check --with /backups/data'],
  async run({ flags, configuration }) {
    const { settings } = await configuration();
    if (flags.with !== undefined) {
      const compared = await checkStores(settings.store, flags.with);
      return comparisonReport(`Compared ${compared.names.join(' with ')}.`, compared);
    }
    const json = await checkStore(settings.store);
    const { name, tables } = json;
    const { schema, bytes } = json.inspection;
    const cells = tables.map(({ table, rows, digest }) => [
      table,
      String(rows),
      digest.slice(0, digestShown),
    ]);
    return {
      sections: [
        `${name}: no damage found. Schema ${schema}, ${mebibytes(bytes)} MiB.`,
        formatTable(['TABLE', 'ROWS', 'DIGEST'], cells),
      ],
      json,
    };
  },
});

const accept = command({
  name: 'accept',
  summary: 'declare that a PostgreSQL database replaces another one, for example after a restore',
  flags: {
    insteadOf: {
      value: '<LINE>',
      text: 'the replaced line, as the refusal of this database names it',
      isRequired: true,
    },
  },
  settings: ['store'],
  examples: [
    'pizarra store accept --store postgres://pizarra@db2/pizarra --instead-of 7391234567890123456/2',
  ],
  async run({ flags: { insteadOf }, findPlace }) {
    const place = await findPlace();
    const line = await place.acceptInsteadOf(insteadOf);
    return {
      sections: [
        `${place.name} (line ${line}) replaces line ${insteadOf}. Nodes that know that line use it from now on.`,
      ],
    };
  },
});

export const store: Group = {
  name: 'store',
  summary: 'copy and check the store: a data directory, or a PostgreSQL database',
  commands: [copy, check, accept],
};

export const backup = command({
  name: 'backup',
  summary: 'copy the database, as of one instant, into a new file; a service may be running',
  args: { file: ['<FILE>', 'the file to create; an existing file is not overwritten'] },
  settings: ['store'],
  examples: ['pizarra backup --store /var/lib/pizarra /backups/pizarra.db'],
  async run({ args: { file }, configuration }) {
    const { settings } = await configuration();
    const summary = await backUp(settings.store, file);
    return { sections: [`${file}: ${described(summary)}; verified by reading it back.`] };
  },
});

export const restore = command({
  name: 'restore',
  summary: 'restore a backup into a data directory that has no database',
  args: { file: ['<FILE>', 'a file of "pizarra backup"'] },
  settings: ['store'],
  examples: ['pizarra restore --store /var/lib/pizarra /backups/pizarra.db'],
  async run({ args: { file }, findPlace }) {
    const place = await findPlace();
    const summary = await place.restore(file, systemClock.now());
    return {
      sections: [
        `${summary.path}: ${described(summary)}.`,
        'Keys are as they were when the backup was made. A key that was revoked later is valid again.',
        'Check them with "pizarra keys list".',
      ],
    };
  },
});

function described({ bytes, rows }: CopySummary): string {
  const { instruments = 0, closes = 0, quotes = 0, api_keys: keys = 0 } = rows;
  return [
    `${mebibytes(bytes)} MiB`,
    `${formatCounted(closes, 'closes')} of ${formatCounted(instruments, 'instruments')}`,
    formatCounted(quotes, 'quotes'),
    formatCounted(keys, 'keys'),
  ].join(', ');
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}

/** A failure if the stores differ. */
function comparisonReport(title: string, comparison: StoreComparison): Report {
  const { tables, differences } = comparison;
  const cells = tables.map(({ table, rows, digest, different }) => [
    table,
    String(rows),
    String(different),
    digest.slice(0, digestShown),
  ]);
  const total = tables.reduce((sum, { different }) => sum + different, 0);
  return {
    sections: [
      title,
      formatTable(['TABLE', 'ROWS', 'DIFFERENT', 'DIGEST'], cells),
      total === 0 ? 'No row differs.' : `${total} rows differ. The first of them:`,
      ...differences.map((one) => `  ${one}`),
    ],
    json: comparison,
    outcome: differences.length > 0 ? 'failed' : undefined,
  };
}

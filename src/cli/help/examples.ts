import { flagName } from '../../config/settings/settings.ts';

const [store, config, market] = [flagName('store'), '--config', flagName('market')];
const [port, privatePort, behindProxy] = [
  flagName('port'),
  flagName('privatePort'),
  flagName('behindProxy'),
];

/**
 * The examples of each command, by its words after `pizarra`, as a shell reads them. The help and the
 * manual page show them. A test parses each of them as the program does.
 */
const examples: Readonly<Record<string, readonly string[]>> = {
  '': [
    'pizarra serve                           # the demonstration, at http://127.0.0.1:8080',
    'pizarra import closes.csv               # columns such as ticker, date, close',
    'pizarra keys create --name desk',
    'pizarra doctor                          # check everything, and say what to do',
  ],
  serve: [
    'pizarra serve                           # the demonstration, at http://127.0.0.1:8080',
    `pizarra serve ${market} argentina        # public sources that need no account`,
    `pizarra serve ${store} /var/lib/pizarra ${config} /etc/pizarra/pizarra.yaml`,
    `pizarra serve ${port} 9080 ${privatePort} 9081 ${behindProxy} 127.0.0.1`,
  ],
  import: [
    'pizarra import closes.csv               # columns such as ticker, date, close',
    'pizarra import --ticker GGAL --dry-run ggal.csv',
    'pizarra import --date-format DD/MM/YYYY --decimal , archive.zip',
    'zcat closes.csv.gz | pizarra import -',
  ],
  'actions import': ['pizarra actions import actions.csv', 'pizarra actions import --dry-run -'],
  'actions list': ['pizarra actions list GGAL', 'pizarra actions list --json > actions.json'],
  'actions check': ['pizarra actions check', 'pizarra actions check GGAL'],
  'actions remove': ['pizarra actions remove GGAL 2024-06-03 cash-dividend'],
  'indices import': [
    'pizarra indices import indices.csv       # columns indice, fecha, valor',
    'pizarra indices import --decimal , --dry-run -',
  ],
  'indices list': [
    'pizarra indices list',
    'pizarra indices list CER --desde 2026-11-01',
    'pizarra indices list --csv > indices.csv',
    'pizarra indices list CER --changes',
  ],
  'indices fetch': ['pizarra indices fetch', 'pizarra indices fetch CER UVA --desde 2026-01-01'],
  'indices check': ['pizarra indices check', 'pizarra indices check CER'],
  'history fetch': [
    `pizarra history fetch ${market} argentina`,
    'pizarra history fetch --from 2024-01-01 --verbose GGAL AL30',
  ],
  'history compare': [
    'pizarra history compare --from 2026-01-01',
    'pizarra history compare --csv GGAL > differences.csv',
  ],
  'history confirm': ['pizarra history confirm GGAL'],
  'history log': [
    'pizarra history log GGAL',
    'pizarra history log GGAL 2026-11-18',
    'pizarra history log --index CER --json',
  ],
  'history revert': [
    'pizarra history revert GGAL 2026-11-18',
    'pizarra history revert --to 2026-11-18T21:00:00Z GGAL 2026-11-18',
    'pizarra history revert --action split GGAL 2026-11-18',
  ],
  'bonos check': ['pizarra bonos check', 'pizarra bonos check /etc/pizarra/universe'],
  'bonos calcular': [
    'pizarra bonos calcular AL30D --precio 60.84 --convencion bonarg',
    'pizarra bonos calcular TZX28 --precio 183.2 --fecha 2024-11-25 --coeficiente 2.4635 --json',
  ],
  'bonos flujos': [
    'pizarra bonos flujos AL30',
    'pizarra bonos flujos GD35 --desde 2030-01-01 --json',
  ],
  'sources check': [
    `pizarra sources check ${market} argentina`,
    'pizarra sources check --save bodies --timeout 60 bcra',
  ],
  export: [
    'pizarra export > closes.csv',
    'pizarra export --panel LID --from 2026-01-01 -o leaders.csv',
  ],
  backup: [`pizarra backup ${store} /var/lib/pizarra /backups/pizarra.db`],
  restore: [`pizarra restore ${store} /var/lib/pizarra /backups/pizarra.db`],
  'store copy': [
    'pizarra store copy --from /var/lib/pizarra --to postgres://pizarra@db.example/pizarra',
  ],
  'store check': ['pizarra store check', 'pizarra store check --with /backups/data'],
  'store accept': [
    `pizarra store accept ${store} postgres://pizarra@db2/pizarra --instead-of 7391234567890123456/2`,
  ],
  'keys create': [
    'pizarra keys create --name desk',
    'pizarra keys create --name feed --scope ingest --key-only > ingest.key',
    'pizarra keys create --name trial --expires 2027-12-31 --limit "60/min burst 20"',
    'pizarra keys create --name sheet --scope url --expires 2027-03-31',
  ],
  'keys list': ['pizarra keys list', 'pizarra keys list --json'],
  'keys show': ['pizarra keys show 4kQ9ZtB2xa'],
  'keys rotate': ['pizarra keys rotate 4kQ9ZtB2xa --overlap 24h'],
  'keys revoke': ['pizarra keys revoke 4kQ9ZtB2xa'],
  'keys disable': ['pizarra keys disable 4kQ9ZtB2xa'],
  'keys enable': ['pizarra keys enable 4kQ9ZtB2xa'],
  'keys set-plan': ['pizarra keys set-plan 4kQ9ZtB2xa free'],
  'keys set-limit': ['pizarra keys set-limit 4kQ9ZtB2xa "600/min burst 100"'],
  'keys set-labels': ['pizarra keys set-labels 4kQ9ZtB2xa team=desk city=rosario'],
  'keys set-expiry': ['pizarra keys set-expiry 4kQ9ZtB2xa 2027-12-31'],
  'keys audit': ['pizarra keys audit --last 20', 'pizarra keys audit --key 4kQ9ZtB2xa'],
  mcp: [
    'pizarra mcp --key-file ~/.config/pizarra/key',
    'pizarra mcp --url https://quotes.example --key-file ~/.config/pizarra/key',
  ],
  'universe check': ['pizarra universe check', 'pizarra universe check /etc/pizarra/universe'],
  'universe pull': [
    'pizarra universe pull https://quotes.example.com universe --dry-run',
    'pizarra universe pull https://quotes.example.com universe --key-file key.txt',
  ],
  'config show': [
    'pizarra config show',
    `pizarra config show ${config} /etc/pizarra/pizarra.yaml --json`,
  ],
  health: [`pizarra health ${store} /var/lib/pizarra`, 'pizarra health --ready'],
  doctor: [`pizarra doctor ${store} /var/lib/pizarra ${config} /etc/pizarra/pizarra.yaml`],
  completion: [
    'source <(pizarra completion bash)       # in ~/.bashrc',
    'source <(pizarra completion zsh)        # in ~/.zshrc, after compinit',
    'pizarra completion fish > ~/.config/fish/completions/pizarra.fish',
  ],
};

/** The examples of a command, by its words after `pizarra`. A group has those of its commands. */
export function examplesOf(words: string): readonly string[] {
  const own = examples[words];
  if (own !== undefined) return own;
  const start = words === '' ? '' : `${words} `;
  const below = Object.keys(examples).filter((one) => one.startsWith(start));
  return below.flatMap((one) => examples[one]?.slice(0, 1) ?? []).slice(0, groupMax);
}

/** Maximum number of examples of a group of commands. */
const groupMax = 4;

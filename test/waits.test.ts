import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';

import { Visitor, type ForStatement, type Node } from 'oxc-parser';

import { parseSource, type SourceFile } from './support/project/source-tree.ts';

const root = resolve(import.meta.dirname, '..');

/** Programs that a test starts and stops, scripts for people, and files with other time limits. */
const exempt = [
  'test/support/wait.ts',
  'test/waits.test.ts',
  // Its reads have a limit of their own.
  'test/support/http/response-reader.ts',
  'test/install/',
  'test/mutation/',
  'test/store/starter.ts',
  'test/web/browser/demonstration.ts',
  'test/web/make-screenshots.ts',
];

/**
 * The number of loops per file that end for another reason: another part of the test stops the load, a
 * process is killed within a time, the number of rounds is limited, or each read has a time limit.
 */
const bounded: Readonly<Record<string, number>> = {
  'src/feeds/net/socket.test.ts': 4,
  'src/store/postgres/sql/newer-quotes.test.ts': 1,
  'test/cluster/balanced-clients.ts': 1,
  'test/cluster/cluster-load.ts': 2,
  'test/conformance/messages.test.ts': 1,
  'test/faults/crowd.test.ts': 1,
  'test/faults/full-disk.test.ts': 1,
  'test/faults/kill.test.ts': 1,
  // Its loops end with the pauses of the feeds, each of which has a limit.
  'test/feeds/soak/stepped-clock.ts': 2,
  'test/operation/reload.test.ts': 1,
  'test/operation/rolling-restart.test.ts': 1,
  'test/operation/stop.test.ts': 2,
  'test/support/program/proxy-programs.ts': 1,
  'test/conformance/raw-http2.ts': 1,
};

/** The waits of a file without a limit: a bare event or promise, or a loop without a count. */
function waitsOf({ program, text, imports }: SourceFile): readonly string[] {
  const found: string[] = [];
  if (
    imports.includes('node:events') &&
    /import \{[^}]*\bonce\b[^}]*\} from 'node:events'/.test(text)
  ) {
    found.push('once of node:events');
  }
  if (text.includes('Promise.withResolvers')) {
    found.push('Promise.withResolvers');
  }
  const open: { readonly node: Node; readonly isLoop: boolean; hasAwait: boolean }[] = [];
  const enter = (isLoop: boolean) => (node: Node) =>
    void open.push({ node, isLoop, hasAwait: false });
  const leave = (): void => {
    const one = open.pop();
    if (one?.isLoop === true && one.hasAwait) found.push(text.slice(one.node.start, one.node.end));
  };
  new Visitor({
    WhileStatement: enter(true),
    'WhileStatement:exit': leave,
    DoWhileStatement: enter(true),
    'DoWhileStatement:exit': leave,
    ForStatement: (node: ForStatement) => enter(node.update === null)(node),
    'ForStatement:exit': leave,
    FunctionDeclaration: enter(false),
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter(false),
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter(false),
    'ArrowFunctionExpression:exit': leave,
    AwaitExpression() {
      const inner = open.findLastIndex(({ node }) => node.type.includes('Function'));
      for (const one of open.slice(inner + 1)) one.hasAwait = true;
    },
  }).visit(program);
  return found;
}

/** A machine that is six times slower than that of the authors does not reach a limit of this length, in milliseconds. */
const limitMsMin = 120_000;

/** The limits in milliseconds that a file writes for its waits, and for its tests. */
function limitsOf(text: string): readonly number[] {
  const written = /(?:\bwithinMs: |\btimeout: |\bAbortSignal\.timeout\(|\btimeout = )([\d_]+)/g;
  return [...text.matchAll(written)].map(([, digits = '']) => Number(digits.replaceAll('_', '')));
}

/** The limits of a file that a slow machine may reach. A test waits on purpose until one below a second is over. */
function shortLimitsOf(path: string): readonly string[] {
  const limits = limitsOf(readFileSync(resolve(root, path), 'utf8'));
  return limits.filter((ms) => ms >= 1_000 && ms < limitMsMin).map((ms) => `${path}: ${ms} ms`);
}

test('no wait and no test has a limit that a slow or busy machine may need', () => {
  // The tests of the cluster state in how many seconds a node takes over, so they need the machine for themselves.
  const files = globSync(['test/!(cluster)/**/*.ts', 'src/**/*.test.ts'], { cwd: root });
  const short = files
    .filter((path) => !exempt.some((one) => path.startsWith(one)))
    .flatMap(shortLimitsOf);
  assert.deepEqual(short, []);
  assert.deepEqual(limitsOf(['once(a, "b", { withinMs:', '2_500 })'].join(' ')), [2_500]);
});

test('no command limits a test to less than an hour', () => {
  const limits = [
    ...readFileSync(resolve(root, 'package.json'), 'utf8').matchAll(/--test-timeout=(\d+)/g),
  ];
  assert.ok(limits.length > 5);
  for (const [option, ms] of limits) assert.ok(Number(ms) >= 3_600_000, option);
});

test('every wait of a test has a limit, by test/support/wait.ts or by a count', () => {
  const files = globSync(['test/**/*.ts', 'src/**/*.test.ts'], { cwd: root });
  assert.ok(files.length > 200);
  const wrong = files
    .filter((path) => !exempt.some((one) => path.startsWith(one)))
    .flatMap((path) => {
      const waits = waitsOf(parseSource(path, readFileSync(resolve(root, path), 'utf8')));
      return waits.length <= (bounded[path] ?? 0) ? [] : waits.map((one) => `${path}: ${one}`);
    });
  assert.deepEqual(wrong, []);
});

test('the check finds a bare event, a bare promise and a polling loop, and accepts a loop with a count', () => {
  const cases: readonly (readonly [string, number])[] = [
    ["import { once } from 'node:events';", 1],
    ['const { promise } = Promise.withResolvers();', 1],
    ['while (!isDone) await sleep(5);', 1],
    ['for (;;) { await next(); }', 1],
    ['do { await next(); } while (true);', 1],
    ['for (let tries = 0; tries < 5; tries += 1) await next();', 0],
    ['for (const one of many) await one;', 0],
    ['while (true) { later(async () => { await next(); }); break; }', 0],
  ];
  for (const [text, count] of cases) {
    assert.equal(waitsOf(parseSource('case.ts', text)).length, count, text);
  }
});

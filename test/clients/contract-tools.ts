/**
 * The contract document in the hands of its users: the two usual linters have nothing to say, and the output
 * of four usual generators compiles under strict settings, with the code that a user writes at once.
 */
import assert from 'node:assert/strict';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { before, describe, test } from 'node:test';

import { attempt, run } from '../install/commands.ts';
import { startTestServer } from '../support/http/start-test-server.ts';
import { noTools, toolsFolder } from './programs.ts';

const project = join(import.meta.dirname, '../..');
const written = join(project, 'contract/openapi.json');
const served = join(toolsFolder, 'out/openapi.json');
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', NO_COLOR: '1', NO_UPDATE_NOTIFIER: '1' };

/** A program of the tools, run with this Node. */
function tool(path: string, ...args: readonly string[]): readonly string[] {
  return [process.execPath, join(toolsFolder, 'node_modules', path), ...args];
}

/** The generators: how each is run, where its output goes, and what of its own code is not strict. */
const generators = [
  {
    name: 'openapi-typescript',
    command: (out: string) =>
      tool('openapi-typescript/bin/cli.js', written, '-o', join(out, 'generated.ts')),
    options: { exactOptionalPropertyTypes: true },
  },
  {
    name: 'hey-api',
    command: (out: string) =>
      tool(
        '@hey-api/openapi-ts/bin/run.js',
        '-i',
        written,
        '-o',
        join(out, 'generated'),
        '-c',
        '@hey-api/client-fetch',
      ),
    options: {},
  },
  {
    name: 'orval',
    command: (out: string) =>
      tool(
        'orval/dist/bin/orval.mjs',
        '--input',
        written,
        '--output',
        join(out, 'generated.ts'),
        '--client',
        'fetch',
      ),
    options: { exactOptionalPropertyTypes: true },
  },
  {
    name: 'swagger-typescript-api',
    command: (out: string) =>
      tool(
        'swagger-typescript-api/dist/cli.mjs',
        'generate',
        '-p',
        written,
        '-o',
        out,
        '-n',
        'generated.ts',
        '--generate-union-enums',
      ),
    options: { exactOptionalPropertyTypes: true },
  },
];

const strict = {
  target: 'esnext',
  lib: ['esnext', 'dom', 'dom.iterable'],
  types: ['node'],
  typeRoots: [join(project, 'node_modules/@types')],
  module: 'esnext',
  moduleResolution: 'bundler',
  moduleDetection: 'force',
  allowImportingTsExtensions: true,
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
};

describe('contract/openapi.json', { concurrency: 1, skip: noTools }, () => {
  before(async () => {
    await rm(dirname(served), { recursive: true, force: true });
    await mkdir(dirname(served), { recursive: true });
    await using server = await startTestServer();
    await writeFile(served, (await server.get('/openapi.json')).body);
    await writeFile(join(toolsFolder, 'spectral.yaml'), 'extends: ["spectral:oas"]\n');
  });

  for (const [which, file] of Object.entries({ written, served })) {
    test(`the ${which} document lints without a warning in Redocly`, () => {
      const command = tool('@redocly/cli/bin/cli.js', 'lint', '--format=json', file);
      const { status, stdout, stderr } = attempt(command, { cwd: toolsFolder, env });
      const { totals } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
        readonly totals: unknown;
      };
      assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 }, stdout + stderr);
      assert.equal(status, 0);
    });

    test(`the ${which} document lints without a warning in Spectral`, () => {
      const ruleset = join(toolsFolder, 'spectral.yaml');
      const args = [
        'lint',
        '--ruleset',
        ruleset,
        '--fail-severity',
        'hint',
        '--format',
        'json',
        file,
      ];
      const { status, stdout, stderr } = attempt(
        tool('@stoplight/spectral-cli/dist/index.js', ...args),
        { cwd: toolsFolder, env },
      );
      assert.equal(status, 0, stdout + stderr);
      assert.match(stdout, /^\[\]/);
    });
  }

  for (const { name, command, options } of generators) {
    test(`what ${name} generates compiles under strict settings, with the obvious code`, async () => {
      const out = join(toolsFolder, 'out', name);
      await mkdir(out, { recursive: true });
      run(command(out), { cwd: toolsFolder, env });
      await cp(join(import.meta.dirname, 'generated-use', `${name}.ts`), join(out, 'use.ts'));
      const compilerOptions = { ...strict, ...options };
      await writeFile(
        join(out, 'tsconfig.json'),
        JSON.stringify({ compilerOptions, files: ['use.ts'] }),
      );
      const tsc = join(project, 'node_modules/typescript/bin/tsc');
      const { status, stdout } = attempt([process.execPath, tsc, '-p', out]);
      assert.equal(status, 0, stdout);
    });
  }
});

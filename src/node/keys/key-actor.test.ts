import assert from 'node:assert/strict';
import { hostname, userInfo } from 'node:os';
import { test } from 'node:test';

import { commandLineActor, isPersonName } from './keys.ts';

const user = userInfo().username;
const account = `${user}@${hostname()} cli[${process.pid}]`;

test('without a person, the actor is the user, the machine and the process', () => {
  assert.equal(commandLineActor(undefined, {}), account);
  assert.equal(commandLineActor(undefined, { SUDO_USER: '' }), account);
  assert.equal(commandLineActor(undefined, { SUDO_USER: user }), account);
});

test('the person who ran sudo precedes the user, and the name that the person gave precedes both', () => {
  assert.equal(commandLineActor(undefined, { SUDO_USER: 'maria' }), `maria via ${account}`);
  assert.equal(commandLineActor('ana', {}), `ana via ${account}`);
  assert.equal(commandLineActor('ana', { SUDO_USER: 'maria' }), `ana via maria via ${account}`);
  assert.equal(commandLineActor('maria', { SUDO_USER: 'maria' }), `maria via ${account}`);
});

test('a name of the environment cannot look like two people, or break the line', () => {
  const actor = commandLineActor(undefined, { SUDO_USER: 'maria via root\n\u001b[2J' });
  assert.equal(actor, `maria_via_root___2J via ${account}`);
  assert.equal(
    commandLineActor(undefined, { SUDO_USER: String.raw`DESK\maria` }),
    `DESK\\maria via ${account}`,
  );
});

test('a name is a word of at most 64 letters, digits and few other characters', () => {
  for (const name of ['ana', 'josé.pérez', 'ana@example.com', 'ci-42', 'ñ'.repeat(64)]) {
    assert.ok(isPersonName(name), name);
  }
  for (const name of ['', ' ', 'ana via root', 'a\nb', '-x', 'a"b', 'n'.repeat(65), '\u202e']) {
    assert.ok(!isPersonName(name), name);
  }
});

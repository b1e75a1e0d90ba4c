import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startPizarra, temporaryDirectory } from '../support/program/program.ts';
import { SourceServer } from '../support/http/source-server.ts';
import { until } from '../support/wait.ts';

const password = 'contrasena-91f4c2';
const token = 'token-5b8e20c7d1';

test('a source with an account reads its key files, logs in, and its last trade is on the board', async () => {
  await using directory = await temporaryDirectory();
  await using source = await SourceServer.start();
  source.respond = ({ headers }, response) => {
    const isRight = headers['x-username'] === 'usuario' && headers['x-password'] === password;
    response.writeHead(isRight ? 200 : 401, isRight ? { 'x-auth-token': token } : {}).end();
  };
  source.upgrade = ({ headers }, socket, accept) => {
    if (headers['x-auth-token'] !== token) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
      return;
    }
    accept((webSocket) => {
      const instrumentId = { marketId: 'ROFX', symbol: 'MERV - XMEV - GGAL - 24hs' };
      const date = Date.parse('2026-11-20T16:59:30-03:00');
      const marketData = { LA: { price: 6_005, size: 10, date } };
      webSocket.on('message', () => {
        webSocket.send(JSON.stringify({ type: 'Md', timestamp: date, instrumentId, marketData }));
        // A source that repeats what it should not: the log must not.
        webSocket.send(JSON.stringify({ status: 'ERROR', description: `${token} ${password}` }));
      });
    });
  };
  await writeFile(join(directory.path, 'user.txt'), 'usuario\n');
  await writeFile(join(directory.path, 'password.txt'), `${password}\n`);
  const config = join(directory.path, 'pizarra.yaml');
  await writeFile(
    config,
    `
feeds:
  - name: broker
    type: primary
    url: '${source.socketUrl}'
    key: { file: user.txt }
    secret: { file: password.txt }
    instruments: { include: [GGAL] }
`,
  );
  const data = join(directory.path, 'data');
  await using service = await startPizarra(['--store', data, '--config', config]);
  const authorization = `Bearer ${await service.firstKey()}`;
  const [quote] = await until('the trade is on the board', async () => {
    const url = `${service.url}/cotizaciones?especie=GGAL`;
    const response = await fetch(url, { headers: { authorization } });
    const found = (await response.json()) as readonly Record<string, unknown>[];
    return found.length > 0 ? found : undefined;
  });
  assert.deepEqual(
    [quote?.['fecha'], quote?.['hora'], quote?.['ultimo']],
    ['2026-11-20', '16:59:30', 6_005],
  );
  await service.logged('[secret] [secret]');
  const output = service.stdout() + service.stderr();
  for (const secret of [password, token]) assert.ok(!output.includes(secret));
  assert.equal(await service.stop(), 0);
});

/**
 * A simple SQL service, as written in an afternoon, for `bench/compare/sides/fastify-*.ts`: Fastify, one query
 * per request, the rows as JSON. It computes an ETag only for requests with one, and compresses only for
 * clients that accept it, so that the other requests have no cost of either.
 *
 * Usage: sql-server.ts sqlite|postgres PLACE PORT, with BENCH_KEY in the environment.
 */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Fastify from 'fastify';
import { openPostgresQuotes } from './postgres-quotes.ts';
import type { PushedUpdate, StoredRow } from './quote-database.ts';
import { openSqliteQuotes } from './sqlite-quotes.ts';

const compress = promisify(gzip);
const [kind = '', place = '', port = ''] = process.argv.slice(2);
const authorization = `Bearer ${process.env['BENCH_KEY'] ?? ''}`;
const database = kind === 'sqlite' ? openSqliteQuotes(place) : openPostgresQuotes(place);
const app = Fastify({ logger: false, keepAliveTimeout: 600_000 });

app.addHook('onRequest', async (request, reply) => {
  if (request.headers.authorization !== authorization) {
    return reply.code(401).send({ error: 'La clave no es válida.' });
  }
});

app.get<{ Querystring: { readonly especie?: string; readonly panel?: string } }>(
  '/cotizaciones',
  async ({ query: { especie, panel } }) => {
    const rows =
      panel === undefined
        ? await database.quotes((especie ?? '').split(','))
        : await database.panel(panel);
    return rows.map(withoutAbsent);
  },
);

app.get<{
  Querystring: { readonly especie: string; readonly desde: string; readonly hasta: string };
}>('/historicos', ({ query: { especie, desde, hasta } }) => database.closes(especie, desde, hasta));

app.post<{ Body: readonly PushedUpdate[] }>('/updates', async ({ body }) => {
  await database.update(body);
  return { accepted: body.length };
});

app.addHook('onSend', async (request, reply, payload) => {
  if (typeof payload !== 'string') return payload;
  const known = request.headers['if-none-match'];
  if (known !== undefined) {
    const etag = `"${hash('sha1', payload, 'base64url')}"`;
    void reply.header('etag', etag);
    if (known === etag) {
      void reply.code(304);
      return '';
    }
  }
  if (request.headers['accept-encoding']?.includes('gzip') !== true) return payload;
  void reply.header('content-encoding', 'gzip');
  return compress(payload);
});

await app.listen({ host: '127.0.0.1', port: Number(port) });

/** Removes unknown fields of a row. Only the optional fields of the contract may be absent. */
function withoutAbsent(row: StoredRow): Partial<StoredRow> {
  const { hora, anterior, apertura, minimo, maximo } = row;
  const { especie, fecha, ultimo, variacion, varMTD, varYTD, volumen } = row;
  return {
    especie,
    fecha,
    ...(hora === null ? {} : { hora }),
    ultimo,
    variacion,
    ...(anterior === null ? {} : { anterior }),
    ...(apertura === null ? {} : { apertura }),
    ...(minimo === null ? {} : { minimo }),
    ...(maximo === null ? {} : { maximo }),
    varMTD,
    varYTD,
    volumen,
  };
}

import { zstdCompressSync } from 'node:zlib';
import type { SchemaElement } from 'hyparquet-writer';

import type { CellValue, CellType, ExportedTable } from '../../import/cells/exported-columns.ts';

/** Maximum number of rows of a row group. A reader can skip a group, and needs the memory of one group. */
const groupRows = 100_000;

/** How a column of each type is stored: dates as days, instants as milliseconds in UTC. */
const storedAs: Readonly<Record<CellType, Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  number: { type: 'DOUBLE' },
  date: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  instant: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
};

/**
 * Writes a table as a Parquet file, in pieces: one for each group of rows, of which one is in memory at a time.
 *
 * @param notes are stored as the key-value metadata of the file.
 */
export async function* parquetFile(
  { columns, batches }: ExportedTable,
  notes: Readonly<Record<string, string>>,
): AsyncGenerator<Uint8Array> {
  // Loaded here, because only an export to Parquet needs it.
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
  const named = Object.entries(columns);
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    schema: [
      { name: 'root', num_children: named.length },
      ...named.map(([name, { type }]) => ({
        name,
        repetition_type: 'OPTIONAL' as const,
        ...storedAs[type],
      })),
    ],
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    kvMetadata: Object.entries(notes).map(([key, value]) => ({ key, value })),
    createdBy: 'pizarra',
  });
  const written = (): Uint8Array => {
    const bytes = writer.getBytes().slice();
    // What the caller has received is dropped from the buffer. The offsets of the file continue.
    writer.index = 0;
    return bytes;
  };
  for await (const rows of inGroups(batches)) {
    const columnData = named.map(([name], at) => ({ name, data: rows.map((row) => row[at]) }));
    await file.write({ columnData, rowGroupSize: rows.length });
    yield written();
  }
  await file.finish();
  yield written();
}

async function* inGroups(
  batches: ExportedTable['batches'],
): AsyncGenerator<readonly (readonly CellValue[])[]> {
  let rows: (readonly CellValue[])[] = [];
  for await (const batch of batches) {
    for (const row of batch) {
      rows.push(row);
      if (rows.length < groupRows) continue;
      yield rows;
      rows = [];
    }
  }
  if (rows.length > 0) yield rows;
}

import { dirname } from 'node:path';

import type { FileOperation } from './trace.ts';

/** A disk keeps or loses what was not synced by sectors, in bytes. */
const sectorBytes = 512;

type Change = Extract<FileOperation, { readonly type: 'write' | 'truncate' }>;

/** One file: what is durable of it, and what was done since it was synced last. */
class File {
  content: Buffer = Buffer.alloc(0);
  pending: Change[] = [];
  /** Whether its name is sure to be in its directory, or sure to be gone. */
  isNamed = false;
  isRemoved = false;

  sync(): void {
    this.content = applied(this.content, this.pending);
    this.pending = [];
  }
}

/**
 * A disk, as a program's system calls leave it. What was synced is there after the power was cut; of
 * the rest, anything may be: some writes and not those before them, some sectors of a write and not
 * the others, a new file's name or not.
 */
export class Disk {
  readonly #files = new Map<string, File>();

  apply(operation: FileOperation): void {
    switch (operation.type) {
      case 'create':
        this.#fileOf(operation.path).isRemoved = false;
        break;
      case 'remove':
        this.#fileOf(operation.path).isRemoved = true;
        break;
      case 'write':
      case 'truncate':
        this.#fileOf(operation.path).pending.push(operation);
        break;
      case 'sync':
        this.#sync(operation.path);
        break;
      case 'said':
        break;
    }
  }

  /** The files as they may be found after a cut of the power right now. */
  afterPowerCut(random: () => number): ReadonlyMap<string, Buffer> {
    const found = new Map<string, Buffer>();
    // Sometimes nearly all has reached the disk, sometimes nearly nothing.
    const kept = random();
    for (const [path, file] of this.#files) {
      const isThere = file.isRemoved
        ? file.isNamed && random() < 0.5
        : file.isNamed || random() < kept;
      if (!isThere) continue;
      const survived = file.pending.flatMap(partsOf).filter(() => random() < kept);
      found.set(path, applied(file.content, survived));
    }
    return found;
  }

  #sync(path: string): void {
    const file = this.#files.get(path);
    if (file !== undefined) return file.sync();
    for (const [name, inside] of this.#files) {
      if (dirname(name) !== path) continue;
      if (inside.isRemoved) this.#files.delete(name);
      else inside.isNamed = true;
    }
  }

  #fileOf(path: string): File {
    let file = this.#files.get(path);
    if (file === undefined) this.#files.set(path, (file = new File()));
    return file;
  }
}

/** The sectors of a write; a change of the size is whole or not at all. */
function partsOf(change: Change): readonly Change[] {
  if (change.type === 'truncate') return [change];
  const { bytes, at } = change;
  const parts: Change[] = [];
  for (let from = 0; from < bytes.length;) {
    const to = Math.min(bytes.length, from + sectorBytes - ((at + from) % sectorBytes));
    parts.push({ ...change, at: at + from, bytes: bytes.subarray(from, to) });
    from = to;
  }
  return parts;
}

/** Content with changes made to it, one after the other; the content itself stays as it is. */
function applied(content: Buffer, changes: readonly Change[]): Buffer {
  const ends = changes.map((change) =>
    change.type === 'truncate' ? change.size : change.at + change.bytes.length,
  );
  const room = Buffer.alloc(ends.reduce((most, end) => Math.max(most, end), content.length));
  content.copy(room);
  let size = content.length;
  for (const change of changes) {
    if (change.type === 'write') {
      change.bytes.copy(room, change.at);
      size = Math.max(size, change.at + change.bytes.length);
    } else {
      // What lies beyond a cut reads as zeros when the file grows again.
      room.fill(0, Math.min(size, change.size));
      size = change.size;
    }
  }
  return room.subarray(0, size);
}

import { dirname } from 'node:path';

import type { FileOperation } from './trace.ts';

/** Size of a sector, in bytes. A power failure keeps or loses whole sectors. */
const sectorBytes = 512;

type Change = Extract<FileOperation, { readonly type: 'write' | 'truncate' }>;

/** One file: its durable content, and the changes since the last sync. */
class File {
  content: Buffer = Buffer.alloc(0);
  pending: Change[] = [];
  /** Whether the state of its name in the directory is durable. */
  isNamed = false;
  isRemoved = false;

  sync(): void {
    this.content = applied(this.content, this.pending);
    this.pending = [];
  }
}

/**
 * The state of a disk after the system calls of a program. Synced data survive a power failure. Any part
 * of the other data may survive: a write without an earlier one, some sectors of a write, or the name of a
 * new file.
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

  /** One possible state of the files after a power failure at this point. */
  afterPowerCut(random: () => number): ReadonlyMap<string, Buffer> {
    const found = new Map<string, Buffer>();
    // The fraction of changes that has reached the disk, from nearly none to nearly all.
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

/** Splits a write into sectors. A change of the size is atomic. */
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

/** Applies changes to a copy of the content, in order. */
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
      // The bytes after a truncation are zeros when the file grows again.
      room.fill(0, Math.min(size, change.size));
      size = change.size;
    }
  }
  return room.subarray(0, size);
}

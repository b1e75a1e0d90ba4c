import { fileFault, type UniverseFault } from './universe-fault.ts';

/**
 * Decodes a file strictly, so that no character is silently replaced. Spreadsheets write a byte
 * order mark and mixed line endings: the mark is removed, and every line ends with a newline.
 *
 * @returns undefined after a fault, when the file is not UTF-8.
 */
export function decodeText(
  file: string,
  bytes: Uint8Array,
  faults: UniverseFault[],
): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.replaceAll(/\r\n?/g, '\n');
  } catch {
    const before = new TextDecoder('utf-8').decode(bytes).split('\uFFFD', 1)[0] ?? '';
    const message =
      'the file is not UTF-8 from here on; save it as UTF-8 (in Excel, "CSV UTF-8 (delimited by commas)")';
    faults.push(fileFault(file, message, before.split(/\r\n?|\n/).length));
    return undefined;
  }
}

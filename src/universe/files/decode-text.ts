import type { UniverseFault } from './universe-fault.ts';

/** The text of a file, or a fault when it is not UTF-8. */
type DecodedText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly fault: UniverseFault };

/**
 * Decodes a file strictly, so that no character is silently replaced. Spreadsheets write a byte
 * order mark and mixed line endings: the mark is removed, and every line ends with a newline.
 */
export function decodeText(file: string, bytes: Uint8Array): DecodedText {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { ok: true, text: text.replaceAll(/\r\n?/g, '\n') };
  } catch {
    return { ok: false, fault: notUtf8(file, bytes) };
  }
}

function notUtf8(file: string, bytes: Uint8Array): UniverseFault {
  const before = new TextDecoder('utf-8').decode(bytes).split('\uFFFD', 1)[0] ?? '';
  const lines = before.split(/\r\n?|\n/);
  return {
    file,
    line: lines.length,
    column: 0,
    value: '',
    message:
      'the file is not UTF-8 from here on; save it as UTF-8 (in Excel, "CSV UTF-8 (delimited by commas)")',
  };
}

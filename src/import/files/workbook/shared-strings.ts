import { readXml } from './read-xml.ts';
import { WorkbookFault } from './workbook-fault.ts';

/** Maximum number of texts that cells share, and of their characters. A table of prices has a few hundred. */
const sharedStringsMax = 500_000;
const sharedCharsMax = 33_554_432;

/** The texts that cells share, by their index. Formatting is left out, and so are readings of characters. */
export async function sharedStrings(
  bytes: AsyncIterable<Uint8Array> | undefined,
): Promise<readonly string[]> {
  const strings: string[] = [];
  if (bytes === undefined) return strings;
  let chars = 0;
  let current = '';
  let depthOfReading = 0;
  let isText = false;
  const events = readXml(bytes, {
    open(name) {
      if (name === 'si') current = '';
      else if (name === 'rPh') depthOfReading += 1;
      else if (name === 't') isText = depthOfReading === 0;
    },
    text(text) {
      if (!isText) return;
      current += text;
      chars += text.length;
    },
    close(name) {
      if (name === 'si') strings.push(current);
      else if (name === 'rPh') depthOfReading -= 1;
      else if (name === 't') isText = false;
      if (chars > sharedCharsMax || strings.length > sharedStringsMax) {
        throw new WorkbookFault(
          'too-large',
          'the workbook has too many texts; save the sheet as CSV',
        );
      }
    },
  });
  for await (const _ of events);
  return strings;
}

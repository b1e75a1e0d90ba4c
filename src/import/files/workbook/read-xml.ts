import sax from 'sax';
import type { SAXParser } from 'sax';
import { ImportRefusal } from '../../refusals/import-refusal.ts';

/** Receives the elements of a document in their order. Names are without their namespace prefix. */
interface XmlReader {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/**
 * Reads an XML document from a stream. It yields after each chunk, so the reader's results need not be
 * collected. Entities other than those of XML are faults, so none can expand.
 *
 * @throws {ImportRefusal} `unreadable` for text that is not well-formed XML.
 */
export async function* readXml(
  bytes: AsyncIterable<Uint8Array>,
  reader: XmlReader,
): AsyncGenerator<void> {
  const handlers: Partial<SAXParser> = {
    onopentag: ({ name, attributes }) => {
      reader.open(localName(name), attributes as Readonly<Record<string, string>>);
    },
    ontext: (text) => reader.text?.(text),
    oncdata: (text) => reader.text?.(text),
    onclosetag: (name) => reader.close?.(localName(name)),
    onerror: (error) => {
      const message = `the workbook is damaged: ${firstLine(error.message)}`;
      throw new ImportRefusal('unreadable', message);
    },
  };
  const parser = Object.assign(sax.parser(true, { position: false }), handlers);
  const decoder = new TextDecoder();
  for await (const chunk of bytes) {
    parser.write(decoder.decode(chunk, { stream: true }));
    yield;
  }
  parser.write(decoder.decode()).close();
  yield;
}

/** As {@link readXml}, to the end. */
export async function readWholeXml(
  bytes: AsyncIterable<Uint8Array>,
  reader: XmlReader,
): Promise<void> {
  for await (const _ of readXml(bytes, reader));
}

/** The name of an element without its prefix. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

import { ImportRefusal } from '../refusals/import-refusal.ts';
import { asRefusal, type Leaf } from './containers.ts';
import { decodeText } from './text.ts';

/** Maximum length of a file that is read as a whole, in characters. */
const fileCharsMax = 16_777_216;

/**
 * The text of a file that is small enough to be read as a whole.
 *
 * @throws ImportRefusal when the file cannot be read, is no text, or is too long.
 */
export async function wholeText(
  leaf: Exclude<Leaf, { readonly type: 'skipped' }>,
): Promise<string> {
  if (leaf.type === 'refused') throw leaf.refusal;
  let text = '';
  try {
    for await (const part of decodeText(leaf.bytes)) {
      text += part;
      if (text.length > fileCharsMax) {
        const message = `it is longer than ${fileCharsMax} characters; split it into several files`;
        throw new ImportRefusal('too-large', message);
      }
    }
  } catch (error) {
    throw asRefusal(error);
  }
  return text;
}

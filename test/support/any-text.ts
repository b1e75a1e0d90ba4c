import * as fc from 'fast-check';

/** Any text of JavaScript, lone surrogates included. The unit `binary` of fast-check takes a second to begin with. */
export function anyText(maxLength = 10): fc.Arbitrary<string> {
  return fc
    .array(fc.nat({ max: 0xffff }), { maxLength })
    .map((codes) => String.fromCharCode(...codes));
}

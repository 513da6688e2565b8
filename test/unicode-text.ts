// Random texts of all code points.
import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;
const LAST_CODE_POINT = 0x10ffff;

const codePoint = fc
  .integer({ min: 0, max: LAST_CODE_POINT - SURROGATES })
  .map((value) => (value < FIRST_SURROGATE ? value : value + SURROGATES));

/**
 * Builds an arbitrary of texts of any code points. `fc.string({ unit: 'binary' })` needs a second to list them all.
 * @param constraints - `maxLength`: in code points
 */
export function unicodeText(constraints: { maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.array(codePoint, constraints).map((values) => String.fromCodePoint(...values));
}

// Prints 32-bit floats with as few digits as needed: 28.772884, not 28.772884368896484.

/**
 * Finds the number with the fewest digits that rounds to the same float.
 * @param float - a 32-bit float
 */
export function toShortFloat(float: number): number {
  const candidates = [6, 7, 8].map((digits) => Number(float.toPrecision(digits)));
  return candidates.find((candidate) => Math.fround(candidate) === float) ?? Number(float.toPrecision(9));
}

// Scores are floats of 32 bits; printed as such they are short: 28.772884, not 28.772884368896484.

/**
 * @param float - a number that 32 bits hold
 * @returns the number of the fewest digits that is the same float
 */
export function shortFloat(float: number): number {
  const short = [6, 7, 8].map((digits) => Number(float.toPrecision(digits)));
  return short.find((one) => Math.fround(one) === float) ?? Number(float.toPrecision(9));
}

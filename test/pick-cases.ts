// Fewer cases of slow tests in `npm test`; `npm run test:all` runs all of them.

/** @returns all cases in the long tier; otherwise as many as given, evenly spread, the first and the last among them */
export function pickCases<T>(cases: readonly T[], count: number): readonly T[] {
  if (process.env.LONG_TESTS === '1' || cases.length <= count) return cases;
  const step = (cases.length - 1) / (count - 1);
  const picked = new Set(Array.from({ length: count }, (_, at) => Math.round(at * step)));
  return cases.filter((_, at) => picked.has(at));
}

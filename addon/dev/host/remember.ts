// Remembers results computed from unchanging texts: every spreadsheet reads the same scripts again.

/** More than the files of an add-on. */
const MAX_TEXTS = 8;

/**
 * Returns a function that computes the result of each text once, while few texts were asked for since.
 * @param compute - must always return the same for the same text, and nobody may change it
 */
export function rememberByText<Result>(compute: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = compute(text);
    const [oldest] = results.keys();
    if (results.size >= MAX_TEXTS && oldest !== undefined) results.delete(oldest);
    results.set(text, result);
    return result;
  };
}

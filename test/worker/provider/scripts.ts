// Scripts in which names of the samples are written.

/** As Unicode calls them. */
export const scripts = [
  'Latin',
  'Han',
  'Hangul',
  'Arabic',
  'Devanagari',
  'Cyrillic',
  'Greek',
  'Hebrew',
  'Thai',
] as const;

/** How many of some texts have a letter of a script. @param script - as Unicode calls it */
export function countIn(script: string, texts: readonly string[]): number {
  const letters = new RegExp(`\\p{Script=${script}}`, 'u');
  return texts.filter((text) => letters.test(text)).length;
}

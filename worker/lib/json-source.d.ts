// Declares parsing with source texts and raw JSON (ECMAScript 2026), which TypeScript's libraries lack.
interface JSON {
  parse(
    text: string,
    reviver: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  /** Creates a value that is serialised as this text. */
  rawJSON(text: string): object;
}

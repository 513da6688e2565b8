// Declares the source text argument of JSON.parse revivers (ECMAScript 2026), which TypeScript's libraries lack.
interface JSON {
  parse(
    text: string,
    reviver: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
}

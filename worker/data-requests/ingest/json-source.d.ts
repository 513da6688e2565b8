// The source text that JSON.parse hands to a reviver (ECMAScript 2026), which the compiler's libraries do not declare yet.
interface JSON {
  parse(
    text: string,
    reviver: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
}

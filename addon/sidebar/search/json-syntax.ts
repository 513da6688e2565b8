// Finds the first JSON syntax error: browsers report positions differently or not at all.

/** Position and description of a syntax error. */
export interface JsonError {
  /** From 1. */
  line: number;
  message: string;
}

class JsonSyntaxError extends Error {}

const SPACE = /[\t\n\r ]*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)\b/y;
const TEXT = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy;
const MAX_DEPTH = 200;

class Reader {
  readonly #text: string;
  at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readDocument(): void {
    this.#value(0);
    this.#match(SPACE);
    if (this.at < this.#text.length) throw new JsonSyntaxError('there is text after the end of the query');
  }

  #match(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.#text);
    if (match === null) return false;
    this.at += match[0].length;
    return true;
  }

  /** Skips a character if it is the next one. */
  #skip(character: string): boolean {
    this.#match(SPACE);
    if (this.#text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  #value(depth: number): void {
    if (depth > MAX_DEPTH) throw new JsonSyntaxError('it is nested too deeply');
    if (this.#skip('{')) this.#members('}', depth);
    else if (this.#skip('[')) this.#members(']', depth);
    else if (!this.#match(SCALAR)) this.#string('a value is missing. Put texts in "double quotes"');
  }

  #string(missingMessage: string): void {
    if (this.#match(TEXT)) return;
    throw new JsonSyntaxError(
      this.#text[this.at] === '"'
        ? 'a text has no closing quote, or a character in it needs a \\'
        : missingMessage,
    );
  }

  #members(end: '}' | ']', depth: number): void {
    if (this.#skip(end)) return;
    do {
      if (end === '}') {
        this.#match(SPACE);
        this.#string('a name in "double quotes" is missing, or there is a comma too many');
        if (!this.#skip(':')) throw new JsonSyntaxError('a colon is missing');
      }
      this.#value(depth + 1);
    } while (this.#skip(','));
    if (!this.#skip(end)) throw new JsonSyntaxError(`a comma or a ${end} is missing`);
  }
}

/**
 * Finds the first syntax error of a JSON text.
 * @returns undefined if the text is valid
 */
export function findJsonError(text: string): JsonError | undefined {
  const reader = new Reader(text);
  try {
    reader.readDocument();
    return undefined;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { line: text.slice(0, reader.at).split('\n').length, message: error.message };
  }
}

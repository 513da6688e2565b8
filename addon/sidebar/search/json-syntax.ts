// Finds where a text stops being JSON: browsers say that each in its own way, some not at all.

/** Where, and what is wrong there, in words. */
export interface JsonError {
  /** Counts from 1. */
  line: number;
  message: string;
}

class SyntaxFault extends Error {}

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

  whole(): void {
    this.#value(0);
    this.#take(SPACE);
    if (this.at < this.#text.length) throw new SyntaxFault('there is text after the end of the query');
  }

  #take(form: RegExp): boolean {
    form.lastIndex = this.at;
    const found = form.exec(this.#text);
    if (found === null) return false;
    this.at += found[0].length;
    return true;
  }

  /** Goes over a sign, if it is the next. */
  #sign(sign: string): boolean {
    this.#take(SPACE);
    if (this.#text[this.at] !== sign) return false;
    this.at += 1;
    return true;
  }

  #value(depth: number): void {
    if (depth > MAX_DEPTH) throw new SyntaxFault('it is nested too deeply');
    if (this.#sign('{')) this.#members('}', depth);
    else if (this.#sign('[')) this.#members(']', depth);
    else if (!this.#take(SCALAR)) this.#string('a value is missing. Put texts in "double quotes"');
  }

  #string(otherwise: string): void {
    if (this.#take(TEXT)) return;
    throw new SyntaxFault(
      this.#text[this.at] === '"'
        ? 'a text has no closing quote, or a character in it needs a \\'
        : otherwise,
    );
  }

  #members(end: '}' | ']', depth: number): void {
    if (this.#sign(end)) return;
    do {
      if (end === '}') {
        this.#take(SPACE);
        this.#string('a name in "double quotes" is missing, or there is a comma too many');
        if (!this.#sign(':')) throw new SyntaxFault('a colon is missing');
      }
      this.#value(depth + 1);
    } while (this.#sign(','));
    if (!this.#sign(end)) throw new SyntaxFault(`a comma or a ${end} is missing`);
  }
}

/**
 * Finds the first fault of a text that should be JSON.
 * @returns undefined where there is none
 */
export function findJsonError(text: string): JsonError | undefined {
  const reader = new Reader(text);
  try {
    reader.whole();
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    return { line: text.slice(0, reader.at).split('\n').length, message: error.message };
  }
}

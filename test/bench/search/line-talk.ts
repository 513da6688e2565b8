// Talks with a program by lines: a question goes to its input, its answer comes as lines up to one that ends it.
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

const KEPT_COMPLAINT = 2_000;

/** A running program that is asked one thing after the other. */
export class LineTalk {
  readonly #child: ChildProcess;
  #lines: string[] = [];
  #complaint = '';
  #waiting: { resolve: (lines: string[]) => void; reject: (error: Error) => void } | undefined;

  /**
   * @param child - with pipes for input, output and complaints
   * @param isEnd - whether a line is the last of an answer
   */
  constructor(child: ChildProcess, isEnd: (line: string) => boolean) {
    const { stdout, stderr } = child;
    if (stdout === null || stderr === null) throw new TypeError('the program has no pipes');
    this.#child = child;
    stderr.on('data', (chunk: Buffer) => {
      this.#complaint = (this.#complaint + chunk.toString()).slice(-KEPT_COMPLAINT);
    });
    createInterface({ input: stdout }).on('line', (line) => {
      this.#lines.push(line);
      if (isEnd(line)) this.#finish();
    });
    const fail = (): void => this.#waiting?.reject(new Error(`it has ended: ${this.#complaint.trim()}`));
    child.once('error', fail);
    child.once('close', fail);
  }

  /**
   * Asks.
   * @param question - one or more lines, without the last line's end
   * @returns the lines of the answer, the one that ends it included
   * @throws Error with its complaint, where the program ends
   */
  ask(question: string): Promise<string[]> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      if (this.#child.exitCode !== null) reject(new Error(`it has ended: ${this.#complaint.trim()}`));
      else this.#child.stdin?.write(`${question}\n`);
    });
  }

  #finish(): void {
    const lines = this.#lines;
    this.#lines = [];
    this.#waiting?.resolve(lines);
    this.#waiting = undefined;
  }
}

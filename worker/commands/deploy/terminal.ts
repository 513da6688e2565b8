// Asks questions in a terminal, and runs a command until it ends or is interrupted.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { deployDir } from '../paths.ts';
import { createStopSignal, runCommand, UserError } from '../user-error.ts';
import type { DeployPlatform } from './platform.ts';
import { readCommit } from './versions.ts';
import { runWrangler } from './wrangler.ts';

/** Input and output of a question. */
export interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

const STOPPED = 'Stopped. Run the same command again: it continues where it stopped.';

/**
 * Asks a question.
 * @param isHidden - the terminal does not show the answer
 * @throws UserError after Ctrl-C or the end of the input
 */
export async function askQuestion(
  { input, output }: Terminal,
  question: string,
  isHidden: boolean,
): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: isHidden ? silent : output, terminal: true });
  // Only now: before there is a reader, the terminal would show the input.
  if (isHidden) output.write(question);
  const stop = new AbortController();
  // A terminal in raw mode reports Ctrl-C only to the reader.
  for (const event of ['SIGINT', 'close'] as const) reader.on(event, () => stop.abort());
  try {
    return (await reader.question(isHidden ? '' : question, { signal: stop.signal })).trim();
  } catch {
    throw new UserError(STOPPED);
  } finally {
    reader.close();
    if (isHidden) output.write('\n');
  }
}

/**
 * Lets a person confirm a change by typing the name of the deployment.
 * @param noTerminal - says what to do where nobody can type
 * @param unchanged - what happens if another name is typed, such as `Nothing was changed`
 * @throws UserError unless the name is typed
 */
export async function confirmName(
  { ask }: Pick<DeployPlatform, 'ask'>,
  name: string,
  noTerminal: string,
  unchanged: string,
  question = '',
): Promise<void> {
  if (ask === undefined) throw new UserError(noTerminal);
  if ((await ask(`${question}Type the name ${name} to go on: `)) !== name)
    throw new UserError(`${unchanged}: that is not the name of the deployment.`);
}

/** Runs a command of a deployment. Ctrl-C ends it with a sentence. */
export function runDeployCommand(
  run: (args: readonly string[], platform: DeployPlatform) => Promise<void>,
): Promise<void> {
  const signal = createStopSignal();
  const { stdin: input, stdout: output } = process;
  const platform: DeployPlatform = {
    env: process.env,
    folder: deployDir,
    fetch,
    wrangler: (args, environment) => runWrangler(args, { ...process.env, ...environment }, signal),
    readCommit,
    log: (line) => console.log(line),
    isTerminal: output.isTTY === true,
    ask: input.isTTY
      ? (question, isHidden = false) => askQuestion({ input, output }, question, isHidden)
      : undefined,
    sleep: (ms) => sleep(ms, undefined, { signal }),
    now: Date.now,
    signal,
  };
  return runCommand(async () => {
    try {
      await run(process.argv.slice(2), platform);
    } catch (error) {
      throw signal.aborted ? new UserError(STOPPED) : error;
    }
  });
}

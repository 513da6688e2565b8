// Starts and stops third-party servers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';

export const HOST = '127.0.0.1';
const START_TIMEOUT_MS = 30_000;
const POLL_MS = 100;

/** Finds a free port. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  server.close();
  return port;
}

/**
 * Starts a program and waits until it answers.
 * @param url - requested until there is any response
 * @returns a function that stops it
 * @throws Error with its output if it exits or does not answer
 */
export async function startProgram(
  command: string,
  args: readonly string[],
  url: string,
): Promise<() => Promise<void>> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-2_000);
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', (error) => {
      output += error.message;
      resolve();
    });
  });
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; await pause(POLL_MS)) {
    if (child.exitCode !== null || child.pid === undefined) break;
    try {
      await (await fetch(url)).arrayBuffer();
      return stop;
    } catch {
      // The program is not listening yet.
    }
  }
  await stop();
  throw new Error(`${command} does not answer: ${output}`);
}

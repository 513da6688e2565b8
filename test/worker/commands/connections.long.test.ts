// What docs/sandbox.md states about connections without traffic, with real silences.
import { execFile } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { expect, inject, it, onTestFinished } from 'vitest';

const session = inject('session');
const run = promisify(execFile);

/** Sends bytes on a new connection, and collects the response. */
function open(bytes: string): { socket: Socket; received: () => string } {
  const { hostname, port } = new URL(session.url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  socket.write(bytes);
  return { socket, received: () => text };
}

it('the platform closes a silent connection after five seconds, without an announcement', async () => {
  const { socket, received } = open(
    'GET /health HTTP/1.1\r\nhost: localhost\r\nkeep-alive: timeout=60\r\n\r\n',
  );
  const ended = new Promise((resolve) => socket.once('end', resolve));
  await expect.poll(received).toMatch(/^HTTP\/1.1 200 /);
  const answeredAt = performance.now();
  await ended;
  expect(performance.now() - answeredAt).toBeGreaterThan(4_500);
  // Clients could close in time if it announced it: then docs/sandbox.md and test/close-connections.ts are obsolete.
  expect(received()).not.toMatch(/^(?:connection|keep-alive):/im);
});

it('a client that does not send the rest of its request is answered all the same', async () => {
  const { received } = open(
    'POST /sheets/v1/lookup HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n{}',
  );
  await expect.poll(received).toMatch(/^HTTP\/1.1 401 /);
});

/** Calls twice with a silence in between. Several at once, so that they take as long as the longest. */
const CALLS = `
  const call = async () => (await fetch(process.argv[1] + '/health')).text();
  await Promise.all([3000, 3900, 4500, 4990, 5010, 6000, 8000].map(async (silence) => {
    await call();
    await new Promise((resolve) => setTimeout(resolve, silence));
    await call();
  }));
`;

/** Blocks the event loop during the silence. */
const BLOCKED_CALLS = `
  const call = async () => (await fetch(process.argv[1] + '/health')).text();
  await call();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6000);
  await call();
`;

const runProgram = (program: string) =>
  run(process.execPath, ['--input-type=module', '--eval', program, session.url]);

it("Node's fetch closes silent connections first, unless the program blocks", async () => {
  await runProgram(CALLS);
  await expect(runProgram(BLOCKED_CALLS)).rejects.toThrow(/ECONNRESET|UND_ERR_SOCKET/);
});

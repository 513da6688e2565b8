// google.script.run and google.script.host in the sidebar's frame; calls go through a port of the playground.
import type { FrameMessage, PageMessage } from './messages.ts';

type Handler = (value: unknown, userObject: unknown) => void;

/** State of a runner; each setter returns a new runner. */
interface Handlers {
  success?: unknown;
  failure?: unknown;
  userObject?: unknown;
}

const open = new Map<number, Handlers>();
/** Calls before the port arrives. */
const early: FrameMessage[] = [];
let port: MessagePort | undefined;
let calls = 0;

const isHandler = (value: unknown): value is Handler => typeof value === 'function';

function send(message: FrameMessage): void {
  if (port === undefined) early.push(message);
  else port.postMessage(message);
}

function settle(message: PageMessage): void {
  const handlers = open.get(message.id);
  open.delete(message.id);
  if (handlers === undefined) return;
  const { success, failure, userObject } = handlers;
  if (message.ok) {
    if (isHandler(success)) success(message.value, userObject);
    return;
  }
  const error = Object.assign(new Error(message.message), { name: message.name });
  if (isHandler(failure)) failure(error, userObject);
  else console.error('Uncaught', error);
}

/** Every property is a script function; the call fails if it does not exist. */
function runner(handlers: Handlers): object {
  return new Proxy(
    {},
    {
      get: (_, name) => {
        if (name === 'withSuccessHandler') return (success: unknown) => runner({ ...handlers, success });
        if (name === 'withFailureHandler') return (failure: unknown) => runner({ ...handlers, failure });
        if (name === 'withUserObject') return (userObject: unknown) => runner({ ...handlers, userObject });
        return (...args: unknown[]) => {
          calls += 1;
          open.set(calls, handlers);
          send({ kind: 'call', id: calls, name: String(name), args });
        };
      },
    },
  );
}

// Accepts one port, from the parent only.
addEventListener('message', (event: MessageEvent<unknown>) => {
  const [given] = event.ports;
  if (port !== undefined || given === undefined || event.source !== parent) return;
  port = given;
  port.onmessage = ({ data }: MessageEvent<PageMessage>) => settle(data);
  for (const message of early.splice(0)) port.postMessage(message);
});

const nothing = (): void => {};
Object.assign(window, {
  google: {
    script: {
      run: runner({}),
      host: {
        close: () => send({ kind: 'close' }),
        setHeight: nothing,
        setWidth: nothing,
        editor: { focus: nothing },
      },
    },
  },
});

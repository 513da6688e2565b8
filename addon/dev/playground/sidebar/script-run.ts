// google.script.run and google.script.host in the sidebar's frame; calls go through a port of the playground.

/** A call of google.script.run, a request to close the sidebar, or a key of the page. */
export type FrameMessage =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: 'close' }
  /** The person has pressed F6, or Shift+F6. */
  | { readonly kind: 'leave'; readonly toward: 1 | -1 };

export type PageMessage =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly name: string; readonly message: string };

type Handler = (value: unknown, userObject: unknown) => void;

/** State of a runner; each setter returns a new runner. */
interface Handlers {
  success?: unknown;
  failure?: unknown;
  userObject?: unknown;
}

const pendingCalls = new Map<number, Handlers>();
/** Calls before the port arrives. */
const queued: FrameMessage[] = [];
let port: MessagePort | undefined;
let lastCallId = 0;

const isHandler = (value: unknown): value is Handler => typeof value === 'function';

function send(message: FrameMessage): void {
  if (port === undefined) queued.push(message);
  else port.postMessage(message);
}

function settle(message: PageMessage): void {
  const handlers = pendingCalls.get(message.id);
  pendingCalls.delete(message.id);
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
function createRunner(handlers: Handlers): object {
  return new Proxy(
    {},
    {
      get: (_, name) => {
        if (name === 'withSuccessHandler')
          return (success: unknown) => createRunner({ ...handlers, success });
        if (name === 'withFailureHandler')
          return (failure: unknown) => createRunner({ ...handlers, failure });
        if (name === 'withUserObject')
          return (userObject: unknown) => createRunner({ ...handlers, userObject });
        return (...args: unknown[]) => {
          lastCallId += 1;
          pendingCalls.set(lastCallId, handlers);
          send({ kind: 'call', id: lastCallId, name: String(name), args });
        };
      },
    },
  );
}

// Accepts one port, from the parent only.
addEventListener('message', (event: MessageEvent<unknown>) => {
  const [receivedPort] = event.ports;
  if (port !== undefined || receivedPort === undefined || event.source !== parent) return;
  port = receivedPort;
  port.onmessage = ({ data }: MessageEvent<PageMessage>) => settle(data);
  for (const message of queued.splice(0)) port.postMessage(message);
});

addEventListener('keydown', (event) => {
  if (event.key !== 'F6' || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  send({ kind: 'leave', toward: event.shiftKey ? -1 : 1 });
});

const ignore = (): void => {};
Object.assign(window, {
  google: {
    script: {
      run: createRunner({}),
      host: {
        close: () => send({ kind: 'close' }),
        setHeight: ignore,
        setWidth: ignore,
        editor: { focus: ignore },
      },
    },
  },
});

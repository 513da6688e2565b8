// Gives each request of a test a connection of its own: workerd closes idle connections after five seconds, and a client on
// a busy machine notices that only when its next request fails.
const connected = globalThis.fetch;

globalThis.fetch = (input, init) => {
  const request = new Request(input, init);
  request.headers.set('connection', 'close');
  return connected(request);
};

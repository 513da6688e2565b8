// Disables keep-alive for requests of tests.

// workerd closes a connection after five idle seconds, without an announcement (docs/sandbox.md). A test that blocks its event
// loop, or runs on a busy machine, notices only when its next request fails.
const originalFetch = globalThis.fetch;

globalThis.fetch = (input, init) => {
  const request = new Request(input, init);
  request.headers.set('connection', 'close');
  return originalFetch(request);
};

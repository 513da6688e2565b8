// Disables keep-alive for requests of tests.

// workerd closes idle connections after five seconds. On a busy machine the client notices only when its next request fails.
const originalFetch = globalThis.fetch;

globalThis.fetch = (input, init) => {
  const request = new Request(input, init);
  request.headers.set('connection', 'close');
  return originalFetch(request);
};

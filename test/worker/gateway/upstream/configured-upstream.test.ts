// The configured provider: both settings or neither, https, a stable identity.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import {
  parseProviderUrl,
  readConfiguredUpstream,
} from '../../../../worker/gateway/upstream/configured-upstream.ts';
import { createProviderResolver } from '../../../../worker/gateway/upstream/provider-resolver.ts';
import { ProblemError } from '../../../../worker/http/problem-error.ts';
import { testPlatform } from '../../platform.ts';

describe('parseProviderUrl', () => {
  it.each([
    ['https://api.provider.example/cdapi', false, 'https://api.provider.example/cdapi'],
    ['https://api.provider.example/x/cdapi/', false, 'https://api.provider.example/x/cdapi'],
    ['http://127.0.0.1:8788/provider/cdapi', true, 'http://127.0.0.1:8788/provider/cdapi'],
    ['http://localhost:1/cdapi', true, 'http://localhost:1/cdapi'],
  ])('accepts %s', (text, development, expected) => {
    expect(parseProviderUrl(text, development)).toBe(expected);
  });

  it.each([
    ['api.provider.example/cdapi', true],
    ['http://api.provider.example/cdapi', true],
    ['http://127.0.0.1:8788/cdapi', false],
    ['https://api.provider.example/v2', false],
    ['https://key@api.provider.example/cdapi', false],
    ['https://api.provider.example/cdapi?x=1', false],
    ['file:///cdapi', true],
  ])('rejects %s', (text, development) => {
    expect(() => parseProviderUrl(text, development)).toThrow(ProblemError);
  });
});

describe('readConfiguredUpstream', () => {
  const address = 'https://api.provider.example/cdapi';

  it('returns undefined without settings', async () => {
    expect(await readConfiguredUpstream(env)).toBeUndefined();
  });

  it.each([{ CDAPI_BASE_URL: address }, { CDAPI_KEY: 'k' }])('rejects a single setting', async (half) => {
    await expect(readConfiguredUpstream({ ...env, ...half })).rejects.toThrow(ProblemError);
  });

  it('derives the identity from the URL', async () => {
    const identity = async (url: string) =>
      (await readConfiguredUpstream({ ...env, CDAPI_BASE_URL: url, CDAPI_KEY: 'k' }))?.identity;
    expect(await identity(address)).toBe(await identity(`${address}/`));
    expect(await identity(address)).not.toBe(await identity('https://other.example/cdapi'));
    expect(await identity(address)).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe('createProviderResolver', () => {
  const both = { CDAPI_BASE_URL: 'https://api.provider.example/cdapi', CDAPI_KEY: 'k' };
  const sandbox = {
    identity: 'sandbox-1',
    baseUrl: 'http://sandbox/cdapi',
    apiKey: 'k',
    fetch: async () => new Response(),
  };

  it('returns the configured provider, and reads the settings again only if they change', async () => {
    const provider = createProviderResolver(testPlatform);
    const set = { ...env, ...both };
    const first = await provider(set);
    expect(provider({ ...set })).toBe(first);
    const other = await provider({ ...set, CDAPI_BASE_URL: 'https://other.example/cdapi' });
    expect(other.identity).not.toBe(first.identity);
  });

  it('returns the sandbox without settings, and `not_configured` for incomplete settings', async () => {
    expect(await createProviderResolver({ ...testPlatform, sandbox: () => sandbox })(env)).toBe(sandbox);
    await expect(createProviderResolver(testPlatform)(env)).rejects.toMatchObject({
      problem: { code: 'not_configured' },
    });
    const half = { ...env, CDAPI_KEY: 'k' };
    for (const platform of [testPlatform, { ...testPlatform, sandbox: () => sandbox }]) {
      await expect(createProviderResolver(platform)(half)).rejects.toMatchObject({
        problem: { code: 'not_configured' },
      });
    }
  });
});

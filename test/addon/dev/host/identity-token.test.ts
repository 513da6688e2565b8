// ScriptApp.getIdentityToken of the emulated host
import { describe, expect, it } from 'vitest';
import { createHost, evaluateCell, runAsMenu } from './host.ts';

const EMAIL = 'https://www.googleapis.com/auth/userinfo.email';
const SCOPES = ['openid', EMAIL];

describe('the emulated ScriptApp.getIdentityToken', () => {
  const identityToken = async (user: string, withEmail: boolean): Promise<string> => `${user} ${withEmail}`;
  const body = 'return ScriptApp.getIdentityToken();';

  it.each<[readonly string[], readonly string[], string | null]>([
    [SCOPES, [], 'viewer@example.com true'],
    [['openid'], [], 'viewer@example.com false'],
    [SCOPES, [EMAIL], 'viewer@example.com false'],
    [SCOPES, ['openid'], null],
    [[EMAIL], [], null],
  ])('with the scopes %j, of which %j is denied, returns %s', async (oauthScopes, deniedScopes, expected) => {
    expect(await runAsMenu(body, { manifest: { oauthScopes }, deniedScopes, identityToken })).toBe(expected);
  });

  it('is null without a declared scope', async () => {
    const host = createHost(`function go() {${body}}`, { identityToken });
    expect(await host.run('go')).toBeNull();
  });

  it('fails in a formula, as Google’s custom functions ask for no consent', async () => {
    await expect(
      evaluateCell('return ScriptApp.getIdentityToken();', { manifest: { oauthScopes: SCOPES } }),
    ).rejects.toThrow('You do not have permission to call ScriptApp.getIdentityToken');
  });
});

// ScriptApp.requireScopes and getIdentityToken on the host: consent, and who the user is.
import { Exception, type Handlers } from '../calls.ts';
import type { HostOptions } from '../types.ts';

/** Name of the error that ends an execution: the script can't catch it. */
export const CONSENT_REQUIRED = 'ConsentRequired';

const EMAIL_SCOPE = 'https://www.googleapis.com/auth/userinfo.email';

/**
 * Creates the handlers. Reference "ScriptApp.requireScopes": if the user has not granted the scopes, it ends the execution
 * and shows the consent screen. Scopes that the manifest does not declare are errors. The texts of both are unverified.
 */
export function authorizationHandlers({ manifest, onUi, identityToken }: HostOptions): Handlers {
  return {
    // Reference "ScriptApp.getIdentityToken": null unless the scope openid was granted; the e-mail address needs another.
    'ScriptApp.getIdentityToken': async ({ settings, viewer }) => {
      const isGranted = (scope: string): boolean =>
        manifest.oauthScopes?.includes(scope) === true && !settings.deniedScopes.includes(scope);
      if (!isGranted('openid')) return null;
      if (identityToken === undefined) throw new Exception('This host has no stand-in of Google’s accounts.');
      return identityToken(viewer, isGranted(EMAIL_SCOPE));
    },
    // Reference "AuthorizationInfo.getAuthorizationStatus": whether the user needs to grant scopes of the script.
    'ScriptApp.getAuthorizationInfo': ({ settings }) =>
      (manifest.oauthScopes ?? []).some((scope) => settings.deniedScopes.includes(scope)),
    'ScriptApp.requireScopes': async ({ settings }, args) => {
      const scopes = args.strings(0);
      const undeclared = scopes.find((scope) => manifest.oauthScopes?.includes(scope) === false);
      if (undeclared !== undefined) throw new Exception(`Invalid scope: ${undeclared}`);
      const missing = scopes.filter((scope) => settings.deniedScopes.includes(scope));
      if (missing.length === 0) return null;
      await onUi?.({ kind: 'consent', scopes: missing });
      const required = new Error('Authorization is required to perform that action.');
      throw Object.assign(required, { name: CONSENT_REQUIRED });
    },
  };
}

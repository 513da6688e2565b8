// Verifies identity tokens of Google accounts.
// https://developers.google.com/identity/gsi/web/guides/verify-google-id-token
import { errors } from 'jose';
import * as z from 'zod';
import { ProblemError } from '../../../http/problem-error.ts';
import type { PublicKeys } from './public-keys.ts';

/** Google writes either. */
const ISSUERS = ['https://accounts.google.com', 'accounts.google.com'];

/** A member of a Google Workspace, as Google confirms it. */
export interface Identity {
  /** Id of the account; never reused. The e-mail address may change. */
  subject: string;
  email: string;
  /** The domain of the account's organization, in lower case. */
  domain: string;
  /** OAuth client id of the script that got the token. */
  audience: string;
}

const claimsSchema = z.object({
  sub: z.string().min(1).max(255),
  aud: z.string().min(1).max(200),
  exp: z.number(),
  iat: z.number(),
  email: z.string().min(3).max(320).optional(),
  email_verified: z.boolean().optional(),
  hd: z.string().min(1).max(253).optional(),
});

const refuse = (detail?: string): ProblemError => new ProblemError('sign_in_refused', detail);

const refuseHiddenEmail = (): ProblemError =>
  new ProblemError(
    'sign_in_refused',
    'CDAPI may not see your e-mail address, so your admin could not recognise you.',
    'Open myaccount.google.com/connections, remove CDAPI, reload this spreadsheet, choose Extensions → CDAPI → Open sidebar and tick every box.',
  );

const refusePersonalAccount = (): ProblemError =>
  new ProblemError(
    'domain_not_assigned',
    'You are signed in with a personal Google account, which belongs to no company.',
    'Open the spreadsheet with your work account, or ask your admin for a connection link.',
  );

/** Verifies signature, issuer and expiry. */
async function readClaims(token: string, keys: PublicKeys): Promise<unknown> {
  try {
    return await keys.verify(token, { issuer: ISSUERS, requiredClaims: ['aud', 'exp', 'iat', 'sub'] });
  } catch (error) {
    if (error instanceof errors.JWTExpired)
      throw refuse('Google’s confirmation of your account has expired.');
    if (error instanceof errors.JOSEError) throw refuse();
    throw error;
  }
}

/**
 * Verifies an identity token, without reading or writing any storage. The caller compares domain and audience with the
 * admin's assignment.
 * @param token - from `ScriptApp.getIdentityToken()`
 * @throws ProblemError `sign_in_refused`; `domain_not_assigned` for a personal account; `google_unavailable`
 */
export async function verifyIdentity(token: string, keys: PublicKeys): Promise<Identity> {
  const { data: claims } = claimsSchema.safeParse(await readClaims(token, keys));
  if (claims === undefined) throw refuse();
  const { sub: subject, aud: audience, email, hd, email_verified: isVerified } = claims;
  if (hd === undefined) throw refusePersonalAccount();
  if (email === undefined) throw refuseHiddenEmail();
  if (isVerified !== true) throw refuse('Google has not verified your e-mail address.');
  return { subject, email, domain: hd.toLowerCase(), audience };
}

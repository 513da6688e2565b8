// The connection of a person who signed in with a Google account, in the user properties.
import { createGuard, parseAs } from '../lib/json.ts';

/** Set by the build. */
declare global {
  /** Whether this release connects people through their Google accounts. */
  const CDAPI_IDENTITY: boolean;
  /** The gateway that this release is restricted to; '' allows any. A release with identity connection has one. */
  const CDAPI_GATEWAY: string;
}

const PROPERTY = 'CDAPI_IDENTITY';

/** Marks a person who disconnected, so that the sidebar does not connect automatically. */
const DISCONNECTED = 'disconnected';

/** A token is renewed this long before it expires. A script runs for at most six minutes. */
const RENEW_BEFORE_MS = 10 * 60_000;

/** A person's token, in the user properties. */
export interface StoredIdentity {
  url: string;
  token: string;
  /** ISO 8601; '' after the gateway refused the token. */
  expiresAt: string;
  /** Name of the team that pays. */
  team: string;
  /** The person has seen that this team pays, and the data terms. */
  confirmed: boolean;
}

const isStored = createGuard<StoredIdentity>({
  url: 'string',
  token: 'string',
  expiresAt: 'string',
  team: 'string',
});

const readProperty = (): string | null => PropertiesService.getUserProperties().getProperty(PROPERTY);

/** Stores a person's token. */
export function writeIdentity(identity: StoredIdentity): void {
  PropertiesService.getUserProperties().setProperty(PROPERTY, JSON.stringify(identity));
}

/** Returns the stored connection to the gateway of this release. */
export function readIdentity(): StoredIdentity | undefined {
  const stored = parseAs(readProperty(), isStored);
  return stored?.url === CDAPI_GATEWAY ? stored : undefined;
}

/** Tells whether a token need not be renewed. */
export const isUsable = ({ expiresAt }: StoredIdentity): boolean =>
  Date.parse(expiresAt) > Date.now() + RENEW_BEFORE_MS;

/** Tells whether this release connects people through their Google accounts. */
export const usesIdentity = (): boolean => CDAPI_IDENTITY;

/** Tells whether the sidebar may connect the person automatically. */
export const mayConnectIdentity = (): boolean => CDAPI_IDENTITY && readProperty() !== DISCONNECTED;

/** Tells whether the person has disconnected, and may connect again. */
export const isIdentityDisconnected = (): boolean => CDAPI_IDENTITY && readProperty() === DISCONNECTED;

/** Tells whether the person still has to see who pays, and the data terms. */
export const mustConfirmIdentity = (): boolean => CDAPI_IDENTITY && readIdentity()?.confirmed !== true;

/** Remembers that the person has seen who pays, and the data terms. */
export function confirmIdentity(): void {
  const stored = readIdentity();
  if (stored !== undefined) writeIdentity({ ...stored, confirmed: true });
}

/** Deletes the person's connection. It is not restored automatically. */
export function disconnectIdentity(): void {
  PropertiesService.getUserProperties().setProperty(PROPERTY, DISCONNECTED);
}

/** Lets the sidebar connect the person again. */
export function allowIdentity(): void {
  if (readProperty() === DISCONNECTED) PropertiesService.getUserProperties().deleteProperty(PROPERTY);
}

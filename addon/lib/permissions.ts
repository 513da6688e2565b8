// Explains permissions that the user has not given. The consent screen of Google asks for each one.
import { t } from '../texts/texts.ts';

/** Returns the message of anything that was thrown. Google's are in the language of the account: no code depends on words. */
export const getReason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What the consent screen calls each scope of the manifest. */
const LABELS = {
  'script.external_request': 'Connect to an external service',
  'spreadsheets.currentonly': 'View and manage spreadsheets that this application has been installed in',
  'script.container.ui':
    'Display and run third-party web content in prompts and sidebars inside Google applications',
  'script.scriptapp': 'Allow this application to run when you are not present',
} as const;

/** What a refusal contains in every language. Without a scope it is no matter of consent: formulas may never write. */
const ANY_SCOPE = 'https://www.googleapis.com/auth/';

/** Explains an error of a denied permission; undefined for other errors. */
export function describeDeniedPermission(error: unknown): string | undefined {
  const reason = getReason(error);
  // In a browser with several accounts, the refusal of this service names no scope.
  if (reason.includes('UrlFetchApp.')) return describeMissingPermission(LABELS['script.external_request']);
  if (!reason.includes(ANY_SCOPE)) return undefined;
  const label = Object.entries(LABELS).find(([scope]) => reason.includes(`${ANY_SCOPE}${scope}`))?.[1];
  return describeMissingPermission(label);
}

/**
 * Says how to give a permission. Google also refuses calls in a browser with several accounts, as if it were missing.
 * @param label - what the consent screen calls it; absent if it is none of the manifest's
 */
export function describeMissingPermission(label?: string): string {
  const missing =
    label === undefined
      ? t('CDAPI lacks a permission that it needs.')
      : t('CDAPI lacks the permission “{label}”.', { label });
  return `${missing} ${t('If this browser is signed in to several Google accounts, first open this spreadsheet in a private window with one account. Otherwise open myaccount.google.com/connections, remove CDAPI, reload this spreadsheet, choose Extensions → CDAPI → Open sidebar and tick every box.')}`;
}

/**
 * Returns the spreadsheet.
 * @throws Error that names the missing permission
 */
export function getSpreadsheet(): GoogleAppsScript.Spreadsheet.Spreadsheet {
  try {
    return SpreadsheetApp.getActiveSpreadsheet();
  } catch (error) {
    throw new Error(describeDeniedPermission(error) ?? String(error));
  }
}

/** Returns the owner's address: '' if Google doesn't reveal it, null without an owner, as in a shared drive. */
export function getOwnerAddress(): string | null {
  try {
    const owner: GoogleAppsScript.Base.User | null = SpreadsheetApp.getActiveSpreadsheet().getOwner();
    return owner === null ? null : owner.getEmail();
  } catch {
    return '';
  }
}

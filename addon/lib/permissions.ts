// Explains permissions that the user has not given. The consent screen of Google asks for each one.

/** What the consent screen calls each scope of the manifest. */
const LABELS = {
  'script.external_request': 'Connect to an external service',
  'spreadsheets.currentonly': 'View and manage spreadsheets that this application has been installed in',
  'script.container.ui':
    'Display and run third-party web content in prompts and sidebars inside Google applications',
  'script.scriptapp': 'Allow this application to run when you are not present',
} as const;

const DENIED =
  /do not have permission to call|permissions are not sufficient to call|Authori[sz]ation is required/i;

/** Explains an error of a denied permission; undefined for other errors. */
export function describeDeniedPermission(error: unknown): string | undefined {
  const reason = error instanceof Error ? error.message : String(error);
  if (!DENIED.test(reason)) return undefined;
  const label = Object.entries(LABELS).find(([scope]) => reason.includes(`/auth/${scope}`))?.[1];
  // Without a scope it is no matter of consent: formulas, for example, may never write.
  if (label === undefined && !/required/i.test(reason)) return undefined;
  return describeMissingPermission(label);
}

/** Says how to give a permission. @param label - what the consent screen calls it; absent if Google does not tell */
export function describeMissingPermission(label?: string): string {
  const named = label === undefined ? 'a permission that it needs' : `the permission “${label}”`;
  return `CDAPI lacks ${named}. Open myaccount.google.com/connections, remove CDAPI, reload this spreadsheet, choose Extensions → CDAPI → Open sidebar and tick every box.`;
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

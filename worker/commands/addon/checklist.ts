// The checklist of a release: every field of Google's forms with the value to enter.
// The forms: https://developers.google.com/workspace/guides/configure-oauth-consent (consent screen),
// https://developers.google.com/workspace/marketplace/enable-configure-sdk (App Configuration),
// https://developers.google.com/workspace/marketplace/create-listing (Store Listing),
// https://support.google.com/a/answer/172931 (Admin console).
import { companyDomainProperty, companyProperty } from '../../../shared/connection.ts';

/** The name that people see. Google forbids its product names in names of add-ons. */
export const ADDON_NAME = 'CDAPI';

const SHORT_DESCRIPTION =
  'Company, employee, job and post data for a column of websites or profiles, without paying twice.';

const DETAILED_DESCRIPTION = `CDAPI fills a spreadsheet with professional data that your company licenses.
Formulas such as =CDAPI_ENRICH(A2:A100) look up a whole column in one call. The sidebar searches, enriches and refreshes tables without formulas, and shows the price before each click.
All requests go to your company's own gateway, which holds the provider's key, keeps each record and its budget, and never buys the same record twice while it is fresh.`;

/** Why the add-on needs each scope, in words for reviewers and admins. */
const JUSTIFICATIONS: Readonly<Record<string, string>> = {
  'https://www.googleapis.com/auth/spreadsheets.currentonly':
    'Reads the keys that the user selects and writes the records into the spreadsheet in which the add-on is used. It opens no other file.',
  'https://www.googleapis.com/auth/script.external_request':
    'Calls the gateway of the company, which is the only host of the manifest’s urlFetchWhitelist.',
  'https://www.googleapis.com/auth/script.container.ui': 'Shows the sidebar and the dialogs of the menu.',
  'https://www.googleapis.com/auth/script.scriptapp':
    'Creates the triggers of “Complete rows on opening”, only for users who switch it on.',
  openid: 'Confirms the user to the company’s gateway, which issues a personal token. Nothing is pasted.',
  'https://www.googleapis.com/auth/userinfo.email':
    'Lets the company’s admin recognise the people who are connected, and revoke them.',
};

export interface Release {
  gateway: string;
  /** Undefined if nothing was pushed yet. */
  scriptId: string | undefined;
  /** Undefined if clasp did not print it, or nothing was pushed yet. */
  version: number | undefined;
  /** Scopes of the built manifest. */
  scopes: readonly string[];
}

/** Formats a table of fields and values. Line breaks become `<br>`. */
function formatFields(fields: readonly (readonly [field: string, value: string])[]): string {
  const rows = fields.map(([field, value]) => `| [ ] ${field} | ${value.replaceAll('\n', '<br>')} |`);
  return ['| field | value |', '|---|---|', ...rows].join('\n');
}

/** @throws Error if a scope has no justification */
function justify(scope: string): string {
  const justification = JUSTIFICATIONS[scope];
  if (justification === undefined) throw new Error(`The checklist has no justification of ${scope}.`);
  return justification;
}

/**
 * Formats the checklist as Markdown.
 * @throws Error if a scope has no justification
 */
export function formatChecklist({ gateway, scriptId, version, scopes }: Release): string {
  const versionField =
    version === undefined ? 'the highest number of `npx clasp list-versions`' : `${version}`;
  const script = scriptId ?? 'SCRIPT-ID';
  return `# Release of ${ADDON_NAME} for ${gateway}

Tick each box. *Yours* marks what this file cannot know. docs/install.md explains the steps.

## 1. Apps Script project

Open https://script.google.com/home/projects/${script}/settings (*Project Settings*). Only the admins of ${ADDON_NAME} may have access to this project: whoever can open it can read the company’s link.

${formatFields([
  ['Project name (top of the editor)', ADDON_NAME],
  [
    'Google Cloud Platform (GCP) Project → Change project',
    '*yours*: the number of a standard Google Cloud project of your organization',
  ],
  [
    `Script Properties → Add script property: \`${companyProperty}\``,
    `*yours*: a connection link of ${gateway}. Create a token for it with a budget (docs/admin.md). People are then connected without pasting anything; leave it out to let each team paste its own link`,
  ],
  [
    `Script Properties → Add script property: \`${companyDomainProperty}\``,
    '*yours*: your domains, such as `acme.com, acme.co.uk`. Formulas work in spreadsheets whose owner has an address of these domains, once somebody has opened the sidebar there; elsewhere the sidebar asks a person. `*` allows all',
  ],
])}

## 2. OAuth consent screen

Google Cloud console → *Google Auth platform*, in the project of step 1.

${formatFields([
  ['Branding → App name', ADDON_NAME],
  ['Branding → User support email', '*yours*'],
  ['Branding → App logo', '`docs/listing/icon-128.png` (optional)'],
  ['Audience → User type', 'Internal'],
  ['Contact information → Email addresses', '*yours*'],
])}

*Data Access → Add or remove scopes*. Google asks for the justifications only if the audience is external.

| scope | justification |
|---|---|
${scopes.map((scope) => `| [ ] \`${scope}\` | ${justify(scope)} |`).join('\n')}

## 3. Marketplace SDK, App Configuration

Google Cloud console → *APIs & Services* → *Google Workspace Marketplace SDK* → *Enable* → *App Configuration*.

${formatFields([
  ['App visibility', 'Private (cannot be changed later)'],
  ['Installation settings', 'Individual + admin install'],
  ['App integrations', 'Editor add-on → Sheets add-on; nothing else'],
  ['Sheets add-on project script ID', `\`${script}\``],
  ['Sheets add-on script version', versionField],
  ['OAuth scopes', scopes.map((scope) => `\`${scope}\``).join('\n')],
  [
    'Developer information → Trader status',
    '*yours*; a private app inside one company is usually “Non-trader”',
  ],
  ['Developer information → Developer name', '*yours*: your company'],
  ['Developer information → Developer website URL', '*yours*'],
  ['Developer information → Developer email', '*yours*'],
])}

## 4. Marketplace SDK, Store Listing

${formatFields([
  ['Language', 'English'],
  ['Application name', ADDON_NAME],
  ['Short description', SHORT_DESCRIPTION],
  ['Detailed description', DETAILED_DESCRIPTION],
  ['Category', 'Business Tools'],
  ['Pricing', 'Free of charge'],
  ['Application icons', '32 × 32: `docs/listing/icon-32.png`\n128 × 128: `docs/listing/icon-128.png`'],
  ['Application card banner', '220 × 140: `docs/listing/banner.png`'],
  ['Screenshots', '1280 × 800: `docs/listing/screenshot.png`'],
  ['Post-install tip', `Choose Extensions → ${ADDON_NAME} → Open sidebar.`],
  [
    'Support links → Terms of service URL',
    '*yours*; an intranet page is enough. A template: `docs/listing/terms-of-service.md`',
  ],
  [
    'Support links → Privacy policy URL',
    '*yours*; an intranet page is enough. A template: `docs/listing/privacy-policy.md`',
  ],
  ['Support links → Support URL', '*yours*'],
])}

Click *Publish*. A private app needs no review and is available at once.

## 5. Installation for everybody

${formatFields([
  [
    'Admin console (admin.google.com)',
    'Menu → Apps → Google Workspace Marketplace apps → Apps list → Install app',
  ],
  ['App', `Internal apps → ${ADDON_NAME} → Admin install`],
  ['Who', 'Everyone at your organization, or chosen groups or organizational units'],
  [
    'If only allowlisted Marketplace apps may be installed',
    'Menu → Apps → Google Workspace Marketplace apps → Settings: add the app to the allowlist',
  ],
  [
    'If third-party access is restricted',
    'Menu → Security → Access and data control → API controls → Manage third-party app access: set the OAuth client of the project to *Trusted*, or to *Limited* with the scopes of step 2',
  ],
  ['Data access', 'Allow; it lists the scopes of step 2'],
])}

Without *Admin install*, people install it themselves at https://workspace.google.com/marketplace/mydomainapps.

## 6. Try it

${formatFields([
  [
    `A new spreadsheet → Extensions → ${ADDON_NAME} → Open sidebar → Activity`,
    scopes.includes('openid')
      ? 'asks you to assign your domain, with the client ID of this release; after that (docs/admin.md) it connects you without a link'
      : 'says “You use your company’s connection”, with the name of your team',
  ],
  ['`=CDAPI_STATUS()`', 'Gateway, Connection “your company’s”, State “connected”'],
])}

In each spreadsheet somebody must choose *Extensions → ${ADDON_NAME} → Use formulas here*, or open the sidebar, once: until then formulas show \`#NAME?\`.

For the next release, run the command again and change only *Sheets add-on script version* in step 3; if the scopes changed, steps 2 and 3. The address of the gateway is part of the release: another address means a new release, and connection links of the new address.
`;
}

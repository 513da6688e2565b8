// Reads the company's connection: a script property, which the admin sets once for everybody who uses the add-on.
import {
  type Connection,
  companyDomainProperty,
  companyProperty,
  parseConnectionLink,
} from '../../shared/connection.ts';
import { getOwnerAddress } from '../lib/permissions.ts';

/** The gateway that this release is restricted to; '' allows any. Set by the build. */
declare const CDAPI_GATEWAY: string;

/** Says what the admin must correct. It never repeats the property, which may hold a token. */
export const COMPANY_LINK_INVALID =
  CDAPI_GATEWAY === ''
    ? `Your company’s connection is not set up correctly. Ask your admin to put a complete connection link into the script property ${companyProperty}.`
    : `Your company’s connection is not set up correctly. Ask your admin to put a connection link of ${CDAPI_GATEWAY} into the script property ${companyProperty}.`;

/**
 * Returns the company's connection. All users of an add-on share its script properties, in formulas too; only people
 * who can open the Apps Script project see or set them, under Project Settings → Script Properties. Nothing here
 * writes them: https://developers.google.com/apps-script/guides/properties.
 * @returns undefined without one, `invalid` if it is no connection link of this release's gateway
 */
export function findCompanyConnection(): Connection | 'invalid' | undefined {
  const link = PropertiesService.getScriptProperties().getProperty(companyProperty) ?? '';
  if (link.trim() === '') return undefined;
  const connection = parseConnectionLink(link);
  const isForeign = CDAPI_GATEWAY !== '' && connection?.url !== CDAPI_GATEWAY;
  return connection === undefined || isForeign ? 'invalid' : connection;
}

/** As the company's domain: formulas may spend in every spreadsheet. */
const ANY_DOMAIN = '*';

const DOMAIN_MISSING = `Not connected: your admin has not named your company’s domain in the script property ${companyDomainProperty} yet, which formulas need. Until then open Extensions → CDAPI → Connect and share a connection link with this spreadsheet.`;
const NOT_OF_COMPANY =
  'Not connected: formulas use your company’s connection only in spreadsheets that a person of your company owns. Open Extensions → CDAPI → Connect and share a connection link with this spreadsheet, or work in a copy of your own.';

/**
 * Explains why formulas of this spreadsheet may not spend from the company's connection. Whoever writes a formula spends,
 * and reads the result, also an outsider in whose spreadsheet a colleague works. So the spreadsheet must belong to a person
 * of the company, unless its admin allows any.
 * @returns undefined if they may
 */
export function describeFormulaRefusal(): string | undefined {
  const value = PropertiesService.getScriptProperties().getProperty(companyDomainProperty) ?? '';
  const domains = value.toLowerCase().split(/[\s,;]+/);
  if (value.trim() === '') return DOMAIN_MISSING;
  if (domains.includes(ANY_DOMAIN)) return undefined;
  const ownerDomain = (getOwnerAddress() ?? '').split('@')[1]?.toLowerCase() ?? '';
  return ownerDomain !== '' && domains.includes(ownerDomain) ? undefined : NOT_OF_COMPANY;
}

// Reads the company's connection: a script property, which the admin sets once for everybody who uses the add-on.
import {
  type Connection,
  companyDomainProperty,
  companyFormulasProperty,
  companyProperty,
  parseConnectionLink,
} from '../../shared/connection.ts';
import { getOwnerAddress, getSpreadsheet } from '../lib/permissions.ts';
import { t } from '../texts/texts.ts';

/** Says what the admin must correct. It never repeats the property, which may hold a token. */
export const describeInvalidLink = (): string =>
  t(
    CDAPI_GATEWAY === ''
      ? 'Your company’s connection is not set up correctly. Ask your admin to put a complete connection link into the script property {property}.'
      : 'Your company’s connection is not set up correctly. Ask your admin to put a connection link of {gateway} into the script property {property}.',
    { gateway: CDAPI_GATEWAY, property: companyProperty },
  );

/**
 * Returns the company's connection. All users of an add-on share its script properties, in formulas too; only people
 * who can open the Apps Script project see or set them, under Project Settings → Script Properties. The add-on never
 * writes this one: https://developers.google.com/apps-script/guides/properties.
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

const NOT_APPROVED =
  'Not connected: open Extensions → CDAPI → Open sidebar and click “Allow formulas here” to use your company’s connection.';
const NOT_OF_COMPANY =
  'Not connected: formulas use your company’s connection only in spreadsheets that a person of your company owns. Open Extensions → CDAPI → Connect and share a connection link with this spreadsheet, or work in a copy of your own.';

/** What people decided about the company's connection in formulas of this spreadsheet; undefined: nothing yet. */
export type FormulaSwitch = 'on' | 'off' | undefined;

const getSwitchProperty = (): string => companyFormulasProperty(getSpreadsheet().getId());

/**
 * Reads the decision of a person who opened the sidebar here. Script properties are the only store that a formula can read
 * whoever owns the spreadsheet, and people can't edit them: docs/decisions/0029-formulas-without-an-owner.md.
 */
export function readFormulaSwitch(): FormulaSwitch {
  const value = PropertiesService.getScriptProperties().getProperty(getSwitchProperty());
  return value === 'on' || value === 'off' ? value : undefined;
}

/** Whose spreadsheet this is. Google may hide the owner's address, always from formulas; shared drives have no owner. */
function findOwner(): 'company' | 'outsider' | 'unknown' {
  const value = PropertiesService.getScriptProperties().getProperty(companyDomainProperty) ?? '';
  const domains = value
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter(Boolean);
  if (domains.includes(ANY_DOMAIN)) return 'company';
  const ownerDomain = (getOwnerAddress() ?? '').split('@')[1]?.toLowerCase() ?? '';
  if (ownerDomain === '' || domains.length === 0) return 'unknown';
  return domains.includes(ownerDomain) ? 'company' : 'outsider';
}

/**
 * Explains why formulas of this spreadsheet may not spend from the company's connection. Whoever writes a formula spends,
 * and reads the result, also an outsider in whose spreadsheet a colleague works. So the spreadsheet must belong to a person
 * of the company, or somebody who opened the sidebar must have approved it.
 * @returns undefined if they may
 */
export function describeFormulaRefusal(decided: FormulaSwitch): string | undefined {
  const owner = findOwner();
  if (owner === 'outsider') return t(NOT_OF_COMPANY);
  return owner === 'company' || decided === 'on' ? undefined : t(NOT_APPROVED);
}

/**
 * Allows formulas of this spreadsheet to use the company's connection if it belongs to a person of the company: formulas
 * can't always see that. Call it for a person, not for a formula.
 * @returns whether a person must decide
 */
export function registerFormulas(decided: FormulaSwitch): boolean {
  if (decided !== undefined) return false;
  const owner = findOwner();
  try {
    if (owner === 'company') setFormulaSwitch(true);
  } catch {
    // The properties are full. Formulas that see the owner work anyway; a person who decides reads the reason.
    return true;
  }
  return owner === 'unknown';
}

/**
 * Stores a person's decision. Formulas in an outsider's spreadsheet stay without the company's connection.
 * @throws Error if the script's properties are full
 */
export function setFormulaSwitch(on: boolean): void {
  const value = on ? (findOwner() === 'outsider' ? '' : 'on') : 'off';
  PropertiesService.getScriptProperties().setProperty(getSwitchProperty(), value);
}

// The spending switch of a spreadsheet: when it is off, lookups return cached records only.
import { AddonError } from '../lib/addon-error.ts';
import { getSpreadsheet } from '../lib/permissions.ts';

const PROPERTY = 'CDAPI_SPENDING';
const OFF = 'off';

const NO_DOCUMENT = 'This setting can’t be saved here. Open the spreadsheet itself and change it there.';

function getDocumentProperties(): GoogleAppsScript.Properties.Properties | null {
  return PropertiesService.getDocumentProperties();
}

/** The user property that holds a copy of this spreadsheet's switch. */
const ownerCopyKey = (): string => `${PROPERTY}:${getSpreadsheet().getId()}`;

/**
 * Tells whether lookups in this spreadsheet may spend credits; the default is yes. A formula without document properties
 * sees the owner's copy.
 */
export function isSpendingOn(): boolean {
  const properties = getDocumentProperties();
  const value =
    properties === null
      ? PropertiesService.getUserProperties().getProperty(ownerCopyKey())
      : properties.getProperty(PROPERTY);
  return value !== OFF;
}

/**
 * Switches spending on or off for everybody who works in this spreadsheet.
 * @throws AddonError if there are no document properties
 */
export function setSheetSpending(on: boolean): void {
  const properties = getDocumentProperties();
  if (properties === null) throw new AddonError('sheet_refused', NO_DOCUMENT);
  const userProperties = PropertiesService.getUserProperties();
  if (on) {
    properties.deleteProperty(PROPERTY);
    userProperties.deleteProperty(ownerCopyKey());
  } else {
    properties.setProperty(PROPERTY, OFF);
    userProperties.setProperty(ownerCopyKey(), OFF);
  }
}

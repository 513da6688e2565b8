// The spending switch of a spreadsheet: when it is off, lookups return cached records only.
import { AddonError } from '../lib/addon-error.ts';

const PROPERTY = 'CDAPI_SPENDING';
const OFF = 'off';

const NO_DOCUMENT = 'This setting can’t be saved here. Open the spreadsheet itself and change it there.';

function getDocumentProperties(): GoogleAppsScript.Properties.Properties | null {
  return PropertiesService.getDocumentProperties();
}

/** Tells whether lookups in this spreadsheet may spend credits; the default is yes. */
export function isSpendingOn(): boolean {
  return getDocumentProperties()?.getProperty(PROPERTY) !== OFF;
}

/**
 * Switches spending on or off for everybody who works in this spreadsheet.
 * @throws AddonError if there are no document properties
 */
export function setSheetSpending(on: boolean): void {
  const properties = getDocumentProperties();
  if (properties === null) throw new AddonError('sheet_refused', NO_DOCUMENT);
  if (on) properties.deleteProperty(PROPERTY);
  else properties.setProperty(PROPERTY, OFF);
}

// Runs menu items and shows their errors in a dialog.
import { describeDeniedPermission, getReason } from '../lib/permissions.ts';

/**
 * Runs a menu item. Errors are shown as a message, not as a script error.
 * @param title - of the error dialog
 * @param work - receives the spreadsheet's user interface
 */
export function runMenuItem(title: string, work: (ui: GoogleAppsScript.Base.Ui) => void): void {
  const ui = SpreadsheetApp.getUi();
  try {
    work(ui);
  } catch (error) {
    const reason = getReason(error);
    ui.alert(title, describeDeniedPermission(error) ?? reason, ui.ButtonSet.OK);
  }
}

// What goes wrong in a menu item is told in a sentence, not as a script's error.

/**
 * Runs a menu item.
 * @param title - of the dialog that tells what went wrong
 * @param work - is given the spreadsheet's user interface
 */
export function runMenuItem(title: string, work: (ui: GoogleAppsScript.Base.Ui) => void): void {
  const ui = SpreadsheetApp.getUi();
  try {
    work(ui);
  } catch (error) {
    ui.alert(title, error instanceof Error ? error.message : String(error), ui.ButtonSet.OK);
  }
}

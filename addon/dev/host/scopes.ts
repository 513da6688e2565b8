// The OAuth scopes that authorize services and methods. Reference of each method: "Authorization".

const SCOPE = 'https://www.googleapis.com/auth/';
const toScopes = (...names: string[]): readonly string[] => names.map((name) => `${SCOPE}${name}`);

/** Custom pages need consent in every kind of execution. */
export const CONTAINER_UI = `${SCOPE}script.container.ui`;
const CURRENT_SPREADSHEET = `${SCOPE}spreadsheets.currentonly`;
const TRIGGERS = toScopes('script.scriptapp');
const EMAIL = toScopes('userinfo.email');
const SPREADSHEETS = toScopes('spreadsheets.currentonly', 'spreadsheets');

/** Scopes by service. Services that are missing here, such as Utilities, need none. */
const SERVICE_SCOPES: Readonly<Record<string, readonly string[]>> = {
  CalendarApp: toScopes('calendar'),
  DocumentApp: toScopes('documents.currentonly', 'documents'),
  DriveApp: toScopes('drive'),
  FormApp: toScopes('forms.currentonly', 'forms'),
  GmailApp: ['https://mail.google.com/'],
  GroupsApp: toScopes('groups'),
  Jdbc: toScopes('script.external_request'),
  MailApp: toScopes('script.send_mail'),
  SlidesApp: toScopes('presentations.currentonly', 'presentations'),
  SpreadsheetApp: SPREADSHEETS,
  UrlFetchApp: toScopes('script.external_request'),
};

/** Scopes of methods that differ from their service's. */
const METHOD_SCOPES: Readonly<Record<string, readonly string[]>> = {
  'Ui.showSidebar': [CONTAINER_UI],
  'Ui.showModalDialog': [CONTAINER_UI],
  'Ui.showModelessDialog': [CONTAINER_UI],
  'ScriptApp.deleteTrigger': TRIGGERS,
  'ScriptApp.getProjectTriggers': TRIGGERS,
  'ScriptApp.getUserTriggers': TRIGGERS,
  'ScriptApp.newTrigger': TRIGGERS,
  'ScriptApp.TriggerBuilder.create': TRIGGERS,
  'Session.getActiveUser': EMAIL,
  'Session.getEffectiveUser': EMAIL,
};

const OTHER_SPREADSHEETS = /^SpreadsheetApp\.(?:create|open\w*)$/;

/**
 * Returns the scopes of which a call needs one; undefined if it needs none.
 * @param opensOthers - see `opensOtherSpreadsheets` in settings.ts
 */
export function getRequiredScopes(name: string, opensOthers: boolean): readonly string[] | undefined {
  const scopes = METHOD_SCOPES[name] ?? SERVICE_SCOPES[name.slice(0, name.indexOf('.'))];
  if (opensOthers || !OTHER_SPREADSHEETS.test(name)) return scopes;
  return scopes?.filter((scope) => scope !== CURRENT_SPREADSHEET);
}

// Troubleshooting by symptom: what people see, the problems behind it, and what to do. The gateway shows it at /help, and
// docs/troubleshooting.md is generated from it.
import { type ProblemCode, problemCodes, problems } from './problems.ts';

/** What to do about one symptom. */
export interface TroubleshootingEntry {
  /** Anchor on the page. */
  id: string;
  /** What people see. Text between backticks is code. */
  symptom: string;
  /** Problems that cause it. */
  codes: readonly ProblemCode[];
  /** Anchors of errors that have no problem code. */
  aliases?: readonly string[];
  /** Explanations and steps, the most likely first. */
  steps: readonly string[];
}

const entries: readonly Omit<TroubleshootingEntry, 'codes'>[] = [
  {
    id: 'not-connected',
    symptom: '“Not connected”, or a connection that stopped working',
    aliases: ['not_connected'],
    steps: [
      'Open Extensions → CDAPI → Connect and paste the connection link of your admin. “Everyone in this spreadsheet” makes formulas work for all editors; “Only me” connects your sidebar only.',
      'A copy of a spreadsheet is not connected. Connect it once.',
      'The sidebar works and formulas don’t: the connection is yours alone. Formulas need one of the spreadsheet or of your company.',
      'In a shared drive a spreadsheet has no owner. Connect it with a separate link.',
      '`=CDAPI_STATUS()` shows the gateway, the connection in use and the last error.',
    ],
  },
  {
    id: 'name-error',
    symptom: '`#NAME?`',
    steps: [
      'The spreadsheet doesn’t know the formula. Check its spelling: type `=CDAPI` and choose from the list.',
      'Formulas exist in a spreadsheet once somebody has used the add-on there, also after an admin installed it for everybody: choose Extensions → CDAPI → Use formulas here, or open the sidebar, and reload the spreadsheet.',
      'Reload the spreadsheet. If Extensions has no entry CDAPI, the add-on is not installed for your account, or not in this spreadsheet: ask your admin.',
      'A spreadsheet of somebody outside your company has no formulas of your company’s add-on. Work in a copy of your own.',
    ],
  },
  {
    id: 'loading',
    symptom: '`Loading…` that stays',
    steps: [
      'Google runs at most 30 formulas of a person at the same time. Replace formulas of single cells by one for the range, such as `=CDAPI_ENRICH(A2:A1000)`; the sidebar offers it under Activity.',
      'Wait half a minute, then reload the spreadsheet. Nothing is bought twice.',
      'If it stays, select the formula and choose Extensions → CDAPI → Refresh selection.',
    ],
  },
  {
    id: 'sheets-errors',
    symptom: '`#ERROR!` or `#REF!` in the cell of a formula',
    steps: [
      'Point at the cell: the note says why. The errors of CDAPI are sentences that say what to do.',
      '`#ERROR!` with “Internal error executing the custom function”: Google sometimes ends formulas with long ranges. Split the range into formulas of at most 1,000 rows, or choose Extensions → CDAPI → Refresh selection. Nothing is bought twice.',
      '`#REF!`: the results don’t fit. Clear the cells below and beside the formula, or add rows at the end of the sheet: Sheets adds none for a result. Formulas that the sidebar inserts have enough space.',
      '“A web page answered instead of the gateway”: an admin must exempt the gateway from the bot protection of its domain; `npm run doctor -- --gateway https://…` tries it.',
    ],
  },
  {
    id: 'pending',
    symptom: '`#PENDING`',
    steps: [
      'A formula may run for 30 seconds. The gateway goes on fetching the rest, and you don’t pay twice.',
      'Keep the sidebar open: it completes these cells. Or select the formula and choose Extensions → CDAPI → Refresh selection.',
      'Extensions → CDAPI → Complete rows on opening does it whenever the spreadsheet opens.',
    ],
  },
  {
    id: 'budget',
    symptom: '`#BUDGET`, or “the budget is used up”',
    steps: [
      'Nothing was charged for these rows. The sidebar’s tab Activity shows the budgets of the day and the month; they start again at midnight and on the first of the month, UTC.',
      'Check “Spend credits in this spreadsheet” under Activity, “Formulas here spend credits” under Tables → Formulas, and the option `max_credits` of the formula.',
      'Ask your admin for a larger budget. The sidebar then offers these formulas under Tables → Formulas, with their price: they run when you click.',
      'Admins: the console shows the budgets of each team and token, and under Provider the credits that are left.',
    ],
  },
  {
    id: 'confirm',
    symptom: '`#CONFIRM`',
    steps: [
      'The formula has no `max_credits` and costs more than your team lets formulas spend without a confirmation, by default 500 credits. What your team already bought is shown; the rest was not bought, and nothing was charged for it.',
      'Open the sidebar, Tables → Formulas: it shows the price and runs the formula when you click. The spreadsheet remembers the confirmation for this formula, as it is and on this sheet: later runs may spend as much without a question.',
      'Or write `max_credits` into the formula, such as `"max_credits=2000"`.',
      'Admins: the limit is the team’s setting “Formulas ask above” in the console.',
    ],
  },
  {
    id: 'not-found',
    symptom: '`#NOT_FOUND`',
    steps: [
      'The provider has no record for this cell, and charged nothing. The answer is reused for a day.',
      'Try the main website instead of a campaign or country address, or the company’s profile URL. For a subdomain such as blog.example.com, the note of the cell or its status names the main domain.',
      'Only a name is known: use `=CDAPI_MATCH(name; country)` or Enrich in the sidebar.',
    ],
  },
  {
    id: 'invalid-key',
    symptom: '`#INVALID_KEY`',
    steps: [
      'The cell holds something else than one website, e-mail address, ID or profile URL. Nothing was charged. After Enrich, the note of the cell or its status says what it is; below Tables → Formulas, the sidebar counts such cells of formulas.',
      'A company name: choose “Company names” under “Cells hold” in the tab Enrich, or use `=CDAPI_MATCH(name; country)`. A text with a dot, such as E.ON, is a name unless it ends in a known domain; put `https://` before a website with a new one.',
      'An address at a mail service, an internet provider, a disposable host or a relay, such as gmail.com, names no company: use the company’s website.',
      'A URL with /company/ or /in/ on any other host than the professional network is a page of a website, not a profile.',
      'A number such as 4711.0, 4,711 or 1.2E+15 is no ID: format the column as plain text.',
      'Split cells with several websites.',
    ],
  },
  {
    id: 'ambiguous',
    symptom: '`#AMBIGUOUS`',
    steps: [
      'Nothing is bought for an uncertain name. Add the country or city.',
      'In the sidebar’s tab Enrich, choose one of the listed candidates, or None of these. The decision holds for later runs in the spreadsheet.',
    ],
  },
  {
    id: 'rate-limit',
    symptom: '`#RATE_LIMIT`',
    steps: [
      'Wait a minute, then choose Extensions → CDAPI → Refresh selection. One formula for a range makes one call; a thousand formulas make a thousand.',
      'Admins: the token’s rate limit can be raised in the console. The provider’s own limit depends on the plan; `npm run doctor` shows it.',
    ],
  },
  {
    id: 'unavailable',
    symptom: '`#UNAVAILABLE`, or “cannot take calls right now”',
    steps: [
      'Try again in a few minutes: select the formula and choose Extensions → CDAPI → Refresh selection. Rows that you have are kept.',
      'Admins: the console’s overview shows the provider’s state, and `GET /health/deep` checks every part of the gateway. `npm run doctor` examines the provider’s address and key without spending.',
    ],
  },
  {
    id: 'unclear',
    symptom: '`#UNCLEAR`',
    steps: [
      'The provider gave no usable answer after the call was sent, so it may have been charged. It counts as spent, and *Run failed again* leaves it out.',
      'For ten minutes, the same look-up shows `#UNCLEAR` again and costs nothing. After that, each look-up buys the record again, also a formula that Sheets recalculates. If the first call was charged, too, the record costs credits twice. To avoid that, freeze the formula to values until your admin has checked the provider’s balance.',
      'Admins: the team’s page lists unclear calls. They are reconciled by the provider’s balance, or by you.',
    ],
  },
  {
    id: 'describe-your-search',
    symptom: '“Describe your search” gives no form, or is missing',
    steps: [
      'Fill in the form yourself: everything that a sentence can say, the form can say too. Nothing was bought.',
      'Put the sentence in other words, or try again in a minute.',
      'Admins: the console shows under Settings whether a language model is configured, and its problem.',
    ],
  },
  {
    id: 'erased',
    symptom: '`#ERASED`',
    steps: [
      'This person or company asked not to be stored. The record was deleted everywhere, and nobody can buy it again.',
    ],
  },
  {
    id: 'permission',
    symptom: '“This token may not …”',
    steps: [
      'Your connection allows only some kinds of records or operations.',
      'Admins: the token’s scopes are in the console, on the page of its team. An existing token can be widened; spreadsheets stay connected.',
    ],
  },
  {
    id: 'refused',
    symptom: 'A search, formula or form is refused',
    aliases: ['bad_call', 'gone', 'running', 'confirm_first'],
    steps: [
      'The message names the part. Nothing was bought.',
      '`=CDAPI_FIELDS("company_clean")` lists the fields of a kind of record.',
      'Another run is writing into this spreadsheet: wait until it ends, or stop it.',
    ],
  },
  {
    id: 'order-refused',
    symptom: 'An order is refused although it was confirmed',
    steps: [
      'Prices change when a colleague buys the same records, or when records become outdated. Nothing is bought at another price than the one on the button.',
    ],
  },
  {
    id: 'rows',
    symptom: 'Rows that do not arrive',
    steps: [
      'Open the sidebar in the spreadsheet: rows that are ready are written within seconds. The tab Bulk shows the state of every order; large ones take minutes, because the provider prepares files.',
      'Rows of an order that was written or deleted can be written again for free for 30 days: Bulk → Write rows.',
      'Rows for a closed spreadsheet need an editor that the sidebar names under Tables → Schedule: share the spreadsheet with this address.',
      'Protected ranges, merged cells and a missing heading row stop the writing. The message names the place.',
      'Admins: Activity in the console shows deliveries, their next attempt, and failed messages to send again.',
    ],
  },
  {
    id: 'webhooks',
    symptom: 'Webhooks that do not come',
    steps: [
      'Bulk orders don’t depend on the provider’s webhook: without it the gateway asks, and rows arrive some minutes later. Check that PUBLIC_URL is an https address that the internet reaches.',
      'Your own receiver must be a public https address, answer 2xx within 10 seconds, and not redirect. Up to six more attempts follow within hours; then the message is under Activity → Failed messages in the console, where it can be sent again.',
      'The signature is wrong: verify the unchanged body with the team’s webhook secret and a Standard Webhooks library. After a rotation, both secrets sign for 24 hours.',
      'Alerts to a chat: use Test beside the address, under Activity in the sidebar.',
    ],
  },
  {
    id: 'spending',
    symptom: 'Spending that looks wrong',
    steps: [
      'A record costs credits once in its freshness period, for the whole team: companies 30 days, employees 14 days, jobs 1 day. The first row pays, repeats are free.',
      'Previews and orders of a search charge by page or row, also for records that you have. The screen says so before the click.',
      'Compare `=CDAPI_COST(A2:A100)` before and after. “Your team’s recent runs” under Activity says what each run and today’s formulas cost, and what today’s credits add up to. Days start at midnight, UTC.',
      '“Unclear” credits: the provider broke off a call, which may have been charged. They count as spent until the provider’s balance shows otherwise.',
      'Admins: the ledger in the console lists every charge with token, time and operation, and exports it as CSV.',
    ],
  },
  {
    id: 'accounts',
    symptom:
      'Several Google accounts: the sidebar shows another person’s connection, or “Google mixed up your accounts”',
    steps: [
      'Google may run the sidebar as the first account of the browser. Open the spreadsheet in a private window or a browser profile with one account only.',
      'Google also answers calls of the wrong account as if a permission were missing: try the private window first.',
      'A permission is missing: open myaccount.google.com/connections, remove CDAPI, reload the spreadsheet, open the sidebar and tick every box.',
    ],
  },
  {
    id: 'deploy',
    symptom: 'A deployment fails',
    steps: [
      'Read the last line: it names the cause and the step. Run `npm run deploy` again: it continues, and changes nothing that is complete.',
      'Login or rights: `npx wrangler login`, or a token with the rights that docs/deploy.md lists. Several accounts: set CLOUDFLARE_ACCOUNT_ID.',
      'R2 or Analytics Engine is refused: open it once in the dashboard and accept its terms, or add `--no-metrics`.',
      '“Not everything works”: `GET /health/deep` names the binding or setting. A new workers.dev address or certificate can take some minutes.',
      'The new version is faulty: `npm run deploy:rollback` returns to the one before at once.',
    ],
  },
  {
    id: 'api',
    symptom: 'A program gets an error from the gateway',
    steps: [
      'Problems are `application/problem+json` with a stable `code` and a `fix`; drop-in paths keep the provider’s formats and name the code in `x-problem`. `/docs` describes every call.',
      'Send your admin the `x-request-id` of the response: the log has it.',
    ],
  },
];

export const troubleshooting: readonly TroubleshootingEntry[] = entries.map((entry) => ({
  ...entry,
  codes: problemCodes.filter((code) => problems[code].policy.help === entry.id),
}));

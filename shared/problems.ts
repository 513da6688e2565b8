// The catalogue of problems: all that the product knows about each code.

/**
 * Error texts that a cell shows instead of a value, and how a run counts them. *Run again* repeats those that pass: it knows only
 * the text, which problems with different policies share.
 */
export const cellErrors = {
  '#NOT_FOUND': { passes: false, label: 'not found' },
  '#PENDING': { passes: true, label: 'not ready yet' },
  '#BUDGET': { passes: true, label: 'over budget' },
  '#CONFIRM': { passes: true, label: 'to confirm' },
  '#RATE_LIMIT': { passes: true, label: 'rate-limited' },
  '#INVALID_KEY': { passes: false, label: 'invalid' },
  '#UNAVAILABLE': { passes: true, label: 'unavailable' },
  '#UNCLEAR': { passes: false, label: 'perhaps charged' },
  '#ERASED': { passes: false, label: 'erased' },
  '#AMBIGUOUS': { passes: false, label: 'not certain' },
} as const;

export type CellError = keyof typeof cellErrors;

interface ProblemPolicy {
  /** HTTP status, which also decides the error format of the drop-in API. */
  status: number;
  /**
   * Whether to retry. `soon`: the cause is temporary. `later`: somebody can remove the cause. `never`: the caller must
   * change something first, or a retry could be charged a second time. Schedules stop at `never`, and pushes fail sooner.
   */
  retry: 'never' | 'later' | 'soon';
  /**
   * What the problem ends if a row has it. `row`: only this row. `run`: its run pauses. `automation`: an enrichment stops, too, until a
   * person acts.
   */
  ends: 'row' | 'run' | 'automation';
  /** Id of the entry of the troubleshooting page that explains it. */
  help: string;
}

/**
 * Creates a policy.
 * @param help - id of an entry of the troubleshooting page
 * @param differences - from the usual policy: a retry helps after 202, 429 and 5xx, and the run ends
 */
function createPolicy(
  status: number,
  help: string,
  differences: Partial<Pick<ProblemPolicy, 'retry' | 'ends'>> = {},
): ProblemPolicy {
  const passes = status === 202 || status === 429 || status >= 500;
  return { status, help, retry: passes ? 'soon' : 'never', ends: 'run', ...differences };
}

interface ProblemDefinition {
  /** One sentence: what happened. */
  title: string;
  /** One sentence: what to do. */
  fix: string;
  policy: ProblemPolicy;
  /** What a row shows. Absent for problems that only a whole call can have. */
  row?: { status: 'not_found' | 'pending' | 'over_budget' | 'invalid' | 'failed'; cell: CellError };
}

const definitions = {
  unauthorised: {
    title: 'The team token is missing, unknown, expired or revoked.',
    fix: 'Ask your admin for a new connection link and paste it in Extensions → CDAPI → Connect.',
    policy: createPolicy(401, 'not-connected', { ends: 'automation' }),
  },
  forbidden_scope: {
    title: 'This token may not use this family or operation.',
    fix: 'Ask your admin to widen the scopes of the token.',
    policy: createPolicy(403, 'permission'),
  },
  sign_in_refused: {
    title: 'Google’s confirmation of your account was not accepted.',
    fix: 'Reload the spreadsheet and choose Extensions → CDAPI → Open sidebar again.',
    policy: createPolicy(401, 'not-connected'),
  },
  domain_not_assigned: {
    title: 'Your company’s domain is not assigned to a team.',
    fix: 'Ask your admin to assign the domain, or for a connection link.',
    policy: createPolicy(403, 'not-connected'),
  },
  person_revoked: {
    title: 'Your admin has revoked your access.',
    fix: 'Ask your admin to allow you again.',
    policy: createPolicy(403, 'not-connected'),
  },
  not_found: {
    title: 'No record was found.',
    fix: 'Check the spelling, or try the website of the parent company.',
    policy: createPolicy(404, 'not-found', { ends: 'row' }),
    row: { status: 'not_found', cell: '#NOT_FOUND' },
  },
  unknown_address: {
    title: 'This address does not exist.',
    fix: 'Check the path. The add-on’s routes start with /sheets/v1.',
    policy: createPolicy(404, 'api'),
  },
  method_not_allowed: {
    title: 'This address does not support this method.',
    fix: 'Use a method from the Allow header.',
    policy: createPolicy(405, 'api'),
  },
  not_cached: {
    title: 'The record is not cached, and the call asked for cached records only.',
    fix: 'Send the call again without only-if-cached.',
    // The call itself excludes the provider.
    policy: createPolicy(504, 'api', { retry: 'never' }),
  },
  too_large: {
    title: 'The request is too large.',
    fix: 'Send at most 1,000 keys in one call.',
    policy: createPolicy(413, 'refused'),
  },
  unsupported_encoding: {
    title: 'The body is compressed.',
    fix: 'Send it without Content-Encoding.',
    policy: createPolicy(415, 'refused'),
  },
  invalid_key: {
    title: 'This can’t be looked up.',
    fix: 'Put one value to look up into each row, such as the website example.com.',
    policy: createPolicy(422, 'invalid-key', { ends: 'row' }),
    row: { status: 'invalid', cell: '#INVALID_KEY' },
  },
  ambiguous_name: {
    title: 'It is uncertain which company has this name.',
    fix: 'Put the website or id of the right one in its place.',
    policy: createPolicy(409, 'ambiguous', { ends: 'row' }),
    row: { status: 'failed', cell: '#AMBIGUOUS' },
  },
  invalid_request: {
    title: 'The request is not valid.',
    fix: 'Correct the part that the message names, then send the request again.',
    policy: createPolicy(422, 'refused'),
  },
  unknown_field: {
    title: 'A field or filter name is unknown.',
    fix: 'Correct the name. To use a field that CDAPI does not list yet, add any_fields.',
    policy: createPolicy(422, 'refused'),
  },
  name_taken: {
    title: 'This name is already in use.',
    fix: 'Choose another name, or edit the existing entry.',
    policy: createPolicy(409, 'refused'),
  },
  too_many: {
    title: 'The limit of entries is reached.',
    fix: 'Delete entries that you no longer need.',
    policy: createPolicy(409, 'refused'),
  },
  price_changed: {
    title: 'The price has changed since it was shown, so nothing was bought.',
    fix: 'Check the new price, then order again.',
    policy: createPolicy(409, 'order-refused'),
  },
  already_ordered: {
    title: 'Another order is already fetching some of these records.',
    fix: 'Order again when that order is ready. These records are then free.',
    // The other order ends by itself.
    policy: createPolicy(409, 'order-refused', { retry: 'later' }),
  },
  over_budget: {
    title: 'The budget for this call is used up.',
    fix: 'Allow more credits for the call, or ask your admin to raise the budget.',
    policy: createPolicy(402, 'budget', { ends: 'automation' }),
    row: { status: 'over_budget', cell: '#BUDGET' },
  },
  max_credits_reached: {
    title: 'The call would cost more than its max_credits.',
    fix: 'Raise max_credits, or ask for fewer records.',
    policy: createPolicy(402, 'budget'),
    row: { status: 'over_budget', cell: '#BUDGET' },
  },
  confirm_price: {
    title: 'The formula costs more than your team lets formulas spend without a confirmation.',
    fix: 'See its price and confirm it in the CDAPI sidebar under Tables → Formulas, or write max_credits into the formula.',
    policy: createPolicy(409, 'confirm'),
    row: { status: 'over_budget', cell: '#CONFIRM' },
  },
  spending_off: {
    title: 'Spending is switched off for this team.',
    fix: 'Records your team already bought are still free. Ask your admin to switch spending on.',
    policy: createPolicy(402, 'budget', { ends: 'automation' }),
    row: { status: 'over_budget', cell: '#BUDGET' },
  },
  provider_out_of_credits: {
    title: 'The data provider’s account has no credits left.',
    fix: 'Ask your admin to buy credits from the provider.',
    // The admin can buy credits.
    policy: createPolicy(402, 'budget', { retry: 'later', ends: 'automation' }),
    row: { status: 'failed', cell: '#BUDGET' },
  },
  rate_limited: {
    title: 'Too many calls in a short time.',
    fix: 'Wait a few seconds and try again.',
    policy: createPolicy(429, 'rate-limit'),
    row: { status: 'failed', cell: '#RATE_LIMIT' },
  },
  pending: {
    title: 'The result is not ready yet.',
    fix: 'Try again in a few seconds. You won’t pay twice.',
    policy: createPolicy(202, 'pending', { ends: 'row' }),
    row: { status: 'pending', cell: '#PENDING' },
  },
  provider_unavailable: {
    title: 'The data provider cannot take calls right now.',
    fix: 'Try again in a few minutes. Nothing was charged.',
    policy: createPolicy(503, 'unavailable'),
    row: { status: 'failed', cell: '#UNAVAILABLE' },
  },
  gateway_unavailable: {
    title: 'Part of the gateway is not responding. The data provider is not the cause.',
    fix: 'Try again in a minute. Nothing is charged twice.',
    policy: createPolicy(503, 'unavailable'),
    row: { status: 'failed', cell: '#UNAVAILABLE' },
  },
  provider_unclear: {
    title: 'The data provider gave no usable answer, so the call may have been charged.',
    fix: 'Ask your admin to check the provider’s balance before you try again.',
    // A retry may be charged a second time.
    policy: createPolicy(502, 'unclear', { retry: 'never', ends: 'automation' }),
    row: { status: 'failed', cell: '#UNCLEAR' },
  },
  provider_refused: {
    title: 'The data provider rejected the call.',
    fix: 'Ask your admin to check the provider’s API key and address.',
    // The admin can correct the key or address.
    policy: createPolicy(502, 'unavailable', { retry: 'later' }),
    row: { status: 'failed', cell: '#UNAVAILABLE' },
  },
  not_configured: {
    title: 'The gateway is not fully configured.',
    fix: 'Ask your admin to set CDAPI_BASE_URL, CDAPI_KEY and the other secrets, then deploy again.',
    // The admin can complete the settings.
    policy: createPolicy(503, 'unavailable', { retry: 'later' }),
    row: { status: 'failed', cell: '#UNAVAILABLE' },
  },
  sheet_not_shared: {
    title: 'The spreadsheet is not shared with the service account.',
    fix: 'Share the spreadsheet with the service account as an editor, then try again.',
    policy: createPolicy(403, 'rows'),
  },
  sheet_missing: {
    title: 'The spreadsheet no longer exists.',
    fix: 'Check the spreadsheet’s address, or write the table to another spreadsheet.',
    policy: createPolicy(404, 'rows'),
  },
  sheet_refused: {
    title: 'The rows could not be written to the sheet.',
    fix: 'Check the table’s headings and the cells around it, then try again.',
    policy: createPolicy(409, 'rows'),
  },
  undelivered: {
    title: 'The spreadsheet has not picked up the rows that were bought.',
    fix: 'Open the CDAPI sidebar in the spreadsheet, then resume the schedule.',
    policy: createPolicy(409, 'rows'),
  },
  stopped_by_admin: {
    title: 'Your admin has stopped this schedule.',
    fix: 'Ask your admin before you start it again.',
    policy: createPolicy(403, 'rows'),
  },
  google_unavailable: {
    title: 'Google Sheets is not responding.',
    fix: 'Try again in a few minutes. Rows are never written twice.',
    policy: createPolicy(503, 'rows'),
  },
  push_not_configured: {
    title: 'The gateway is not set up to write to closed spreadsheets.',
    fix: 'Ask your admin to set the secret GOOGLE_SERVICE_ACCOUNT to the key file of a service account.',
    // The admin has not set up this optional part.
    policy: createPolicy(503, 'rows', { retry: 'never' }),
  },
  assistant_not_configured: {
    title: 'The gateway is not set up to turn a sentence into a search.',
    fix: 'Fill in the form yourself, or ask your admin to configure a model.',
    // The admin has not set up this optional part.
    policy: createPolicy(503, 'describe-your-search', { retry: 'never' }),
  },
  assistant_unavailable: {
    title: 'The language model did not answer.',
    fix: 'Try again in a minute, or fill in the form yourself.',
    policy: createPolicy(503, 'describe-your-search'),
  },
  assistant_answer_invalid: {
    title: 'The language model gave no usable answer, so the form is unchanged.',
    fix: 'Put the sentence in other words, or fill in the form yourself.',
    // Another answer needs another sentence.
    policy: createPolicy(502, 'describe-your-search', { retry: 'never' }),
  },
  maintenance: {
    title: 'The gateway is being restored.',
    fix: 'Try again in a few minutes.',
    policy: createPolicy(503, 'unavailable'),
    row: { status: 'failed', cell: '#UNAVAILABLE' },
  },
  erased: {
    title: 'This record was erased and will not be fetched again.',
    fix: 'Remove the row. Your admin can tell you why.',
    policy: createPolicy(410, 'erased', { ends: 'row' }),
    row: { status: 'failed', cell: '#ERASED' },
  },
  internal: {
    title: 'An unexpected error occurred in the gateway.',
    fix: 'Try again. If it happens again, send your admin the request id.',
    policy: createPolicy(500, 'unavailable'),
    row: { status: 'failed', cell: '#UNAVAILABLE' },
  },
} as const satisfies Record<string, ProblemDefinition>;

export type ProblemCode = keyof typeof definitions;

/** The texts of all problems, which every language of the add-on translates. */
export type ProblemText =
  | (typeof definitions)[ProblemCode]['title' | 'fix']
  | (typeof cellErrors)[CellError]['label'];

export const problems: Readonly<Record<ProblemCode, ProblemDefinition>> = definitions;

/**
 * Explains a problem, such as why a row has no record, and what to do.
 * @param suggestion - a website that may have the record
 */
export const explainProblem = (code: ProblemCode, suggestion?: string): string =>
  suggestion === undefined
    ? `${problems[code].title} ${problems[code].fix}`
    : `${problems[code].title} Its main domain is ${suggestion}: put that into the cell to look it up.`;

/** Body of a problem response: RFC 9457, with a stable `code` and a `fix`. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  fix: string;
  /** Identifies the occurrence: `urn:uuid:` and the request id. */
  instance?: string;
}

/**
 * Creates the body of a problem response.
 * @param detail - more specific than the title, which is the default
 * @param fix - replaces the default fix
 */
export function createProblem(code: ProblemCode, detail?: string, fix?: string): Problem {
  const { title, fix: defaultFix, policy } = problems[code];
  return {
    type: `urn:cdapi:problem:${code}`,
    title,
    status: policy.status,
    detail: detail ?? title,
    code,
    fix: fix ?? defaultFix,
  };
}

/** The short form of a problem, for use inside a larger response. */
export type ProblemSummary = Pick<Problem, 'code' | 'detail' | 'fix'>;

/** Creates the short form of a problem. Takes the parameters of {@link createProblem}. */
export function createProblemSummary(...parameters: Parameters<typeof createProblem>): ProblemSummary {
  const { code, detail, fix } = createProblem(...parameters);
  return { code, detail, fix };
}

/** Returns the error text of a cell for a problem. Problems of a whole call show `#UNAVAILABLE`. */
export function getCellError(code: ProblemCode): CellError {
  return problems[code].row?.cell ?? '#UNAVAILABLE';
}

const codes: ReadonlySet<string> = new Set(Object.keys(problems));

export const isProblemCode = (code: string): code is ProblemCode => codes.has(code);

export const problemCodes: readonly ProblemCode[] = [...codes].filter(isProblemCode);

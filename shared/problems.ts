// The catalogue of problems: code, HTTP status, title, fix, retry advice and the error text of a cell.

/** Error texts that a cell shows instead of a value. */
export type CellError =
  | '#NOT_FOUND'
  | '#PENDING'
  | '#BUDGET'
  | '#RATE_LIMIT'
  | '#INVALID_KEY'
  | '#UNAVAILABLE'
  | '#ERASED'
  | '#AMBIGUOUS';

interface ProblemDefinition {
  /** One sentence: what happened. */
  title: string;
  /** One sentence: what to do. */
  fix: string;
  /** Error text of a cell. Absent for problems that only a whole call can have. */
  cell?: CellError;
}

export const problems = {
  unauthorised: {
    title: 'The team token is missing, unknown, expired or revoked.',
    fix: 'Ask your admin for a new connection link and paste it in Extensions → CDAPI → Connect.',
  },
  forbidden_scope: {
    title: 'This token may not use this family or operation.',
    fix: 'Ask your admin to widen the scopes of the token.',
  },
  sign_in_refused: {
    title: 'Google’s confirmation of your account was not accepted.',
    fix: 'Reload the spreadsheet and choose Extensions → CDAPI → Open sidebar again.',
  },
  domain_not_assigned: {
    title: 'Your company’s domain is not assigned to a team.',
    fix: 'Ask your admin to assign the domain, or for a connection link.',
  },
  person_revoked: {
    title: 'Your admin has revoked your access.',
    fix: 'Ask your admin to allow you again.',
  },
  not_found: {
    title: 'No record was found.',
    fix: 'Check the spelling, or try the website of the parent company.',
    cell: '#NOT_FOUND',
  },
  unknown_address: {
    title: 'This address does not exist.',
    fix: 'Check the path. The add-on’s routes start with /sheets/v1.',
  },
  method_not_allowed: {
    title: 'This address does not support this method.',
    fix: 'Use a method from the Allow header.',
  },
  not_remembered: {
    title: 'The record is not cached, and the call asked for cached records only.',
    fix: 'Send the call again without only-if-cached.',
  },
  too_large: {
    title: 'The request is too large.',
    fix: 'Send at most 1,000 keys in one call.',
  },
  unsupported_encoding: {
    title: 'The body is compressed.',
    fix: 'Send it without Content-Encoding.',
  },
  invalid_key: {
    title: 'This can’t be looked up.',
    fix: 'Put one value to look up into each row, such as the website example.com.',
    cell: '#INVALID_KEY',
  },
  ambiguous_name: {
    title: 'It is uncertain which company has this name.',
    fix: 'Put the website or id of the right one in its place.',
    cell: '#AMBIGUOUS',
  },
  invalid_request: {
    title: 'The request is not valid.',
    fix: 'Correct the part that the message names, then send the request again.',
  },
  unknown_field: {
    title: 'A field or filter name is unknown.',
    fix: 'Correct the name. To use a field that CDAPI does not list yet, add any_fields.',
  },
  name_taken: {
    title: 'This name is already in use.',
    fix: 'Choose another name, or edit the existing entry.',
  },
  too_many: {
    title: 'The limit of entries is reached.',
    fix: 'Delete entries that you no longer need.',
  },
  price_changed: {
    title: 'The price has changed since it was shown, so nothing was bought.',
    fix: 'Check the new price, then order again.',
  },
  already_ordered: {
    title: 'Another order is already fetching some of these records.',
    fix: 'Order again when that order is ready. These records are then free.',
  },
  over_budget: {
    title: 'The budget for this call is used up.',
    fix: 'Allow more credits for the call, or ask your admin to raise the budget.',
    cell: '#BUDGET',
  },
  max_credits_reached: {
    title: 'The call would cost more than its max_credits.',
    fix: 'Raise max_credits, or ask for fewer records.',
    cell: '#BUDGET',
  },
  spending_off: {
    title: 'Spending is switched off for this team.',
    fix: 'Records your team already bought are still free. Ask your admin to switch spending on.',
    cell: '#BUDGET',
  },
  provider_out_of_credits: {
    title: 'The data provider’s account has no credits left.',
    fix: 'Ask your admin to buy credits from the provider.',
    cell: '#BUDGET',
  },
  rate_limited: {
    title: 'Too many calls in a short time.',
    fix: 'Wait a few seconds and try again.',
    cell: '#RATE_LIMIT',
  },
  pending: {
    title: 'The result is not ready yet.',
    fix: 'Try again in a few seconds. You won’t pay twice.',
    cell: '#PENDING',
  },
  provider_unavailable: {
    title: 'The data provider cannot take calls right now.',
    fix: 'Try again in a few minutes. Nothing was charged.',
    cell: '#UNAVAILABLE',
  },
  gateway_unavailable: {
    title: 'Part of the gateway is not responding. The data provider is not the cause.',
    fix: 'Try again in a minute. Nothing is charged twice.',
    cell: '#UNAVAILABLE',
  },
  provider_unclear: {
    title: 'The data provider gave no usable answer, so the call may have been charged.',
    fix: 'Ask your admin to check the provider’s balance before you try again.',
    cell: '#UNAVAILABLE',
  },
  provider_refused: {
    title: 'The data provider rejected the call.',
    fix: 'Ask your admin to check the provider’s API key and address.',
    cell: '#UNAVAILABLE',
  },
  not_configured: {
    title: 'The gateway is not fully configured.',
    fix: 'Ask your admin to set CDAPI_BASE_URL, CDAPI_KEY and the other secrets, then deploy again.',
    cell: '#UNAVAILABLE',
  },
  sheet_not_shared: {
    title: 'The spreadsheet is not shared with the service account.',
    fix: 'Share the spreadsheet with the service account as an editor, then try again.',
  },
  sheet_missing: {
    title: 'The spreadsheet no longer exists.',
    fix: 'Check the spreadsheet’s address, or write the table to another spreadsheet.',
  },
  sheet_refused: {
    title: 'The rows could not be written to the sheet.',
    fix: 'Check the table’s headings and the cells around it, then try again.',
  },
  undelivered: {
    title: 'The spreadsheet has not picked up the rows that were bought.',
    fix: 'Open the CDAPI sidebar in the spreadsheet, then resume the schedule.',
  },
  stopped_by_admin: {
    title: 'Your admin has stopped this schedule.',
    fix: 'Ask your admin before you start it again.',
  },
  google_unavailable: {
    title: 'Google Sheets is not responding.',
    fix: 'Try again in a few minutes. Rows are never written twice.',
  },
  push_not_configured: {
    title: 'The gateway is not set up to write to closed spreadsheets.',
    fix: 'Ask your admin to set the secret GOOGLE_SERVICE_ACCOUNT to the key file of a service account.',
  },
  assistant_not_configured: {
    title: 'The gateway is not set up to turn a sentence into a search.',
    fix: 'Fill in the form yourself, or ask your admin to configure a model.',
  },
  assistant_unavailable: {
    title: 'The language model did not answer.',
    fix: 'Try again in a minute, or fill in the form yourself.',
  },
  assistant_answer_invalid: {
    title: 'The language model gave no usable answer, so the form is unchanged.',
    fix: 'Put the sentence in other words, or fill in the form yourself.',
  },
  maintenance: {
    title: 'The gateway is being restored.',
    fix: 'Try again in a few minutes.',
    cell: '#UNAVAILABLE',
  },
  erased: {
    title: 'This record was erased and will not be fetched again.',
    fix: 'Remove the row. Your admin can tell you why.',
    cell: '#ERASED',
  },
  internal: {
    title: 'An unexpected error occurred in the gateway.',
    fix: 'Try again. If it happens again, send your admin the request id.',
    cell: '#UNAVAILABLE',
  },
} as const satisfies Record<string, ProblemDefinition>;

export type ProblemCode = keyof typeof problems;

interface ProblemPolicy {
  status: number;
  /**
   * Whether to retry. `later`: the cause may pass, or the admin can remove it. `never`: the caller must change
   * something first, or a retry could be charged a second time. Schedules stop at `never`, and pushes fail sooner.
   */
  retry: 'never' | 'later';
}

/** HTTP status and retry advice of each problem. A separate table, because the add-on's first script has no use for it. */
export const problemPolicies: Readonly<Record<ProblemCode, ProblemPolicy>> = {
  unauthorised: { status: 401, retry: 'never' },
  forbidden_scope: { status: 403, retry: 'never' },
  sign_in_refused: { status: 401, retry: 'never' },
  domain_not_assigned: { status: 403, retry: 'never' },
  person_revoked: { status: 403, retry: 'never' },
  not_found: { status: 404, retry: 'never' },
  unknown_address: { status: 404, retry: 'never' },
  method_not_allowed: { status: 405, retry: 'never' },
  not_remembered: { status: 504, retry: 'never' },
  too_large: { status: 413, retry: 'never' },
  unsupported_encoding: { status: 415, retry: 'never' },
  invalid_key: { status: 422, retry: 'never' },
  ambiguous_name: { status: 409, retry: 'never' },
  invalid_request: { status: 422, retry: 'never' },
  unknown_field: { status: 422, retry: 'never' },
  name_taken: { status: 409, retry: 'never' },
  too_many: { status: 409, retry: 'never' },
  price_changed: { status: 409, retry: 'never' },
  already_ordered: { status: 409, retry: 'later' },
  over_budget: { status: 402, retry: 'never' },
  max_credits_reached: { status: 402, retry: 'never' },
  spending_off: { status: 402, retry: 'never' },
  provider_out_of_credits: { status: 402, retry: 'later' },
  rate_limited: { status: 429, retry: 'later' },
  pending: { status: 202, retry: 'later' },
  provider_unavailable: { status: 503, retry: 'later' },
  gateway_unavailable: { status: 503, retry: 'later' },
  provider_unclear: { status: 502, retry: 'never' },
  provider_refused: { status: 502, retry: 'later' },
  not_configured: { status: 503, retry: 'later' },
  sheet_not_shared: { status: 403, retry: 'never' },
  sheet_missing: { status: 404, retry: 'never' },
  sheet_refused: { status: 409, retry: 'never' },
  undelivered: { status: 409, retry: 'never' },
  stopped_by_admin: { status: 403, retry: 'never' },
  google_unavailable: { status: 503, retry: 'later' },
  push_not_configured: { status: 503, retry: 'never' },
  assistant_not_configured: { status: 503, retry: 'never' },
  assistant_unavailable: { status: 503, retry: 'later' },
  assistant_answer_invalid: { status: 502, retry: 'never' },
  maintenance: { status: 503, retry: 'later' },
  erased: { status: 410, retry: 'never' },
  internal: { status: 500, retry: 'later' },
};

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
  const { status } = problemPolicies[code];
  const { title, fix: defaultFix } = problems[code];
  return {
    type: `urn:cdapi:problem:${code}`,
    title,
    status,
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
  const facts: ProblemDefinition = problems[code];
  return facts.cell ?? '#UNAVAILABLE';
}

export function isProblemCode(code: string): code is ProblemCode {
  return Object.keys(problems).includes(code);
}

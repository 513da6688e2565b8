// Everything that can go wrong, said once: code, HTTP status, sentence, what to do, and the word in a cell.

/** The words that a cell may show in place of a value. */
export type CellError =
  | '#NOT_FOUND'
  | '#PENDING'
  | '#BUDGET'
  | '#RATE_LIMIT'
  | '#INVALID_KEY'
  | '#UNAVAILABLE'
  | '#ERASED';

interface ProblemDefinition {
  status: number;
  /**
   * Is the same worth trying again? `later`: it may pass by itself, or once the admin has acted. `never`: the caller has to
   * change something first, or it might be charged a second time. Schedules stop at it; pushes give up sooner.
   */
  retry: 'never' | 'later';
  /** One sentence: what happened. */
  title: string;
  /** One sentence: what to do. */
  fix: string;
  /** What a cell shows for a row that ended so; absent where only a whole call can end so. */
  cell?: CellError;
}

export const problems = {
  unauthorised: {
    status: 401,
    retry: 'never',
    title: 'The team token is missing, unknown, expired or revoked.',
    fix: 'Ask your admin for a new connection link and paste it in CDAPI → Connect.',
  },
  forbidden_scope: {
    status: 403,
    retry: 'never',
    title: 'This token may not use this family or operation.',
    fix: 'Ask your admin to widen the scopes of the token.',
  },
  not_found: {
    status: 404,
    retry: 'never',
    title: 'There is nothing under this key.',
    fix: 'Check the spelling, or try the website of the parent company.',
    cell: '#NOT_FOUND',
  },
  unknown_address: {
    status: 404,
    retry: 'never',
    title: 'There is nothing at this address.',
    fix: 'Check the address; the gateway’s own begin with /sheets/v1.',
  },
  method_not_allowed: {
    status: 405,
    retry: 'never',
    title: 'This address does not answer that method.',
    fix: 'Use one of the methods that the Allow header names.',
  },
  not_remembered: {
    status: 504,
    retry: 'never',
    title: 'This is not remembered, and nothing was to be bought.',
    fix: 'Ask again without only-if-cached.',
  },
  too_large: {
    status: 413,
    retry: 'never',
    title: 'The request is larger than the gateway reads.',
    fix: 'Send fewer keys in one call; 1,000 always fit.',
  },
  invalid_key: {
    status: 422,
    retry: 'never',
    title: 'This is not a key that the service understands.',
    fix: 'Give one key to a row, such as the website example.com.',
    cell: '#INVALID_KEY',
  },
  invalid_request: {
    status: 422,
    retry: 'never',
    title: 'The request is not of the expected form.',
    fix: 'Correct the named part and send it again.',
  },
  unknown_field: {
    status: 422,
    retry: 'never',
    title: 'A field or filter has a name that is not known.',
    fix: 'Correct the name. To use a field that CDAPI does not list yet, add any_fields.',
  },
  name_taken: {
    status: 409,
    retry: 'never',
    title: 'There is one of this name already.',
    fix: 'Choose another name, or change the one that has it.',
  },
  too_many: {
    status: 409,
    retry: 'never',
    title: 'There is no room for another one.',
    fix: 'Delete some that nobody needs.',
  },
  price_changed: {
    status: 409,
    retry: 'never',
    title: 'The price changed since it was shown, so nothing was bought.',
    fix: 'Check it and order again.',
  },
  already_ordered: {
    status: 409,
    retry: 'later',
    title: 'Some of these records are on their way in another order.',
    fix: 'Order again when it is ready: they are free then.',
  },
  over_budget: {
    status: 402,
    retry: 'never',
    title: 'The budget for this call is used up.',
    fix: 'Allow more credits for the call, or ask your admin to raise the budget.',
    cell: '#BUDGET',
  },
  max_credits_reached: {
    status: 402,
    retry: 'never',
    title: 'This would cost more than the maximum set for the call.',
    fix: 'Raise max_credits, or ask for fewer records.',
    cell: '#BUDGET',
  },
  spending_off: {
    status: 402,
    retry: 'never',
    title: 'Spending is switched off for this team.',
    fix: 'What is remembered is still answered; ask your admin to switch spending on.',
    cell: '#BUDGET',
  },
  provider_out_of_credits: {
    status: 402,
    retry: 'later',
    title: 'The account at the data provider has no credits left.',
    fix: 'Ask your admin to buy credits from the provider.',
    cell: '#BUDGET',
  },
  rate_limited: {
    status: 429,
    retry: 'later',
    title: 'Too many calls in a short time.',
    fix: 'Wait a few seconds and try again.',
    cell: '#RATE_LIMIT',
  },
  pending: {
    status: 202,
    retry: 'later',
    title: 'The answer is still on its way.',
    fix: 'Ask again in a few seconds; it will be remembered.',
    cell: '#PENDING',
  },
  provider_unavailable: {
    status: 503,
    retry: 'later',
    title: 'The data provider does not answer.',
    fix: 'Try again in a few minutes; nothing was charged.',
    cell: '#UNAVAILABLE',
  },
  gateway_unavailable: {
    status: 503,
    retry: 'later',
    title: 'Part of the gateway does not answer; the data provider is not at fault.',
    fix: 'Try again in a minute; nothing is charged twice.',
    cell: '#UNAVAILABLE',
  },
  provider_unclear: {
    status: 502,
    retry: 'never',
    title: 'The data provider answered, but the answer could not be read, so it may have been charged.',
    fix: 'Ask your admin to compare the provider’s balance before you try again.',
    cell: '#UNAVAILABLE',
  },
  provider_refused: {
    status: 502,
    retry: 'later',
    title: 'The data provider refused the call.',
    fix: 'Ask your admin to check the provider’s key and address.',
    cell: '#UNAVAILABLE',
  },
  not_configured: {
    status: 503,
    retry: 'later',
    title: 'This gateway has no provider key yet.',
    fix: 'The admin sets CDAPI_BASE_URL and the secret CDAPI_KEY, then deploys again.',
    cell: '#UNAVAILABLE',
  },
  sheet_not_shared: {
    status: 403,
    retry: 'never',
    title: 'The spreadsheet is not shared with the service account.',
    fix: 'Share it with the service account as an editor, then run it again.',
  },
  sheet_missing: {
    status: 404,
    retry: 'never',
    title: 'The spreadsheet does not exist any more.',
    fix: 'Check its address, or write the table to another spreadsheet.',
  },
  sheet_refused: {
    status: 409,
    retry: 'never',
    title: 'The sheet did not take the rows.',
    fix: 'Look at the sheet’s headings and what stands around the table, then run it again.',
  },
  undelivered: {
    status: 409,
    retry: 'never',
    title: 'Rows that were bought have not been picked up by the spreadsheet.',
    fix: 'Open the spreadsheet with the CDAPI sidebar, then start the schedule again.',
  },
  google_unavailable: {
    status: 503,
    retry: 'later',
    title: 'Google Sheets does not answer.',
    fix: 'Run it again in a few minutes; rows that have landed are not written twice.',
  },
  push_not_configured: {
    status: 503,
    retry: 'never',
    title: 'This gateway cannot write to closed spreadsheets yet.',
    fix: 'The admin sets the secret GOOGLE_SERVICE_ACCOUNT to the key file of a service account.',
  },
  erased: {
    status: 410,
    retry: 'never',
    title: 'This record was erased and will not be fetched again.',
    fix: 'Remove the row; your admin can say why.',
    cell: '#ERASED',
  },
  internal: {
    status: 500,
    retry: 'later',
    title: 'Something broke on our side.',
    fix: 'Try again; if it stays, give your admin the request id.',
    cell: '#UNAVAILABLE',
  },
} as const satisfies Record<string, ProblemDefinition>;

export type ProblemCode = keyof typeof problems;

/** The body of a problem answer: RFC 9457, with a stable `code` and a `fix`. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  fix: string;
  /** Names this one occurrence: `urn:uuid:` and the request id. */
  instance?: string;
}

/**
 * Makes the body of a problem.
 * @param code - which problem
 * @param detail - what exactly, where that says more than the title
 * @param fix - what to do, where that is not what the problem's own fix says
 */
export function createProblem(code: ProblemCode, detail?: string, fix?: string): Problem {
  const { status, title, fix: usual } = problems[code];
  return {
    type: `urn:cdapi:problem:${code}`,
    title,
    status,
    detail: detail ?? title,
    code,
    fix: fix ?? usual,
  };
}

/** Why something did not go on, and what to do: what is told of a problem inside a larger answer. */
export type ProblemSummary = Pick<Problem, 'code' | 'detail' | 'fix'>;

/** Makes a reason of what makes a problem: {@link createProblem}. */
export function createProblemSummary(...of: Parameters<typeof createProblem>): ProblemSummary {
  const { code, detail, fix } = createProblem(...of);
  return { code, detail, fix };
}

/**
 * The word that a cell shows for a row that ended with this problem.
 * @returns the word; `#UNAVAILABLE` for problems of a whole call
 */
export function getCellError(code: ProblemCode): CellError {
  const facts: ProblemDefinition = problems[code];
  return facts.cell ?? '#UNAVAILABLE';
}

/**
 * Tells whether a text is the code of a problem.
 * @param code - any text
 */
export function isProblemCode(code: string): code is ProblemCode {
  return Object.keys(problems).includes(code);
}

// What the sandbox does where nobody says what the real one does: a sentence each, and a test of that name.

/** By name, so that code and tests can point at one. */
export const assumptions = {
  creditsCheckedFirst:
    'A paid call is refused with 402 before it is looked at, if the balance is below its price.',
  rateWindow:
    'The rate limit counts the calls of each whole second by the provider’s clock; refused calls do not count.',
  balanceReported:
    'x-credits-remaining stands on every answer of search, collect, enrich and preview but 401 and 429.',
  repeatedIds: 'An id that stands twice in a data request is delivered and charged once.',
  sameRecordTwice: 'A record that is named in two ways in a data request is delivered and charged once.',
  blankLines: 'Blank lines and a byte order mark in ids_file are ignored.',
  identicalRequests:
    'Data requests are identical if family, style, query and limit are, whatever the order of keys and the webhook.',
  limitBounds: 'A limit below 1 is a 422; one above 10,000 is accepted.',
  webhookAddresses: 'A webhook goes to a public https address or to this machine; any other is a 422.',
  webhookBody: 'A webhook is POST {"data_request_id", "status": "ready" or "failed"}.',
  webhookTries:
    'A webhook is tried again after 1 s, 5 s, 30 s, 2 min and 10 min until a 2xx; redirects count as failed.',
  tooManyMatches:
    'A query for more than 10,000 records fails: GET files is 400 "Query results count exceeds allowed limit".',
  nothingMatched: 'A data request without a record fails: GET files is a 422 about data_request_id.',
  unpaidRequest:
    'A data request that the balance does not cover is "failed" to the webhook; GET files is 402 until it does.',
  expiredRequest: 'A data request older than 30 days is a 404, as one that never was.',
  unlistedFile: 'A file name that was not listed is a 404.',
  requestClock: 'How long a data request runs is fixed when it is made.',
  absentFields: 'Names in `fields` that the record lacks are ignored.',
  websiteOfPreviews: 'Preview items of clean companies say website_main.',
  lastPage: 'The last page of a search has no x-next-page-after.',
  cursorDate: 'The date that the cursor of a search without sort carries is accepted and ignored.',
  updatedOrder: 'last_updated sorts from old to new; as a tie-break of scores and counts from new to old.',
  multiSource:
    'Multi-source records are the clean record, of jobs the base record, under the multi-source family.',
  sameExperience:
    'Filters on an employee’s experience are about one and the same experience, so are those on education.',
  severalSkills:
    'Words that AND combines in a filter on skills, certificates or industries may stand in several of them.',
  filterWords: 'Words that stand beside each other in a filter must all be there; OR binds less than AND.',
  indexedUrls:
    'URLs are indexed without scheme, `www` and a final slash, their host in lower case; es_dsl values in another form find nothing.',
  filterUrls: 'Filters on a whole URL bring their value into the form of the index.',
  missingValues:
    'An absent field, a null and an empty array are all missing, at the root and inside objects; an empty text is a value.',
  missingNumbers: 'Filters on numbers leave out records whose number is missing; es_dsl finds them at -1.',
  keywordFilters:
    'A filter on a keyword compares the whole value in any case, plain or quoted; with a trailing * its start.',
  snapshotLife: 'A snapshot token leads to the ranking of its query, up to 1,000 places, for 15 minutes.',
  digitsOnly:
    'A collect by digits alone is one by id; in a list of names and in a profile URL digits are a shorthand name.',
} as const satisfies Record<string, string>;

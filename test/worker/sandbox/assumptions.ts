// Behaviour of the sandbox that the service doesn't document: one sentence each, with a test of that name.

export const assumptions = {
  creditsCheckedFirst:
    'A paid call is rejected with 402 before it is validated, if the balance is below its price.',
  rateWindow:
    'The rate limit counts the calls of each whole second of the provider’s clock; rejected calls do not count.',
  balanceReported:
    'Every response of search, collect, enrich and preview except 401 and 429 has x-credits-remaining.',
  charsets:
    'A body, a part of a form and percent-encoding are decoded by their charset, by default UTF-8; invalid text and unknown charsets are a 422.',
  compressedBodies: 'A body with Content-Encoding is a 415.',
  repeatedIds: 'An id that is repeated in a data request is delivered and charged once.',
  sameRecordTwice: 'A record that two keys of a data request name is delivered and charged once.',
  blankLines: 'Blank lines and a byte order mark in ids_file are ignored.',
  identicalRequests:
    'Data requests are identical if family, style, query and limit are equal, regardless of key order and webhook.',
  limitBounds: 'A limit below 1 is a 422; one above 10,000 is accepted.',
  webhookAddresses: 'A webhook goes to a public https address or to this machine; any other is a 422.',
  webhookBody: 'A webhook is POST {"data_request_id", "status": "ready" or "failed"}.',
  webhookTries:
    'A webhook is retried after 1 s, 5 s, 30 s, 2 min and 10 min until a 2xx; redirects count as failures.',
  tooManyMatches:
    'A query for more than 10,000 records fails: GET files is 400 "Query results count exceeds allowed limit".',
  nothingMatched: 'A data request without a record fails: GET files is a 422 about data_request_id.',
  unpaidRequest:
    'A data request that the balance does not cover is "failed" in the webhook; GET files is 402 until it does.',
  expiredRequest: 'A data request older than 30 days is a 404, like an unknown one.',
  unlistedFile: 'A file name that is not listed is a 404.',
  requestClock: 'The run time of a data request is fixed when it is created.',
  absentFields: 'Names in `fields` that the record lacks are ignored.',
  websiteOfPreviews: 'Preview items of clean companies have website_main.',
  lastPage: 'The last page of a search has no x-next-page-after.',
  cursorDate: 'The date in the cursor of a search without sort is accepted and ignored.',
  updatedOrder: 'last_updated sorts ascending; as the tie-breaker of scores and counts it sorts descending.',
  multiSource:
    'Multi-source records are the clean record, for jobs the base record, under the multi-source family.',
  sameExperience:
    'Filters on an employee’s experience must match the same experience; the same holds for education.',
  severalSkills:
    'Words that AND combines in a filter on skills, certificates or industries may occur in different ones.',
  filterWords: 'Adjacent words in a filter must all occur; OR binds less than AND.',
  indexedUrls:
    'URLs are indexed without scheme, `www` and a final slash, their host in lower case; es_dsl values in another form find nothing.',
  filterUrls: 'Filters on a whole URL normalise their value as the index does.',
  missingValues:
    'An absent field, a null and an empty array are all missing, at the root and inside objects; an empty text is a value.',
  missingNumbers: 'Filters on numbers exclude records whose number is missing; es_dsl finds them at -1.',
  keywordFilters:
    'A filter on a keyword compares the whole value and ignores case, plain or quoted; a trailing * compares the start.',
  snapshotLife:
    'A snapshot token gives access to the ranking of its query, up to 1,000 places, for 15 minutes.',
  digitsOnly:
    'A collect by digits alone looks up an id; in a list of names and in a profile URL digits are a shorthand name.',
} as const satisfies Record<string, string>;
